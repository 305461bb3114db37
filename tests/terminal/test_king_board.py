"""The boards of King of the Tabletop: all fits, and all that a view shows of others can be read off them."""

from collections.abc import Sequence
from typing import Any

import pytest
from rich.cells import cell_len
from rich.text import Text

from muniment.core.game import Decision
from muniment.games.king.views import KingView
from muniment.terminal.face import wrap
from muniment.terminal.king.board import overview, prestige_parts
from muniment.terminal.king.choices import Choice, list_lines
from muniment.terminal.king.names import Names, join_within, land_code, land_mark, plain
from muniment.terminal.king.pages import bank_page, land_page, lands_page, own_page, player_page
from muniment.terminal.king.warboard import battle_board, war_board
from muniment.terminal.screen import Line
from tests.king.scripts import Table, part, player
from tests.terminal.king_person import TERRAINS, crowded_game, crowded_position

PLAYERS = ("Leopoldina Maria", "Bo", "Cy", "Di")


def texts(lines: Sequence[Line]) -> list[str]:
    return [(line.plain if isinstance(line, Text) else line).rstrip() for line in lines]


@pytest.fixture(scope="module")
def crowd() -> tuple[KingView, Names]:
    game = crowded_game()
    state = game.state_from_json(crowded_position(game))
    return game.view(state, 0), Names(game.box, PLAYERS)


def test_four_players_of_twelve_lands_fit(crowd: tuple[KingView, Names]) -> None:
    view, names = crowd
    assert [len(lands) for lands in view.lands] == [12] * 4
    lines = texts(overview(view, names))
    assert len(lines) <= 12
    assert max(map(len, lines)) <= 80
    for seat in range(4):
        assert all(land_mark(view.box, land) in lines[2 + 2 * seat].split() for land in view.lands[seat])
        row = lines[1 + 2 * seat]
        assert [f" {number} " in f"{row} " for number in (view.gold[seat], view.prestige[seat])] == [True, True]
        assert f"{view.hand_sizes[seat]}" in row


def test_pages_are_no_wider_than_the_screen(crowd: tuple[KingView, Names]) -> None:
    view, names = crowd
    pages = [player_page(view, names, seat) for seat in range(4)]
    pages += [
        lands_page(view, names),
        own_page(view, names),
        bank_page(view, names),
        land_page(view, names, "forest-2"),
    ]
    assert [line for page in pages for line in texts(page) if len(line) > 80] == []
    assert all(len(page) <= 24 for page in pages[:4])


def test_wide_names_take_no_more_columns(crowd: tuple[KingView, Names]) -> None:
    view, _ = crowd
    lines = overview(view, Names(view.box, ("李" * 8, "Bo", "Cy", "Di")))
    assert max(cell_len(line) for line in texts(lines)) <= 80
    assert max(map(cell_len, wrap("李李李 gains a land. " * 20))) <= 80


def test_of_every_terrain_without_land_it_is_told_that_nobody_can_enter_the_army() -> None:
    hand = "baby-dragon-f3 dervishes-2 nomads-2 nomads-1 ranger-f2 bear-2"
    table = Table(player("forest-2", hand=hand), player("swamp-1"))
    lines = texts(own_page(table.game.view(table.state, 0), Names(table.game.box, PLAYERS)))
    assert sum("no land of yours" in line for line in lines) == 2
    assert max(map(len, lines)) <= 80


def test_prestige_adds_up(crowd: tuple[KingView, Names]) -> None:
    view, _ = crowd
    assert [sum(prestige_parts(view, seat)) for seat in range(4)] == list(view.prestige)


def test_what_stands_on_lands() -> None:
    table = Table(player("forest-2:3:city mountain-1::gold-mine desert-1", gold=5), player("swamp-1:1"))
    view = table.game.view(table.state, 0)
    names = Names(view.box, ("Ada", "Bo"))
    assert texts(overview(view, names))[2].split() == ["F2+3c", "M1G", "D1"]
    assert "castle, city" in "\n".join(texts(player_page(view, names, 0)))
    assert texts(land_page(view, names, "swamp-1"))[1] == " Tower stands there."
    assert texts(land_page(view, names, "swamp-7"))[1] == " Nobody holds it."


def test_no_board_of_a_seat_names_a_tile_hidden_from_it(crowd: tuple[KingView, Names]) -> None:
    view, names = crowd
    shown = {tile.tile for tile in view.tiles}
    hidden = {kind.slug for kind in view.box.edition.kinds if kind.sort == 0} - shown
    pages = [overview(view, names), lands_page(view, names), own_page(view, names)]
    pages += [player_page(view, names, seat) for seat in range(4)]
    told = "\n".join(line for page in pages for line in texts(page))
    assert len(hidden) > 10
    assert [slug for slug in hidden if names.tile(slug) in told] == []


