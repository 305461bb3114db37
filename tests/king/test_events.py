"""Events: sections events and all its rows; K19 to K22, K56, and what K3, K13 and K14 make of disasters."""

import pytest

from muniment.games.king.events import event_of
from tests.king.scripts import Table, part, player

PRINTED = {
    (1, 1): "forest-fire",
    (1, 2): "forest-fire",
    (1, 3): "prairie-fire",
    (1, 4): "prairie-fire",
    (2, 1): "floods",
    (2, 2): "floods",
    (2, 3): "earthquakes",
    (2, 4): "earthquakes",
    (3, 1): "sandstorms",
    (3, 2): "sandstorms",
    (3, 3): "willing-workers",
    (3, 4): "willing-workers",
    (4, 1): "good-omen",
    (4, 2): "good-omen",
    (4, 3): "mother-lode",
    (4, 4): "mother-lode",
    (5, 1): "pennies-from-heaven",
    (5, 2): "pennies-from-heaven",
    (5, 3): "d6-tax-law",
    (5, 4): "d6-tax-law",
    (6, 1): "good-harvest",
    (6, 2): "good-harvest",
    (6, 3): "good-harvest",
    (6, 4): "good-harvest",
    (6, 5): "black-plague",
    (6, 6): "smallpox",
}


def test_the_printed_table() -> None:
    """events, K19: the eighteen printed rows."""
    for first in range(1, 7):
        for second in range(1, 7):
            assert event_of(first, second) == PRINTED.get((first, second), "no-event")


def event(first: int, second: int, *players: dict[str, object], **rest: object) -> Table:
    """A table after seat 0's event dice."""
    table = Table(*players, frames=part(2, ["event", 0]), phase=2, **rest)  # type: ignore[arg-type]
    return table.roll(first, second)


@pytest.mark.parametrize(
    ("dice", "terrain"),
    [((1, 1), "forest"), ((1, 3), "plains"), ((2, 1), "swamp"), ((2, 3), "mountain"), ((3, 1), "desert")],
)
def test_k19_disasters_strike_every_land_of_the_terrain(dice: tuple[int, int], terrain: str) -> None:
    """K19, K56, events.forest-fire, events.prairie-fire, events.floods, events.earthquakes, events.sandstorms: each
    land, the roller's first, in the order acquired; only a 7 strikes; the fort drops, even saves an improvement."""
    other = "desert" if terrain != "desert" else "forest"
    table = event(
        *dice,
        player(f"{terrain}-3:2:village {terrain}-1 {other}-1"),
        player(f"{terrain}-2:0:city {other}-2"),
    )
    assert table.state.frames[-1].data[2] == table.state.box.land_named[f"{terrain}-3"]
    table.roll(3, 4)
    assert table.fort(f"{terrain}-3") == 1
    assert table.rolls == "disaster-save"
    table.roll(4)
    assert table.improvement(f"{terrain}-3") == "village"
    table.roll(5, 3)
    assert f"{terrain}-1" in table.lands(0)
    table.roll(6, 1).roll(3)
    assert table.lands(1) == [f"{other}-2"]  # the city is lost, and nothing is left
    assert table.in_land_cup(f"{terrain}-2")
    assert table.in_cup("city")


def test_k19_mines_only_in_earthquakes() -> None:
    """K19, events.earthquakes: a mine rolls to be saved as a settlement does."""
    table = event(2, 3, player("mountain-1:0:gold-mine desert-1"), player("swamp-1")).roll(3, 4).roll(1)
    assert table.lands(0) == ["desert-1"]
    assert table.in_cup("gold-mine")


def test_k19_k3_a_fort_drops_to_what_the_bank_has() -> None:
    """K3: the next lower level that the bank can supply; here no keep is left, so a castle becomes a tower."""
    keeps = " ".join(f"plains-{n}:2" for n in range(1, 8))
    table = event(1, 1, player("forest-1:3"), player(keeps)).roll(3, 4)
    assert table.fort("forest-1") == 1
    towers = " ".join(f"plains-{n}:1" for n in range(1, 9)) + " swamp-1:1"
    table = event(1, 1, player("forest-1:2 desert-1"), player(towers)).roll(3, 4)
    assert table.fort("forest-1") == 0
    assert table.lands(0) == ["desert-1"]  # and with it the land


def test_k56_k13_k14_each_land_is_settled_before_the_next() -> None:
    """K56, K13, K14: homeless characters and eliminated players at once."""
    table = event(
        1,
        1,
        player("forest-1 forest-2 desert-1", army="elves-2 sphinx-m4"),
        player("forest-3", army="druid-m3"),
        player("swamp-1"),
    )
    table.roll(3, 4)
    assert table.army(0) == ["sphinx-m4", "elves-2"]
    table.roll(3, 4)
    assert table.army(0) == ["sphinx-m4"]  # the last forest is gone
    assert table.in_cup("elves-2")
    table.roll(3, 4)
    assert not table.state.alive(1)
    assert table.in_cup("druid-m3")


