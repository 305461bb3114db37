"""What if: the odds of an attack before it is sent, against battles counted by hand (K28, K31 to K39)."""

from typing import Any

import pytest

from muniment.core.errors import MunimentError
from muniment.games.king.what_if import army_to_send, what_if
from tests.king.scripts import Table, part, player

ONE = player("forest-1", army="bear-2", gold=5)


def at_war(*players: dict[str, Any]) -> Table:
    return Table(*players, frames=part(4, ["war", 0]), turn=2, phase=4)


def test_forts_alone_and_a_special_met_counted_by_hand() -> None:
    """A bear (two dice) at a tower: one six in two neutralises it, and its die must miss (K33 to K35, K39).

    At bare land nothing is rolled (K31). Met by the Master Thief, four dice that all have to miss; the tower, hit
    first, takes the first six, so that both dice have to be sixes.
    """
    t = at_war(ONE, player("swamp-1:1 swamp-2", army="master-thief"))
    found = what_if(t.game.view(t.state, 0), 1, ["bear-2"])
    tower, bare = found.lands
    assert (tower.land, bare.land) == ("swamp-1", "swamp-2")
    assert tower.alone.capture == pytest.approx(11 / 36 * 5 / 6)
    assert tower.alone.attacker_loss == pytest.approx(1 / 6)
    assert bare.alone.capture == 1
    assert bare.alone.attacker_loss == 0
    assert bare.met.capture == pytest.approx(11 / 36 * (5 / 6) ** 4)
    assert bare.met.attacker_loss == pytest.approx(1 - (5 / 6) ** 4)
    assert bare.met.defender_loss == pytest.approx(11 / 36)
    assert tower.met.capture == pytest.approx(1 / 36 * (5 / 6) ** 5)
    assert (found.gold, found.deals) == (1, 1)
    assert found.label.startswith("odds")


def test_face_down_tiles_are_an_expectation_said_to_be_one() -> None:
    """K2: one face-down tile of a swamp player; whichever it is, at bare land it has the odds of that tile."""
    t = at_war(player("forest-1", army="bear-2", gold=5), player("swamp-1", army="giant-lizard-2"))
    view = t.game.view(t.state, 0)
    found = what_if(view, 1, ["bear-2"], deals=30)
    one = found.lands[0].met
    assert found.deals == one.deals == 30
    assert "30 ways" in found.label
    assert "not odds" in found.label
    assert one.error > 0
    # The bear has to hit, and to be missed by the 0 to 11 dice of any one tile.
    assert 11 / 36 * (5 / 6) ** 11 < one.capture < 11 / 36
    assert what_if(view, 1, ["bear-2"], deals=30) == found


def test_k2_it_comes_from_the_view_alone() -> None:
    """Another face-down tile in the same place is the same question."""
    one = at_war(ONE, player("swamp-1", army="giant-lizard-2"))
    other = at_war(ONE, player("swamp-1", army="vampire-f4"))
    views = [t.game.view(t.state, 0) for t in (one, other)]
    assert views[0] == views[1]
    assert what_if(views[0], 1, ["bear-2"]).lands == what_if(views[1], 1, ["bear-2"]).lands


@pytest.mark.parametrize(
    ("army", "gold", "sent"),
    [
        ("bear-2 walking-tree-5 pixies-f1 magic-sword", 9, ("walking-tree-5", "bear-2", "pixies-f1", "magic-sword")),
        ("bear-2 walking-tree-5 pixies-f1 magic-sword", 1, ("walking-tree-5", "bear-2")),
        ("bear-2 walking-tree-5", 0, ()),
        ("magic-sword", 9, ()),
    ],
)
def test_k28_the_army_at_hand_is_what_can_be_paid(army: str, gold: int, sent: tuple[str, ...]) -> None:
    """1 gold for every 2 tiles; the strongest first; swords alone are no army (K38)."""
    t = at_war(player("forest-1", army=army, gold=gold), player("swamp-1"))
    assert army_to_send(t.game.view(t.state, 0)) == sent


def test_a_sword_counts_for_its_bearer() -> None:
    """K48: the bear with the sword hits on 5 and 6: one die in three at least once, in two: 5/9."""
    t = at_war(player("forest-1", army="bear-2 magic-sword", gold=5), player("swamp-1", army="master-thief"))
    found = what_if(t.game.view(t.state, 0), 1, ["bear-2", "magic-sword"])
    assert found.lands[0].met.defender_loss == pytest.approx(5 / 9)


def test_what_cannot_be_asked_is_refused_in_a_line() -> None:
    t = at_war(player("forest-1", army="bear-2 magic-sword", gold=5), player("swamp-1"))
    view = t.game.view(t.state, 0)
    for target, army, told in (
        (0, ["bear-2"], "seat 0 cannot be attacked"),
        (2, ["bear-2"], "seat 2 cannot be attacked"),
        (1, ["bear-2", "bear-2"], "bear-2 is not in the army"),
        (1, ["magic-sword"], "an army needs a character"),
        (1, [], "an army needs a character"),
    ):
        with pytest.raises(MunimentError, match=f"^{told}$"):
            what_if(view, target, army)
