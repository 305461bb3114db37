"""Corners of the rulings: the charm on every kind of roll, dispelled walls and golems, what the talisman cannot do."""

import pytest

from tests.king.scripts import Table, part, player
from tests.king.test_land import fight
from tests.king.test_magic import sent
from tests.king.test_war import joined, send_all, war


def test_k42_initiative() -> None:
    """K42, K10, war.initiative: the charm on an initiative die, asked where one pip could change the result."""
    table = war(
        player("desert-1", army="sand-worm-3", gold=9), player("forest-1", army="elves-2", hand="lucky-charm")
    ).do("attack 1")
    send_all(table)
    table.roll(6, 1)
    assert table.asks == ("line", 0)  # no pip could change that
    table = war(
        player("desert-1", army="sand-worm-3", gold=9), player("forest-1", army="elves-2", hand="lucky-charm")
    ).do("attack 1")
    send_all(table)
    table.roll(4, 3)
    assert table.asks == ("charm", 1)
    table.do("charm -1 1")
    assert table.rolls == "initiative-dice"  # a tie now


def test_k42_disasters_and_saving_rolls() -> None:
    """K42: disaster dice and saving rolls, for the owner of the land."""
    table = Table(
        player("desert-1"),
        player("forest-1:0:village desert-2", hand="lucky-charm"),
        frames=part(2, ["event", 0]),
        phase=2,
    )
    table.roll(1, 2)
    assert table.asks == ("charm", 1)  # a fire that concerns it
    table.do("pass").roll(3, 4)
    assert table.asks == ("charm", 1)
    table.do("pass").roll(3)
    assert table.asks == ("charm", 1)
    table.do("charm +1 1")
    assert table.improvement("forest-1") == "village"


def test_k42_capture_and_flyers() -> None:
    """K42, K39, K37: saving rolls of structures and of flyers."""
    table = war(
        player("mountain-1", army="cyclops-5", gold=9, hand="lucky-charm"),
        player("forest-1:0:village desert-2"),
    ).do("attack 1")
    send_all(table)
    table.roll(6, 1).do("line cyclops-5 forest-1").roll(6, 1, 1, 1, 1)
    table.roll(1).roll(5)
    assert table.asks == ("charm", 0)
    table.do("charm +1 1")
    assert table.improvement("forest-1") == "village"
    assert "forest-1" in table.lands(0)


def test_k42_thief_and_assassin() -> None:
    """K42, K41: a tie can be charmed away."""
    table = Table(
        player("desert-1", army="master-thief", hand="lucky-charm"),
        player("forest-1", gold=5),
        frames=part(4, ["deeds", -1], ["build", 1]),
        phase=4,
    )
    table.do("rob 1").roll(3, 3)
    assert table.asks == ("charm", 0)
    table.do("charm +1 1")
    assert table.state.gold[0] == 1


def test_k42_charge_dice_and_the_talisman() -> None:
    """K42, K34, K40: a charge die, the talisman's die."""
    table = war(
        player("swamp-1", army="black-knight-c4", gold=9, hand="lucky-charm talisman-of-deliverance"),
        player("forest-1 plains-1", army="walking-tree-5"),
    ).do("attack 1")
    send_all(table)
    table.roll(6, 1).do("line black-knight-c4 forest-1", "line walking-tree-5 forest-1").roll(6)
    table.do("charm +1 1")
    assert table.state.battle is not None
    assert table.state.battle.sides[0][0].charge_die == 7
    table.roll(*[1] * 11).roll(6, 1, 1, 1, 1)
    table.do("talisman").roll(3).do("revive black-knight-c4", "done")
    assert table.army(0) == ["black-knight-c4"]


def test_k43_a_dispelled_wall_gives_nothing() -> None:
    """K43, K46: walls stop counting by their caster; hits already absorbed stay absorbed."""
    table = sent("sand-worm-3", "", one="dispell-magic", three="wall-of-fire").do("pass").roll(6, 1).do("pass")
    table.do("line sand-worm-3 forest-1")
    assert table.asks == ("stop", 0)
    table.do("pass", "wall forest-1")
    assert table.asks == ("stop", 0)  # the wall can be answered
    table.do("pass").roll(6)
    assert table.asks == ("stop", 0)
    table.do("dispell 2")
    assert "forest-1" in table.lands(0)
    assert table.in_cup("wall-of-fire")


