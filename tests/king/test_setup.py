"""Inventory, set-up and the cups: sections inventory, pieces, setup, deck-contents; K1, K4 to K8."""

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from muniment.core.errors import EditionError, MunimentError
from muniment.games.king import King, KingOptions, read_edition, standard_edition
from muniment.games.king.tiles import CHARACTER, LAND, TERRAINS
from tests.king.scripts import Table, king, part, player

FILE = Path(read_edition.__code__.co_filename).parent / "tiles.toml"


def test_inventory() -> None:
    """inventory, pieces.support, pieces.land-deck, pieces.playing-deck: every list adds up to the printed numbers."""
    edition = standard_edition()
    sorts = Counter(kind.sort for kind in edition.tile)
    assert edition.deck_size == 124
    assert sorts[CHARACTER] == 90
    assert [sorts[sort] for sort in (1, 2, 3, 4, 5)] == [14, 5, 6, 9, 11]
    assert sorts[6] + sorts[7] == 54
    assert edition.forts == (0, 9, 7, 7, 4)
    assert edition.size + sum(edition.forts) + 60 == 276


@pytest.mark.parametrize(("name", "counts"), [("rulebook", [18, 17, 18, 18, 19]), ("counters", [18, 18, 18, 18, 18])])
def test_k1_editions(name: str, counts: list[int]) -> None:
    """K1, deck-contents, deck-contents.desert, deck-contents.mountain, deck-contents.forest, deck-contents.plains,
    deck-contents.swamp, deck-contents.other: the contents list as it stands, or five sets of 18."""
    tiles = standard_edition(name).tile
    found = Counter(kind.terrain for kind in tiles if kind.sort == CHARACTER)
    assert [found[t] for t in range(5)] == counts
    great_hawks = [kind for kind in tiles if kind.name == "Great Hawk"]
    assert len(great_hawks) == (name == "counters")


@pytest.mark.parametrize(
    ("slug", "label"),
    [
        ("sphinx-m4", "Sphinx ☆4"),
        ("black-knight-c4", "Black Knight C4"),
        ("giant-r4", "Giant R4"),
        ("ghosts-f1", "Ghosts ∞1"),
        ("walking-tree-5", "Walking Tree 5"),
        ("chest", "Chest (40)"),
    ],
)
def test_tiles_are_printed_so(slug: str, label: str) -> None:
    """pieces.terms, abilities: signs and values as printed."""
    edition = standard_edition()
    assert edition.kinds[edition.by_slug[slug]].label == label


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('name = "Sphinx"', 'nmae = "Sphinx"'), "'name' is missing"),
        (("tower = 9", "tower = -1"), "tower must be a whole number from 0 to 40, not -1"),
        (('role = "charm"', 'role = "luck"'), "role must be one of"),
        (('name = "Diamond"', 'name = "Chest"'), "two kinds of tile are both called chest"),
        (('name = "Diamond"', 'name = "Forest 2"'), "the tile forest-2 has the name of a land"),
        (("hand = 10", "hand = 10\nfoot = 1"), "'foot' is not known here"),
        (('role = "golem", value = 9', 'role = "golem"'), "'value' is missing"),
    ],
)
def test_faults_of_an_edition_are_named(change: tuple[str, str], message: str, tmp_path: Path) -> None:
    """K1: an edition is checked against its schema."""
    text = FILE.read_text(encoding="utf-8")
    assert change[0] in text
    file = tmp_path / "own.toml"
    file.write_text(text.replace(*change, 1), encoding="utf-8")
    with pytest.raises(EditionError, match=message.replace("(", r"\(")):
        read_edition(file)


def test_an_unknown_edition_is_named() -> None:
    """K1: choosing an edition that the file does not have."""
    with pytest.raises(EditionError, match="'mine' is missing"):
        read_edition(FILE, "mine")


def test_draws_are_uniform_over_the_tiles_in_the_cup() -> None:
    """K1: equal tiles are one outcome with their number as weight; returned tiles are in the cup at once."""
    table = Table(player("desert-1", hand="ghosts-f1 chest"), player("forest-1"), frames=part(3, ["free-draw", 0]))
    node = table.game.chance(table.state)
    chances = dict(node.probabilities())
    assert node.total == 122
    assert chances[table.game.parse_outcome("tile ghosts-f1")] == Fraction(3, 122)
    assert table.game.parse_outcome("tile chest") not in chances
    table.draw("village").do("cash chest")
    assert table.in_cup("chest")
    assert len(table.state.cup) == 122


@pytest.mark.parametrize("seats", [1, 5])
def test_k4_number_of_players(seats: int) -> None:
    """K4: 2 to 4 players."""
    with pytest.raises(MunimentError, match="2 to 4 players"):
        king().initial(seats)


def start(seats: int = 2) -> Table:
    table = Table(player("desert-1"), player("forest-1"))
    table.state = table.game.initial(seats)
    return table


