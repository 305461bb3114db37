"""The printed cards: every fact transcribed by hand from the table of the cards, not from the engine's own file."""

from importlib.resources import files

import pytest

from muniment.core.errors import EditionError
from muniment.games.siege import load_edition, standard_edition
from muniment.games.siege.edition import (
    Collapse,
    Drm,
    EventEffect,
    Only,
    StatusChange,
    TrebuchetAttack,
    TrebuchetChange,
)

ATTACK = (TrebuchetAttack(),)
L, B, T = ("ladders", "battering ram", "siege tower")

# card, day, title, action points, who advances, events
PRINTED: list[tuple[int, int, str, int, list[str], tuple[EventEffect, ...]]] = [
    (1, 1, "Trebuchet Attack", 3, [], ATTACK),
    (1, 2, "Trebuchet Attack", 2, [], ATTACK),
    (1, 3, "Trebuchet Attack", 1, [], ATTACK),
    (2, 1, "Illness", 2, [T], (StatusChange(1, -1), StatusChange(2, -1))),
    (2, 2, "Guards Distracted", 2, ["slowest"], (Drm("sabotage", 1), Drm("rally", 1))),
    (2, 3, "Trebuchet Attack", 1, [], ATTACK),
    (3, 1, "Supplies Spoiled", 2, [L], (StatusChange(2, -1),)),
    (3, 2, "Bad Weather", 2, [], (Only(("supply_raid", "sabotage")),)),
    (3, 3, "Boiling Oil", 2, [L, B], (Drm("circle", 2),)),
    (4, 1, "Death of a Leader", 2, [L, T], (StatusChange(1, -1),)),
    (4, 2, "Gate Fortified", 2, [L, B], (Drm("battering_ram", 1),)),
    (4, 3, "Flaming Arrows", 3, [T], (Drm("siege_tower", 1),)),
    (5, 1, "Volley of Arrows", 3, [B], (Drm("all_attacks", 1),)),
    (5, 2, "Collapsed!", 2, [L, B], (Collapse(2),)),
    (5, 3, "Repaired Trebuchet", 2, [L], (TrebuchetChange(1), Drm("coupure", 1))),
    (6, 1, "Cover of Darkness", 3, ["slowest"], (Drm("supply_raid", 1), Drm("sabotage", 1))),
    (6, 2, "Enemy Fatigue", 3, [L], (Drm("coupure", 1), Drm("supply_raid", 1), Drm("sabotage", 1))),
    (6, 3, "Rally!", 3, [B, T], (Drm("close_combat", 1), Drm("circle", 1))),
    (7, 1, "Determined Enemy", 2, [B], (Drm("battering_ram", -1),)),
    (7, 2, "Iron Shields", 2, [T], (Drm("siege_tower", -1),)),
    (7, 3, "Faith", 3, [L, B, T], (Drm("battering_ram", 1), Drm("ladders", 1), Drm("rally", 1))),
]


@pytest.mark.parametrize(("number", "day", "title", "actions", "orders", "events"), PRINTED)
def test_a_printed_division(
    number: int, day: int, title: str, actions: int, orders: list[str], events: tuple[EventEffect, ...]
) -> None:
    """2.1, 2.1.2, 2.1.3, 2.1.4: each card has a number, and a title, AP, orders and events for each of three days."""
    card = standard_edition().cards[number - 1]
    division = card.divisions[day - 1]
    names = ("ladders", "battering ram", "siege tower")
    assert card.number == number
    assert (division.title, division.actions) == (title, actions)
    assert (["slowest"] if division.slowest else [names[unit] for unit in division.orders]) == orders
    assert sorted(map(repr, division.events)) == sorted(map(repr, events))
    assert standard_edition().division(number - 1, day) is division


def test_the_whole_table_of_cards_is_checked() -> None:
    """2.0, 2.1: seven event cards, three divisions each."""
    assert len(standard_edition().cards) == 7
    assert len({(row[0], row[1]) for row in PRINTED}) == 7 * 3


def test_illness_strikes_morale_before_supplies() -> None:
    """S5: the events of Illness come in this order."""
    assert standard_edition().division(1, 1).events == (StatusChange(1, -1), StatusChange(2, -1))


def test_the_two_track_cards() -> None:
    """2.2, 2.2.1, 2.2.2, 2.2.3, 2.3, 2.3.1: strengths 2, 3, 4, and 4; 3 trebuchets; status 4; raised at 5."""
    edition = standard_edition()
    assert edition.name == "standard"
    assert edition.strength == (2, 3, 4)
    assert edition.close_combat_strength == 4
    assert edition.start_trebuchets == 3
    assert edition.start_status == (4, 4, 4)
    assert (edition.raise_wall_at, edition.raise_morale_at) == (5, 5)


def test_four_trebuchet_attacks() -> None:
    """7.2: there are 4 Trebuchet Attack events in the game."""
    cards = standard_edition().cards
    attacks = [(c.number, day) for c in cards for day in (1, 2, 3) if c.divisions[day - 1].is_trebuchet_attack]
    assert attacks == [(1, 1), (1, 2), (1, 3), (2, 3)]


def test_what_a_division_says_of_itself() -> None:
    """7.1, S2: limits and modifiers are read off the card; those on the same roll are all found."""
    edition = standard_edition()
    assert edition.division(2, 2).only == ("supply_raid", "sabotage")
    assert edition.division(2, 1).only is None
    assert edition.division(6, 3).drms("ladders", "circle") == [1]
    assert edition.division(6, 3).drms("ladders", "battering_ram") == [1, 1]
    assert edition.division(6, 3).drms("siege_tower", "coupure") == []


def test_the_standard_edition_loads_from_a_path_too(tmp_path_factory: pytest.TempPathFactory) -> None:
    text = files("muniment.games.siege").joinpath("cards.toml").read_text(encoding="utf-8")
    path = tmp_path_factory.mktemp("edition") / "copy.toml"
    path.write_text("# another comment\n" + text, encoding="utf-8")
    assert load_edition(path) == standard_edition(), "comments do not change an edition or its digest"
    path.write_text(text.replace('"Faith"', '"Hope"'), encoding="utf-8")
    assert load_edition(path).digest != standard_edition().digest
    with pytest.raises(EditionError):
        load_edition(path.with_name("missing.toml"))
