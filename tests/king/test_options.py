"""The optional rules: sections options and its four parts; K50 to K53, K60."""

from fractions import Fraction

from tests.king.scripts import Table, part, player
from tests.king.test_war import joined, send_all, war


def dice(table: Table) -> list[tuple[int, int]]:
    """The groups of dice about to be thrown: number and threshold."""
    args = [int(a) for a in table.game.chance(table.state).outcomes[0].args]
    return [(sum(args[at + 1 : at + 5]), args[at]) for at in range(0, len(args), 5)]


def test_k50_royal_influence() -> None:
    """K50, options.royal-influence, specials.elf-lord, specials.dwarf-king: elves with him +1, against him -1."""
    options = {"royal_influence": True}
    table = joined("elf-lord elves-3", "elf-mage-m2", options=options)
    table.roll(1, 1, 1, 1, 1, 1)
    assert dice(table) == [(4, 6)]
    table.roll(1, 1, 1, 1)
    assert dice(table) == [(1, 5)]
    table = joined("dwarves-2", "dwarf-king dwarves-3", options=options)
    assert dice(table) == [(1, 6)]
    assert dice(joined("dwarves-2", "dwarf-king dwarves-3")) == [(2, 6)]


def test_k51_terrain_bonus() -> None:
    """K51, options.terrain-bonus: +1 on land of its own terrain, attack or defence."""
    table = joined("elves-3 troll-4", "wildcat-3", options={"terrain_bonus": True})
    assert dice(table) == [(4 + 4, 6)]
    table.roll(*[1] * 8)
    assert dice(table) == [(4, 6)]


def reserves(**dice: object) -> Table:
    table = war(
        player("desert-1 swamp-1", army="sand-worm-3 vultures-f1 arch-mage", gold=9),
        player("forest-1 plains-1", army="pixies-f1 elves-2"),
        options={"army_reserves": True},
    ).do("attack 1")
    send_all(table)
    return table


def test_k52_army_reserves() -> None:
    """K52, options.army-reserves: flying or special, face up, paid and counted; the attacker first, then the defender;
    after line-up a second roll without modifiers, the higher lines up his reserves first, at any of the lands."""
    table = reserves()
    assert table.asks == ("reserve", 0)
    assert table.legal() == ["done", "reserve vultures-f1", "reserve arch-mage"]
    table.do("reserve vultures-f1", "done")
    assert table.asks == ("reserve", 1)
    assert [t.tile for t in table.game.view(table.state, 1).tiles if t.seat == 0 and t.place == 254] == ["vultures-f1"]
    table.do("reserve pixies-f1", "done")
    table.roll(1, 6).do("stand")
    assert table.legal() == ["line elves-2 forest-1", "line elves-2 plains-1"]
    table.do("line elves-2 forest-1", "line sand-worm-3 forest-1", "line arch-mage forest-1")
    assert table.rolls == "reserve-dice"
    table.roll(2, 2).roll(5, 2)
    assert table.asks == ("line", 0)
    table.do("line vultures-f1 plains-1", "line pixies-f1 forest-1")
    assert table.legal() == ["battle forest-1", "battle plains-1"]


def test_k52_they_run_home_with_the_army() -> None:
    """K52, K29: running away takes the reserves home."""
    table = reserves().do("reserve arch-mage", "done", "done").roll(1, 6).do("run")
    assert len(table.army(0)) == 3
    assert table.state.place[table.state.box.tiles_named("arch-mage")[0]] == 255


def test_k52_one_side_only() -> None:
    """K52: with reserves on one side there is nothing to roll for."""
    table = reserves().do("reserve arch-mage", "done", "done").roll(6, 1)
    table.do(
        "line sand-worm-3 forest-1", "line vultures-f1 forest-1", "line elves-2 forest-1", "line pixies-f1 forest-1"
    )
    assert table.legal() == ["line arch-mage forest-1", "line arch-mage plains-1"]


def trade(one: dict[str, object], two: dict[str, object], *more: dict[str, object]) -> Table:
    return war(one, two, *more, options={"trading": True})