def test_k20_willing_workers() -> None:
    """K20, events.willing-workers: a fort that can be improved, also one built this turn, mandatory."""
    table = event(3, 3, player("forest-1:1 forest-2", gold=0), player("swamp-1"), built=["forest-1"])
    assert table.asks == ("workers", 0)
    assert table.legal() == ["improve forest-1"]
    assert table.refused("improve forest-2") == "forts-first"
    table.do("improve forest-1")
    assert table.fort("forest-1") == 2


def test_k20_without_forts_a_tower() -> None:
    """K20: a tower on any land."""
    table = event(3, 3, player("forest-1 forest-2"), player("swamp-1")).do("improve forest-2")
    assert table.fort("forest-2") == 1


def test_k20_nothing_to_improve_10_gold() -> None:
    """K20: only a Gran Muniment, which cannot be improved: 10 gold."""
    table = event(3, 3, player("forest-1:4 forest-2"), player("swamp-1"))
    assert table.state.gold[0] == 10


def test_good_omen_and_gold() -> None:
    """events.good-omen, events.pennies-from-heaven, events.d6-tax-law, K12: a tile and mustering; gold."""
    table = event(4, 1, player("forest-1"), player("swamp-1")).draw("elves-2").do("muster elves-2", "done")
    assert table.army() == ["elves-2"]
    assert event(5, 1, player("forest-1"), player("swamp-1")).state.gold[0] == 1
    assert event(5, 3, player("forest-1"), player("swamp-1")).roll(5).state.gold[0] == 5


def test_k22_mother_lode_and_good_harvest() -> None:
    """K22, events.mother-lode, events.good-harvest: twice the mines; the income again."""
    lands = "mountain-1:1:gold-mine mountain-2:0:silver-mine forest-1:0:city"
    assert event(4, 3, player(lands), player("swamp-1")).state.gold[0] == 12
    assert event(6, 4, player(lands, army="dwarf-king"), player("swamp-1")).state.gold[0] == 3 + 1 + 4 + 2 + 2 + 1


def test_k21_black_plague() -> None:
    """K21, events.black-plague: the largest army in tiles; a die each, odd kills; swords, Sword Master too."""
    table = event(
        6,
        5,
        player("forest-1", army="elves-2"),
        player("swamp-1", army="ghosts-f1 magic-sword sword-master"),
        player("desert-1"),
    )
    assert table.state.frames[-1].seat == 1
    table.roll(2).roll(1).roll(3)
    assert table.army(1) == ["ghosts-f1"]
    assert table.in_cup("magic-sword")
    assert table.in_cup("sword-master")
    assert table.army(0) == ["elves-2"]


def test_k21_a_tie_is_rolled_off() -> None:
    """K21, questions: two dice each, the high roller suffers; equal high rolls again."""
    table = event(6, 5, player("forest-1", army="elves-2"), player("swamp-1", army="ghosts-f1"), player("desert-1"))
    assert table.rolls == "plague-off"
    table.roll(3, 3).roll(2, 4).roll(1, 1).roll(2, 1)
    table.roll(5)
    assert table.army(1) == []
    assert table.army(0) == ["elves-2"]


def test_k21_all_armies_empty() -> None:
    """K21: nothing happens."""
    table = event(6, 5, player("forest-1"), player("swamp-1"))
    assert not table.happened("plague")
    assert table.happened("event")[0]["event"] == "black-plague"


def test_k21_smallpox() -> None:
    """K21, events.smallpox: every tile of every army, a 7 on two dice kills."""
    table = event(6, 6, player("forest-1", army="elves-2 elves-3"), player("swamp-1", army="ghosts-f1 arch-mage"))
    table.roll(3, 4).roll(3, 3).roll(1, 1).roll(6, 1)
    assert (table.army(0), table.army(1)) == (["elves-2"], ["ghosts-f1"])
    assert table.in_cup("arch-mage")


def test_k21_no_charm_at_death_rolls() -> None:
    """K21: neither charm nor talisman applies to plague and smallpox, whatever the standing answer."""
    table = event(6, 6, player("forest-1", army="elves-2", hand="lucky-charm", standing=2), player("swamp-1"))
    assert table.asks == ("charm", 0)  # the event dice can be charmed
    table.do("pass").roll(3, 4)
    assert table.army(0) == []
