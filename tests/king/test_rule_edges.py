"""The edges of rules that nothing else stands on: a fight without an army, magic refused, the way home from a war."""

from typing import Any

import pytest

from tests.king.scripts import Frame, Table, part, player


def fight(army: str, *owners: str) -> Table:
    """Seat 0 has drawn a fight for a desert, and seat 1 these four tiles."""
    table = Table(
        player("forest-1", army=army), player("swamp-1"), frames=part(3, ["land-draw", 0]), turn=2, phase=3
    )  # fmt: skip
    return table.draw("land-fight", "desert", *owners)


def test_k26_who_has_no_army_cannot_fight() -> None:
    """K26: without an army nothing is asked: the land returns, and so do the four tiles."""
    table = fight("", "bear-2", "village", "golem", "chest")
    assert table.in_land_cup("desert-1")
    assert all(table.in_cup(slug) for slug in ("bear-2", "village", "golem", "chest"))
    assert table.lands(0) == ["forest-1"]
    assert [event["land"] for event in table.happened("land-returns")] == ["desert-1"]
    assert not table.happened("declined")


def test_k26_who_declines_leaves_the_land_and_the_owners_go() -> None:
    """K26: the land and all four tiles return to their decks; the army stays, unseen."""
    table = fight("pixies-f1", "bear-2", "golem", "village", "chest").do("decline")
    assert table.in_land_cup("desert-1")
    assert table.state.owners == []
    assert all(table.in_cup(slug) for slug in ("bear-2", "golem"))
    assert table.army(0) == ["pixies-f1"]
    assert [event["seat"] for event in table.happened("declined")] == [0]


def test_k26_a_golem_alone_keeps_the_land_from_being_free() -> None:
    """K26: it is no character, so that there are no owners to be counted, but the land has to be fought for."""
    table = fight("pixies-f1", "golem", "village", "city", "chest")
    assert table.asks == ("commit", 0)
    assert [(event["characters"], event["tiles"]) for event in table.happened("owners")] == [(0, 1)]
    assert table.state.owners == [table.state.box.golem]


def at_war(hand: str = "", *, turn: int = 2, **rest: Any) -> Table:
    frames: list[Frame] = part(4, ["war", 0])
    one = player("forest-1", hand=hand, army="pixies-f1", gold=9)
    return Table(one, player("swamp-1", army="crocodile-2"), frames=frames, turn=turn, phase=4, **rest)


@pytest.mark.parametrize("action", ["mist", "golem 1", "dispell 1", "wall swamp-1", "dust swamp-1", "talisman"])
def test_magic_is_refused_for_the_first_reason_that_holds(action: str) -> None:
    """K9, K43: not in the hand, then dispelled, then not its moment or no such target."""
    item = {
        "mist": "the-mist", "golem": "golem", "dispell": "dispell-magic", "wall": "wall-of-fire",
        "dust": "dust-of-defense", "talisman": "talisman-of-deliverance",
    }[action.partition(" ")[0]]  # fmt: skip
    assert at_war().refused(action) == "not-in-hand"
    assert at_war(item).refused(action, 1) == "not-in-hand"
    held = at_war(item)
    if action.startswith("dispell"):
        assert action in held.legal()
        assert held.refused("dispell 2") == "no-such-target"
        return
    assert held.refused(action) == "not-its-moment"
    held = at_war(item, aside=["dispell-magic"], dispelled=0)
    assert held.refused(action) == "dispelled"


def test_k14_the_way_home_from_a_war() -> None:
    """K14, K44, K46: a golem of the defence and a wall of fire go back to the deck, the army's tiles do not."""
    table = Table(
        player("forest-1", army="pixies-f1", gold=9), player("swamp-1 swamp-2", army="crocodile-2"),
        player("plains-1", hand="golem wall-of-fire the-mist"), frames=part(4, ["war", 0]), turn=2, phase=4,
    )  # fmt: skip
    table.do("attack 1", "send pixies-f1", "done", "golem 1")
    table.do("wall swamp-2", seat=2).roll(4).do("mist", seat=2)
    assert table.state.war is None
    assert table.in_cup("golem")
    assert table.in_cup("wall-of-fire")
    assert table.army(0) == ["pixies-f1"]
    assert table.army(1) == ["crocodile-2"]


def test_k32_what_a_battle_has_shown_is_secret_again_but_known() -> None:
    """K2, K32: the one tile that fought is known to be in the army, the other is not, and neither lies open."""
    table = Table(
        player("forest-1", army="pixies-f1", gold=9), player("swamp-1 swamp-2", army="crocodile-2 giant-snake-3"),
        player("plains-1"), frames=part(4, ["war", 0]), turn=2, phase=4,
    )  # fmt: skip
    table.do("attack 1", "send pixies-f1", "done").roll(6, 1).do("line pixies-f1 swamp-1")
    table.do("line giant-snake-3 swamp-2", "line crocodile-2 swamp-1")
    for seat in (0, 2):
        shown = [t.tile for t in table.game.view(table.state, seat).tiles]
        assert "crocodile-2" in shown
        assert "giant-snake-3" not in shown
    table.until(lambda t: t.state.war is None)
    for seat in (0, 2):
        view = table.game.view(table.state, seat)
        assert not {"crocodile-2", "giant-snake-3"} & {t.tile for t in view.tiles}
        assert [h.known_army for h in view.hidden if h.seat == 1] == [("crocodile-2",)]
        assert [h.known for h in view.hidden if h.seat == 1] == [()]