def test_k6_gold_and_first_player() -> None:
    """K6, setup: two dice of gold each; the highest is first; a tie is rolled again for the seat alone."""
    table = start(3).roll(3, 4).roll(5, 6).roll(6, 5)
    assert table.state.gold == [7, 11, 11]
    assert table.rolls == "start-seat"
    table.roll(1, 1).roll(1, 1).roll(2, 1).roll(6, 6)
    assert table.state.gold == [7, 11, 11]
    assert table.state.first == 2


def test_k7_and_k8_the_deal() -> None:
    """K7, K8, setup: 10 tiles and 4 lands each from the first player on; instructions stay out; then the armies."""
    table = start().roll(6, 6).roll(1, 1)
    seat_0 = [
        "sphinx-m4",
        "ghosts-f1",
        "ghosts-f1",
        "city",
        "chest",
        "elves-2",
        "elves-3",
        "troll-4",
        "golem",
        "village",
    ]
    table.draw(*seat_0)
    assert table.hand(0) == sorted(seat_0, key=lambda slug: table.state.box.edition.by_slug[slug])
    table.draw("land-fight", "forest", "forest", "land-auction", "desert", "plains")
    assert table.lands(0) == ["forest-1", "forest-2", "desert-1", "plains-1"]
    outcomes = [o.notation for o in table.game.chance(table.state).outcomes]
    assert "tile village" in outcomes
    for _ in range(10):
        table.comes(table.game.chance(table.state).outcomes[0].notation)
    node = table.game.chance(table.state)
    weights = {o.notation: w for o, w in zip(node.outcomes, node.weights, strict=True)}
    assert weights["tile land-fight"] == 1  # of two, one is still out
    assert weights["tile land-auction"] == 3
    table.draw("swamp", "swamp", "swamp", "swamp")
    assert len(table.state.land_cup) == 54 - 8  # the instructions have returned
    assert table.asks == ("muster", 0)
    assert table.legal() == [
        "done",
        "muster sphinx-m4",
        "muster elves-3",
        "muster elves-2",
        "cash chest",
        "standing golem never",
    ]
    table.do("muster sphinx-m4", "muster elves-2")
    assert table.refused("muster elves-3") == "out-of-order"
    assert table.refused("muster ghosts-f1") == "no-land-of-its-terrain"
    assert table.refused("muster city") == "not-for-the-army"
    assert table.army(0) == []
    table.do("done")
    assert table.army(0) == ["sphinx-m4", "elves-2"]
    assert table.asks == ("muster", 1)


def test_example_1_robs_first_army() -> None:
    """setup, example 1: of Rob's hand the two Elves and the Centaur can be placed, Sphinx and Crocodile cannot."""
    table = Table(
        player(
            "forest-1 forest-2 mountain-1 plains-1",
            hand="city village the-mist ruby elves-3 elves-2 sphinx-m4 centaur-2 crocodile-2",
        ),
        player("desert-1"),
        frames=[["turn", -1], ["muster", 0]],
        turn=0,
    )
    assert [a for a in table.legal() if a.startswith("muster")] == [
        "muster elves-3",
        "muster elves-2",
        "muster centaur-2",
    ]
    table.do("muster elves-3", "muster elves-2", "muster centaur-2", "done")
    assert table.army() == ["elves-3", "elves-2", "centaur-2"]


def test_k5_an_empty_cup_yields_nothing() -> None:
    """K5: when a cup runs out, a draw yields nothing and the step goes on."""
    edition = standard_edition()
    deck = [k.slug for k, tiles in zip(edition.kinds, edition.tiles_of, strict=True) for _ in tiles if k.sort < 5]
    steps = part(3, ["free-draw", 0], ["land-draw", 0], ["free-draw", 0], ["purchase", 0])
    table = Table(player("desert-1"), player("forest-1", hand=" ".join(deck[1:])), frames=steps)
    table.draw("sphinx-m4").do("done").draw("desert").do("done")
    assert table.asks == ("purchase", 0)  # the second free draw yields nothing
    assert table.legal() == ["purchase 0"]


def test_k4_no_hand_limit_and_no_limit_of_lands() -> None:
    """K4: forty lands and a whole deck fit one player."""
    edition = standard_edition()
    lands = [slug for slug in edition.land_slugs if slug != "swamp-8"]
    hand = [
        f"{k.slug}#{n + 1}" if len(edition.tiles_of[i]) > 1 else k.slug
        for i, k in enumerate(edition.kinds[:-1])
        if k.sort < 5
        for n in range(len(edition.tiles_of[i]))
    ]
    table = Table(player(" ".join(lands), hand=" ".join(hand)), player("swamp-8"), frames=part(1, ["collect", 0]))
    assert table.state.gold[0] == 39
    assert len(table.hand()) == 124


def test_options_reach_the_edition() -> None:
    """K1: the option chooses the edition, and the digest tells them apart."""
    one, two = King(), King(options=KingOptions(edition="counters"))
    assert one.edition_digest != two.edition_digest
    assert two.option_values["edition"] == "counters"
    assert LAND == 6
    assert len(TERRAINS) == 5
