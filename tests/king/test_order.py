"""Order, victory, thief and assassin: sections sequence, victory, specials; K11, K14, K41, K54, K55."""

import pytest

from tests.king.scripts import Table, part, player


def test_k55_phases_go_player_by_player() -> None:
    """K55, sequence: four phases; in each, every player in turn order does the phase's steps in order."""
    table = Table(player("desert-1"), player("forest-1"), player("swamp-1"), first=1)
    seen: list[tuple[int, int]] = []
    for _ in range(80):
        if table.state.turn == 2:
            break
        step = (table.state.phase, table.state.acting)
        if not seen or seen[-1] != step:
            seen.append(step)
        table.idle()
    wanted = [(phase, seat) for phase in (1, 2, 3, 4) for seat in (1, 2, 0)]
    assert [step for step in seen if step[0] != 4] == wanted[:9]
    assert table.state.first == 2


def test_k54_the_next_first_player_is_still_in_the_game() -> None:
    """K54: the next player clockwise still in the game."""
    table = Table(player("desert-1"), player("", out=True), player("swamp-1"), frames=part(4, ["deeds", -1]), phase=4)
    assert table.state.first == 2


RICH = "forest-1:4:city forest-2:3:city forest-3:3:city forest-4:3:village"


def test_k11_victory_at_once() -> None:
    """K11, victory, prestige: 30 prestige and a Gran Muniment win at once, also out of turn by cashing a treasure."""
    table = Table(player("desert-1"), player(RICH, hand="chest diamond", gold=0), frames=part(1, ["build", 0]))
    assert table.state.prestige(1) == 4 + 13 + 7
    table.do("cash chest", seat=1)
    assert table.state.prestige(1) == 28
    table.do("cash diamond", seat=1)
    assert table.over.reason == "king"
    assert [float(x) for x in table.over.returns] == [0.0, 1.0]
    assert table.game.legal_actions(table.state, 0) == []


def test_k11_both_are_needed() -> None:
    """K11: 30 prestige without a Gran Muniment do not win."""
    table = Table(player("desert-1:3", gold=400), player("forest-1"), frames=part(1, ["build", 0]))
    assert table.state.prestige(0) > 30
    table.do("fort desert-1")
    assert table.over.reason == "king"


def test_k11_several_at_once() -> None:
    """K11: the first in turn order from the acting player."""
    frames = part(1, ["build", 1], seat=1)
    table = Table(player("desert-1:4", gold=300), player("forest-1:4", gold=300), frames=frames, acting=1, turn=3)
    assert [float(x) for x in table.over.returns] == [0.0, 1.0]


def deed(
    who: str, one: dict[str, object] | None = None, two: dict[str, object] | None = None, barred: int = 0
) -> Table:
    return Table(
        one or player("desert-1", army=who),
        two or player("forest-1", gold=3, army="elves-2"),
        player("swamp-1"),
        frames=part(4, ["deeds", -1], ["build", 2]),
        phase=4,
        barred=barred,
    )


def test_k41_the_thief_steals() -> None:
    """K41, specials.master-thief: higher steals the difference, at most what the victim has."""
    table = deed("master-thief")
    assert table.legal() == ["pass", "rob 1"]
    table.do("rob 1").roll(6, 1)
    assert table.state.gold[:2] == [3, 0]
    assert deed("master-thief").do("rob 1").roll(3, 1).state.gold[:2] == [2, 1]
    assert deed("master-thief").do("rob 1").roll(1, 3).state.gold[:2] == [0, 3]


@pytest.mark.parametrize(("again", "alive"), [((4, 4), False), ((2, 5), False), ((5, 2), True)])
def test_k41_caught_in_the_act(again: tuple[int, int], alive: bool) -> None:
    """K41: after a tie a tie or lower kills him, higher only lets him escape."""
    for who, action in (("master-thief", "rob 1"), ("assassin-primus", "kill 1")):
        table = deed(who).do(action).roll(2, 2).roll(*again)
        assert (who in table.army(0)) == alive
        assert table.state.gold[1] == 3
        assert table.army(1) == ["elves-2"]


def test_k41_the_assassin_kills_at_random() -> None:
    """K41, specials.assassin-primus: one tile of the army, uniformly, specials, swords and bows included."""
    table = deed("assassin-primus", two=player("forest-1 swamp-2", army="ghosts-f1 ghosts-f1 arch-mage magic-bow"))
    table.do("kill 1").roll(6, 1)
    node = table.game.chance(table.state)
    assert {o.args[0]: w for o, w in zip(node.outcomes, node.weights, strict=True)} == {
        "ghosts-f1": 2,
        "magic-bow": 1,
        "arch-mage": 1,
    }
    table.draw("arch-mage")
    assert table.in_cup("arch-mage")


def test_k41_barred_after_an_attack() -> None:
    """K41: barred is one who was sent in an attacking army this turn; the thief comes first if one player has both."""
    table = deed("master-thief assassin-primus")
    assert table.asks == ("deed-choice", 0)
    assert table.legal() == ["pass", "rob 1"]
    table.do("pass")
    assert table.legal() == ["pass", "kill 1"]
    assert deed("master-thief assassin-primus", barred=3).asks[0] != "deed-choice"


def test_k41_an_attacking_thief_is_barred() -> None:
    """K41: whatever became of the attack."""
    table = Table(
        player("desert-1", army="master-thief sand-worm-3", gold=5),
        player("forest-1 forest-2", gold=5),
        frames=[["turn-end", -1], ["build", 1], ["deeds", -1], ["part-end", 0], ["war", 0]],
        phase=4,
    )
    table.do("attack 1", "send master-thief", "done").roll(6, 1).do("line master-thief forest-1")
    assert table.state.barred == 1
    assert table.asks[0] != "deed-choice"


def test_k14_outside_wars_at_once() -> None:
    """K14: a player without land is out at once; the next decisions skip him."""
    table = Table(
        player("forest-1", hand="chest", gold=9, army="arch-mage elves-2"),
        player("desert-1"),
        player("swamp-1"),
        frames=part(2, ["event", 0]),
        phase=2,
    )
    table.roll(1, 1).roll(3, 4)
    assert not table.state.alive(0)
    assert table.in_cup("chest")
    assert table.in_cup("arch-mage")
    assert table.state.gold[0] == 0
    assert table.asks[1] != 0


@pytest.mark.parametrize(
    ("slug", "value"),
    [
        ("arch-mage", 6),
        ("elf-lord", 6),
        ("arch-cleric", 5),
        ("guilliame-tell", 5),
        ("sir-launcelot", 5),
        ("dwarf-king", 5),
        ("sword-master", 4),
        ("baron-munchausen", 4),
        ("grand-duke", 4),
        ("master-thief", 4),
        ("assassin-primus", 4),
    ],
)
def test_the_eleven_special_characters(slug: str, value: int) -> None:
    """specials, K16: their combat values; they lie face up in army and bank, and count 1 prestige in the army."""
    table = Table(player("desert-1", army=slug), player("forest-1"), frames=part(1, ["build", 0]))
    kind = table.game.edition.kinds[table.game.edition.by_slug[slug]]
    assert kind.value == value
    assert table.state.prestige(0) == 2
    assert slug in [tile.tile for tile in table.game.view(table.state, 1).tiles]