def test_k43_a_dispelled_golem_does_not_count() -> None:
    """K43, K44: by the side joined: the defender's golem neither fights nor holds the land."""
    table = sent("sand-worm-3", "", one="dispell-magic", three="golem")
    table.do("pass", "golem 1", "pass")
    while table.state.frames[-1].kind == "stop":
        table.do("pass")
    table.roll(6, 1)
    table.until(lambda t: t.state.frames[-1].kind == "line")
    table.do("line sand-worm-3 forest-1", "line golem forest-1", "dispell 1")
    table.until(lambda t: t.state.war is None or t.state.frames[-1].kind != "stop")
    assert "forest-1" in table.lands(0)


def test_k26_the_charm_among_the_owners() -> None:
    """K26, K42: the left player uses the charm that it drew."""
    table = fight("elves-3", "lucky-charm", "bear-2", "village", "city").do("commit elves-3", "done").roll(6, 1, 1)
    assert table.asks == ("charm", 1)
    table.do("charm -1 6").roll(6, 1)
    assert table.army(0) == []
    assert table.in_cup("lucky-charm")


def test_k40_not_golem_sword_or_bow() -> None:
    """K40: only characters come back."""
    table = sent("sand-worm-3 magic-sword", "walking-tree-5", one="talisman-of-deliverance").roll(6, 1)
    while table.state.frames[-1].kind == "line":
        table.do(next(a for a in table.legal() if a.endswith("forest-1")))
    table.do("bear magic-sword sand-worm-3").roll(1, 1, 1).roll(6, 6, 1, 1, 1)
    table.do("talisman").roll(6)
    assert [a for a in table.legal() if a.startswith("revive")] == ["revive sand-worm-3"]


@pytest.mark.parametrize(("answer", "asked"), [(0, True), (1, True), (3, False)])
def test_k10_in_my_battles(answer: int, asked: bool) -> None:
    """K10: "never ask me for the charm except in my battles"."""
    table = war(
        player("mountain-1", army="cyclops-5", gold=9, hand="lucky-charm", standing=answer),
        player("forest-1 plains-1", army="bear-2"),
    ).do("attack 1")
    send_all(table)
    table.roll(6, 1).do("line cyclops-5 forest-1", "line bear-2 forest-1").roll(1, 2, 3, 4, 5)
    assert (table.state.frames[-1].kind == "charm") == asked


def test_k3_a_captured_gran_muniment_without_castles() -> None:
    """K3, K39: the next lower level in the bank: a keep when there is no castle."""
    castles = " ".join(f"swamp-{n}:3" for n in range(1, 8))
    table = war(
        player("forest-1:4 mountain-1", army="cyclops-5 troll-4", gold=9),
        player("forest-2:4 desert-1"),
        player(castles),
    ).do("attack 1")
    send_all(table)
    table.roll(6, 1).do("line cyclops-5 forest-2", "line troll-4 forest-2")
    table.roll(6, 6, 6, 6, *[1] * 5).roll(1, 1, 1, 1).roll(2)
    assert table.fort("forest-2") == 2


def test_k11_in_the_middle_of_a_war() -> None:
    """K11: checked after every change: a Gran Muniment captured with enough prestige ends the game at once."""
    table = war(
        player("mountain-1 desert-2", army="cyclops-5 troll-4", gold=280),
        player("forest-2:4 desert-1", hand="elves-2"),
    ).do("attack 1")
    send_all(table)
    table.roll(6, 1).do("line cyclops-5 forest-2", "line troll-4 forest-2")
    table.roll(6, 6, 6, 6, *[1] * 5).roll(1, 1, 1, 1).roll(2)
    assert table.over.reason == "king"
    assert table.state.war is not None


def test_k53_homeless_after_a_trade() -> None:
    """K53, K13: whose land of a terrain is traded away loses its characters."""
    table = war(player("desert-1 forest-1", army="sand-worm-3 elves-2"), player("swamp-1"), options={"trading": True})
    table.do("trade 1", "give-gold 0", "give-land forest-1", "done", "done", "ask-gold 0", "done", "done", "accept")
    assert table.army(0) == ["sand-worm-3"]
    assert table.in_cup("elves-2")