WAR = (
    player("forest-1", army="elves-r3 bandits-2", gold=9),
    player("swamp-1:2 swamp-2 desert-1", army="ghosts-f1 slime-beast-4"),
)


def lined_up() -> Table:
    """Seat 0 attacks seat 1 at two of its lands; all are lined up."""
    table = Table(*WAR, turn=3, phase=4, frames=part(4, ["war", 0]))
    table.do("attack 1", "send elves-r3", "send bandits-2", "done").roll(5, 2)
    table.do("line elves-r3 swamp-1", "line bandits-2 swamp-2")
    return table.do("line slime-beast-4 swamp-1", "line ghosts-f1 swamp-2")


def test_the_war_board_expects_what_it_cannot_see() -> None:
    table = lined_up()
    view = table.game.view(table.state, 0)
    lines = texts(war_board(view, Names(view.box, ("Ada", "Bo"))))
    text = "\n".join(lines)
    assert "Ada attacks Bo" in lines[0]
    assert "initiative: Ada" in lines[0]
    assert "Elves R3" in text
    assert "face down" in text
    assert "Slime Beast" not in text
    assert "expected over" in text
    assert "not attacked: D1" in text
    assert max(map(len, lines)) <= 80


def test_a_war_at_twelve_lands_fits() -> None:
    twelve = " ".join(f"{terrain}-{number}" for terrain in TERRAINS for number in (1, 2))
    army = "elves-r3 bandits-2 goblins-1 goblins-1 goblins-1 giant-snake-3 crocodile-2 crocodile-2 farmers-1 farmers-1"
    table = Table(
        player("forest-5 mountain-5 swamp-5 plains-5", army=army, gold=99), player(twelve, army="wolf-pack-4"),
        turn=3, phase=4, frames=part(4, ["war", 0]),
    )  # fmt: skip
    table.do("attack 1")
    while isinstance(table.pending, Decision):
        table.do(next((text for text in table.legal() if text != "done"), "done"))
    table.roll(5, 2)
    used: set[str] = set()
    while table.asks[0] == "line" and table.asks[1] == 0:
        text = next(text for text in table.legal() if text.split()[-1] not in used)
        used.add(text.split()[-1])
        table.do(text)
    assert len(used) == 10
    view = table.game.view(table.state, 1)
    lines = texts(war_board(view, Names(view.box, ("Ada", "Bo"))))
    assert len(lines) <= 12
    assert max(map(len, lines)) <= 80
    assert "more lands; war lists them all" in "\n".join(lines)
    assert len(war_board(view, Names(view.box, ("Ada", "Bo")), 60)) >= 13


def test_the_battle_board_stage_by_stage() -> None:
    table = lined_up().do("battle swamp-1")
    view = table.game.view(table.state, 0)
    lines = texts(battle_board(view, Names(view.box, ("Ada", "Bo"))))
    assert "battle for Swamp 1" in lines[0]
    assert lines[1].startswith(" forts ■■  2 of 2 left (keep 2)")
    assert lines[2] == " Ada attacks with 1 · ranged 3 dice on 6"
    assert lines[4] == " Bo defends with 1 · hand to hand 6 dice on 6"
    table.roll(6, 6, 6)
    view = table.game.view(table.state, 0)
    assert "nobody left" in "\n".join(texts(battle_board(view, Names(view.box, ("Ada", "Bo")))))


@pytest.mark.parametrize("number", [1, 4, 5, 12, 30, 200])
@pytest.mark.parametrize("room", [2, 5, 9])
def test_lists_of_choices_fit_and_pages_hold_all(number: int, room: int) -> None:
    choices = [Choice(n, Any, f"place City on F{n}", "replaces village") for n in range(1, number + 1)]  # type: ignore[arg-type]
    pages = list_lines(choices, room)[1]
    told = []
    for page in range(pages):
        lines = texts(list_lines(choices, room, page)[0])
        assert len(lines) <= max(room, 1)
        assert max(map(len, lines)) <= 80
        told += lines
    assert [n for n in range(1, number + 1) if f"{n} place City on F{n} " not in "\n".join(told)] == []


def test_small_words() -> None:
    assert land_code("forest-12") == "F12"
    assert plain("Fort  Forest-2") == "fort f2"
    assert join_within(["Elves", "Ogres", "Goblins"], 16) == "Elves, Ogres +1"