def test_k53_a_deal() -> None:
    """K53, options.trading: instead of war; lands with all that stands on them, characters to the hand."""
    table = trade(
        player("desert-1 forest-1:2:city", army="sand-worm-3 arch-mage", hand="chest", gold=5),
        player("swamp-1 swamp-2", army="ghosts-f1 grand-duke", gold=12),
    )
    table.do(
        "trade 1", "give-gold 2", "give-land forest-1", "done", "give-tile sand-worm-3", "give-tile arch-mage", "done"
    )
    table.do("ask-gold 12", "ask-land swamp-2", "done", "ask-special grand-duke", "done")
    assert table.asks == ("deal", 1)
    table.do("accept")
    assert table.state.gold == [15, 2]
    assert table.lands(0) == ["desert-1", "swamp-2"]
    assert table.lands(1) == ["swamp-1", "forest-1"]
    assert (table.fort("forest-1"), table.improvement("forest-1")) == (2, "city")
    assert table.army(0) == ["grand-duke"]
    assert table.army(1) == ["ghosts-f1", "arch-mage"]
    assert table.hand(1) == ["sand-worm-3"]
    assert table.state.worth == [2, 6]


def test_k53_k60_counter_offers() -> None:
    """K53, K60: accepted, declined or countered, at most three times."""
    table = trade(player("desert-1", gold=5), player("swamp-1", hand="ruby"), player("forest-1"))
    table.do("trade 1", "give-gold 5", "done", "done", "ask-gold 0", "done", "done")
    assert table.asks == ("deal", 1)
    table.do("counter", "give-gold 0", "done", "give-tile ruby", "done", "ask-gold 5", "done", "done")
    assert table.asks == ("deal", 0)
    assert table.game.view(table.state, 0).hidden[0].known == ("ruby",)  # it has been shown
    assert table.game.view(table.state, 2).hidden[1].known == ()
    table.do("accept")
    assert table.hand(0) == ["ruby"]
    assert table.happened("deal")[-1]["answer"] == "accept"


def test_k60_at_most_three_counter_offers() -> None:
    """K60: then only yes or no."""
    table = trade(player("desert-1", gold=5), player("swamp-1", gold=5))
    table.do("trade 1", "give-gold 1", "done", "done", "ask-gold 0", "done", "done")
    for _ in range(3):
        table.do("counter", "give-gold 1", "done", "done", "ask-gold 0", "done", "done")
    assert table.legal() == ["accept", "decline"]
    assert table.refused("counter") == "too-many-offers"


def test_k53_a_second_gran_muniment_and_a_seat_without_land() -> None:
    """K53, K39, K14: a second Gran Muniment is reduced; who is left without land is out."""
    table = trade(player("desert-1:4"), player("swamp-1:4"), player("forest-1"))
    table.do("trade 1", "give-gold 0", "give-land desert-1", "done", "done", "ask-gold 0", "done", "done", "accept")
    assert table.fort("desert-1") == 3
    assert not table.state.alive(0)


def test_k53_a_deal_that_fell_through() -> None:
    """K53: what has been spent meanwhile cannot be traded."""
    table = trade(player("desert-1", hand="ruby"), player("swamp-1", gold=3))
    table.do("trade 1", "give-gold 0", "done", "give-tile ruby", "done", "ask-gold 3", "done", "done")
    table.do("cash ruby", seat=0)
    assert table.refused("accept") == "deal-fell-through"
    table.do("decline")


def test_k53_not_without_the_option() -> None:
    """K53, etiquette: without the option tiles are not traded, nor gold lent."""
    table = war(player("desert-1", army="sand-worm-3", gold=5), player("swamp-1"))
    assert table.refused("trade 1") == "no-trading"


def test_k60_turn_limit() -> None:
    """K60: the most prestige wins, then the most gold, then it is shared."""

    def end(one: dict[str, object], two: dict[str, object]) -> list[Fraction]:
        table = Table(one, two, frames=part(4, ["deeds", -1]), phase=4, turn=7, options={"turn_limit": 7})
        assert table.over.reason == "turn-limit"
        return list(table.over.returns)

    assert end(player("desert-1 desert-2"), player("forest-1")) == [1, 0]
    assert end(player("desert-1"), player("forest-1", gold=3)) == [0, 1]
    assert end(player("desert-1"), player("forest-1")) == [Fraction(1, 2), Fraction(1, 2)]
