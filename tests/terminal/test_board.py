"""The board of 9 Card Siege: everything the view holds can be read off it, also without colour."""

from pathlib import Path
from typing import Any

import pytest
from rich.text import Text

from muniment.games.siege import Siege, load_edition, standard_edition
from muniment.games.siege.printed import event_words, order_words
from muniment.terminal.siege import SiegeFace


def board(position: dict[str, Any], game: Siege | None = None) -> list[str]:
    game = game or Siege()
    lines = SiegeFace(game).board(game.view(game.state_from_json(position)))
    return [line.plain if isinstance(line, Text) else line for line in lines]


def test_the_whole_board(full_position: dict[str, Any]) -> None:
    full_position.update(units={"ladders": 3, "battering_ram": "close combat", "siege_tower": "removed"}, wall=4)
    full_position.update(soldiers="enemy lines", raided=2, free_move="entered", boiling_water_used=True)
    assert [line.rstrip() for line in board(full_position)] == [
        "─ 9 Card Siege ────────────────────────────────────── day 3 of 3 · turn 6 of 7 ─",
        " enemy    strength start   3     2     1     close combat      fortress",
        " ladders        2  [ ]───[◆]───[ ]───( )─→   [battering ram]   wall 5+   ■■■■ 4",
        " battering ram  3  [ ]───[ ]───[ ]───( )─→   [             ]   morale 5+ ■□□□ 1",
        " siege tower    4  has left the game         strength 4        supplies  ■□□□ 1",
        " trebuchets     2  ▲ ▲",
        " tunnel   castle[ ]──near[ ]──far[ ]──enemy lines[◆]      raided supplies [■][■]",
        "─ card 7 · Faith ─────────────────────────────────────────────── ●●● 3 AP left ─",
        " +1 on battering ram, +1 on ladders, +1 on rally. Advance: ladders, battering",
        "   ram, siege tower.",
        " used: [ ] additional action  [x] free movement (entered)  [x] boiling water",
        " cards left: 1 Trebuchet Attack",
    ]


def test_three_units_in_close_combat_are_shown(full_position: dict[str, Any]) -> None:
    full_position.update(units=dict.fromkeys(full_position["units"], "close combat"), step="over", result="overrun")
    full_position.update(action_points=0)
    lines = board(full_position)
    assert [
        name in line[45:] for name, line in zip(("ladders", "battering ram", "siege tower"), lines[2:5], strict=True)
    ]


@pytest.mark.parametrize(
    ("card", "day", "words"),
    [
        (1, 1, "All trebuchets fire. Nobody advances."),
        (2, 1, "Morale -1, supplies -1. Advance: siege tower."),
        (2, 2, "+1 on sabotage, +1 on rally. The slowest advance."),
        (3, 2, "Only supply raid and sabotage possible. Nobody advances."),
        (5, 2, "Siege tower on its start leaves the game. Advance: ladders, battering ram."),
        (5, 3, "Trebuchets +1, +1 on coupure. Advance: ladders."),
        (7, 1, "-1 on battering ram. Advance: battering ram."),
    ],
)
def test_events_and_orders_in_words(card: int, day: int, words: str) -> None:
    division = standard_edition().division(card - 1, day)
    assert f"{event_words(division)} {order_words(division)}" == words


def test_a_crowded_edition_still_fits(full_position: dict[str, Any], tmp_path: Path) -> None:
    title = "A Title That Is Quite As Long As Anybody Would Ever Want It"
    event = "{ drm = 1, on = 'close_combat' }"
    day = f"{{ title = '{title}', actions = 6, orders = ['ladders'], events = [{', '.join([event] * 8)}] }}"
    cards = "".join(f"[[card]]\nnumber = {n}\nday1 = {day}\nday2 = {day}\nday3 = {day}\n" for n in range(1, 10))
    (tmp_path / "wide.toml").write_text(
        "name = 'wide'\n[strength]\nladders = 2\nbattering_ram = 3\nsiege_tower = 4\nclose_combat = 4\n"
        "[start]\ntrebuchets = 3\nwall = 4\nmorale = 4\nsupplies = 4\n[raise_at_least]\nwall = 5\nmorale = 5\n" + cards
    )
    game = Siege(load_edition(tmp_path / "wide.toml"))
    lines = board({**full_position, "deck": [1, 2, 3, 4, 5, 6, 8, 9]}, game)
    assert len(lines) <= 12
    assert [line for line in lines if len(line.rstrip()) > 80] == []