def test_k37_the_owner_chooses() -> None:
    """K37, hits: any of the characters, one hit each; equal ones are one choice."""
    table = joined("cyclops-5", "ghosts-f1 ghosts-f1 bear-2 elves-2")
    table.roll(6, 6, 1, 1, 1).roll(*[1] * 6)
    assert table.legal() == ["hit elves-2", "hit bear-2", "hit ghosts-f1"]
    table.do("hit ghosts-f1")  # both ghosts: no other path is left
    table.roll(1).roll(2)
    assert table.army(1) == ["elves-2", "bear-2", "ghosts-f1"]


def test_k10_the_answer_stop_for_every_item() -> None:
    """K10, K43: whenever a magic item has just been played, the holder of dispell is asked."""
    for item, action in (("golem", "golem 1"), ("the-mist", "mist")):
        table = sent(two=item, three="dispell-magic")
        table.do(action)
        assert table.asks == ("stop", 2)
        assert table.state.frames[-1].data == ("answer",)


def test_k59_one_window_for_a_whole_roll() -> None:
    """K59: two dice, one charm stop, any of the two."""
    table = Table(player("desert-1", hand="lucky-charm", standing=2), player("forest-1"), frames=part(2, ["event", 0]))
    table.roll(3, 5)
    assert [a for a in table.legal() if a.startswith("charm")] == [
        "charm +1 1",
        "charm -1 1",
        "charm +1 2",
        "charm -1 2",
    ]


def test_k10_k46_a_wall_after_the_reveal() -> None:
    """K10, K46: after a battle's tiles are revealed and its swords and bows given, the holder of the wall is asked."""
    table = sent("sand-worm-3 magic-sword", "elves-2", three="wall-of-fire").roll(6, 1)
    while table.state.frames[-1].kind == "line":
        table.do(next(a for a in table.legal() if a.endswith("forest-1")))
    table.do("pass", "pass", "bear magic-sword sand-worm-3")
    assert table.asks == ("stop", 2)
    assert table.state.frames[-1].data == ("revealed",)
    table.do("wall forest-1").roll(3)
    assert table.rolls == "volley-dice"


def test_k56_the_rollers_lands_come_first() -> None:
    """K56: lands of the roller first, then clockwise."""
    table = Table(
        player("forest-1"),
        player("forest-2 desert-1"),
        player("forest-3"),
        frames=part(2, ["event", 1], seat=1),
        phase=2,
        acting=1,
    )
    table.roll(1, 1)
    order = []
    while table.state.frames[-1].kind == "roll":
        order.append(table.state.box.land_slug[int(table.state.frames[-1].data[2])])
        table.roll(1, 1)
    assert order == ["forest-2", "forest-3", "forest-1"]


def test_k49_no_sword_is_mustered_in_a_war_or_under_a_dispell() -> None:
    """K49, K43, K12: swords and bows enter in a mustering outside wars only, and not while dispelled."""
    table = war(
        player("desert-1", army="sand-worm-3 nomads-2", hand="magic-sword", gold=9),
        player("forest-1 plains-1", army="villain-2"),
    ).do("attack 1")
    send_all(table)
    table.roll(6, 1)
    table.do("line sand-worm-3 forest-1", "line nomads-2 plains-1", "line villain-2 plains-1", "battle forest-1")
    assert table.asks == ("muster", 0)
    assert "muster magic-sword" not in table.legal()
    steps = part(3, ["free-draw", 0])
    table = Table(player("desert-1", hand="magic-sword"), player("forest-1"), frames=steps).draw("city")
    assert "muster magic-sword" in table.legal()
    table = Table(
        player("desert-1", hand="magic-sword"),
        player("forest-1"),
        frames=steps,
        aside=["dispell-magic"],
        dispelled=0,
    ).draw("city")
    assert "muster magic-sword" not in table.legal()


def test_k40_no_more_than_the_die() -> None:
    """K40: up to the die's number."""
    table = sent("sand-worm-3 nomads-2", "walking-tree-5", one="talisman-of-deliverance").roll(6, 1)
    while table.state.frames[-1].kind == "line":
        table.do(next(a for a in table.legal() if a.endswith("forest-1")))
    table.roll(*[1] * 5).roll(6, 6, 1, 1, 1).do("talisman").roll(1).do("revive sand-worm-3")
    assert [a for a in table.legal() if not a.startswith(("cash", "give", "standing"))] == ["done"]
