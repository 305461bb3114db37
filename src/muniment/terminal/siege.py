"""The face of 9 Card Siege: the two track cards, the card in play and the words for them, from the view alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from muniment.core.errors import MunimentError, NotationError
from muniment.core.events import Event
from muniment.core.game import Action, Over
from muniment.core.odds import Odds
from muniment.games.siege import Siege
from muniment.games.siege.actions import ACTIONS, SiegeAction
from muniment.games.siege.endings import ENDINGS, WON
from muniment.games.siege.outcomes import SiegeOutcome
from muniment.games.siege.printed import event_words, order_words
from muniment.games.siege.state import DRAW, FREE_MOVE_ENTERED, FREE_MOVE_LEFT, OVER
from muniment.games.siege.terms import (
    CIRCLE,
    CLOSE_COMBAT,
    DAYS,
    MAX_CLOSE_COMBAT,
    MAX_RAIDED,
    MAX_STATUS,
    MORALE,
    REMOVED,
    START,
    STATUS_NAMES,
    TUNNEL_NAMES,
    UNIT_NAMES,
    UNITS,
    WALL,
)
from muniment.games.siege.view import SiegeView
from muniment.terminal.face import Face, keep_together, rule_line, wrap
from muniment.terminal.screen import WIDTH, Line

__all__ = ["SiegeFace"]

_ENEMY: Final = "bold red"
_OURS: Final = "bold cyan"
_HEAD: Final = "dim"
_LEVELS: Final = ("bold red", "bold red", "bold yellow", "bold green", "bold green")  # of a status track
_LINES: Final = 12  # of the board
_CLOSE_COMBAT_COLUMN: Final = 45
_STATUS_COLUMN: Final = 63
_NEW_LINES: Final = ("action", "card", "day-ends", "over")


class SiegeFace(Face):
    """Draws 9 Card Siege."""

    def __init__(self, game: Siege) -> None:
        self.game: Siege = game

    def board(self, view: SiegeView) -> list[Line]:
        """The table in 12 lines: tracks, status and tunnel, then the card, its event, this turn and what is to come."""
        turn = f"day {view.day} of {DAYS} · turn {min(view.turn, len(view.edition.cards))} of {len(view.edition.cards)}"
        lines = [rule_line(self.game.facts.title, turn), *_tracks(view), _tunnel(view), *_card(view)]
        return [*lines, *_to_come(view, _LINES - len(lines))]

    def known_actions(self, view: SiegeView) -> Sequence[SiegeAction]:
        """All of them."""
        return ACTIONS

    def odds(self, view: SiegeView, action: Action) -> Odds | None:
        """From the rules, exact."""
        assert isinstance(action, SiegeAction)
        return self.game.odds(view, action)

    def decides(self, effect: str) -> str:
        """An ending's own words tell."""
        for code, ending in ENDINGS.items():
            if effect == ending.words:
                return "won" if code == WON else "lost"
        return ""

    def wanted(self, view: SiegeView) -> str:
        """A card's printed number or a die's face."""
        if view.step == DRAW:
            numbers = " ".join(str(view.edition.cards[index].number) for index in view.cards_left)
            return f"Draw the top card and type its number ({numbers})"
        what = {"line-check": "the enemy line check", "trebuchets": "the last trebuchet"}.get(view.awaited.kind)
        if what is None and view.rolling >= 0:
            what = ACTIONS[view.rolling].notation
        return f"Roll a die for {what} and type what it shows (1 to 6)"

    def read_outcome(self, view: SiegeView, text: str) -> SiegeOutcome:
        """The number alone, or the outcome's notation."""
        drawn = view.step == DRAW
        left = [view.edition.cards[index].number for index in view.cards_left]
        try:
            outcome = self.game.parse_outcome(text if " " in text else f"{'draw' if drawn else 'roll'} {text}")
        except NotationError:
            outcome = None
        if outcome is None or outcome.drawn != drawn or (drawn and outcome.value not in left):
            wanted = f"one of the cards that are left: {' '.join(map(str, left))}" if drawn else "a number from 1 to 6"
            raise MunimentError(f"{text!r} is not {wanted}")
        return outcome

    def ending(self, view: SiegeView, over: Over) -> list[Line]:
        """Victory or defeat, the words of the ending, where things stood."""
        won = over.reason == WON
        words = ENDINGS[over.reason].words
        head = Text(" VICTORY " if won else " DEFEAT ", style="bold green reverse" if won else "bold red reverse")
        first = wrap(f"{words[0].upper()}{words[1:]} (rule {over.rule}).", width=WIDTH - head.cell_len - 1)
        tracks = ", ".join(f"{name} {value}" for name, value in zip(STATUS_NAMES, view.status, strict=True))
        when = f"Day {view.day}, turn {min(view.turn, len(view.edition.cards))} of {len(view.edition.cards)}"
        return [
            Text(" ").append_text(head).append(first[0]),
            *first[1:],
            f" {when}: {tracks}, trebuchets {view.trebuchets}.",
        ]

    def starts_line(self, event: Event) -> bool:
        """Actions, cards and the ends of things."""
        return event.kind in _NEW_LINES


def _tracks(view: SiegeView) -> list[Line]:
    """Heading, three enemy tracks with the close combat area, the trebuchets; at their right the status tracks."""
    head = Text(" enemy    strength start   3     2     1", style=_HEAD)
    _pad(head, _CLOSE_COMBAT_COLUMN).append("close combat")
    _pad(head, _STATUS_COLUMN).append("fortress")
    fighters = [UNIT_NAMES[unit] for unit in UNITS if view.units[unit] == CLOSE_COMBAT]
    if view.result and len(fighters) > MAX_CLOSE_COMBAT:
        places = [Text(name, style=_ENEMY) for name in fighters]
    else:
        places = [_place(fighters[i] if i < len(fighters) else "") for i in range(MAX_CLOSE_COMBAT)]
        places.append(Text(f"strength {view.edition.close_combat_strength}", style=_HEAD))
    lines: list[Line] = [head]
    for unit in UNITS:
        line = Text(f" {UNIT_NAMES[unit]:<14}{view.edition.strength[unit]:>2}  ")
        line.append_text(_track(view.units[unit]))
        _pad(line, _CLOSE_COMBAT_COLUMN).append_text(places[unit])
        _pad(line, _STATUS_COLUMN).append_text(_status(view, unit))
        lines.append(line)
    line = Text(f" {'trebuchets':<14}{view.trebuchets:>2}  ")
    line.append(" ".join("▲" * view.trebuchets), style=_ENEMY)
    lines.append(line)
    return lines


def _place(fighter: str) -> Text:
    """One of the two places in close combat."""
    return Text("[").append(f"{fighter:<13}", style=_ENEMY).append("]")


def _track(space: int) -> Text:
    """Start, 3, 2 and the circle, with the unit where it stands."""
    if space == REMOVED:
        return Text("has left the game", style="dim")
    track = Text()
    for here in range(START, CLOSE_COMBAT, -1):
        left, right = "()" if here == CIRCLE else "[]"
        track.append(left)
        track.append("◆" if here == space else " ", style=_ENEMY)
        track.append(f"{right}{'───' if here > CIRCLE else '─→'}")
    return track


def _status(view: SiegeView, track: int) -> Text:
    """One status track: its name, what a die must show to raise it, its level twice."""
    needs = {WALL: view.edition.raise_wall_at, MORALE: view.edition.raise_morale_at}.get(track)
    level = view.status[track]
    line = Text(f"{STATUS_NAMES[track] + (f' {needs}+' if needs else ''):<10}")
    return line.append("■" * level + "□" * (MAX_STATUS - level), style=_LEVELS[level]).append(f" {level}", style="bold")


def _tunnel(view: SiegeView) -> Text:
    """The tunnel from the castle to the enemy lines, and the raided supplies."""
    line = Text(" tunnel   ")
    for place, name in enumerate(TUNNEL_NAMES):
        here = place == view.soldiers
        line.append(name.removesuffix(" tunnel"), style=_OURS if here else "").append("[")
        line.append("◆" if here else " ", style=_OURS).append("]" if place == len(TUNNEL_NAMES) - 1 else "]──")
    _pad(line, 58).append("raided supplies ")
    for number in range(1, MAX_RAIDED + 1):
        line.append("[").append("■" if number <= view.raided else " ", style=_OURS).append("]")
    return line


def _pad(line: Text, column: int) -> Text:
    line.append(" " * max(column - line.cell_len, 1))
    return line


def _card(view: SiegeView) -> list[Line]:
    """The card in play, its event and orders, and what this turn has still to give."""
    division = view.division
    if division is None:
        return [rule_line("the next card"), Text(" Face down.", style=_HEAD)]
    points = Text()
    if view.step != OVER:
        spent = max(division.actions + view.extra_used - view.points, 0)
        points.append("●" * view.points, style="bold yellow").append("○" * spent, style="dim")
        points.append(f" {view.points} AP left", style="bold")
    title = f"card {view.edition.cards[view.card].number} · {division.title}"
    return [
        rule_line(title, points),
        *wrap(f"{event_words(division)} {order_words(division)}", most=2),
        _this_turn(view),
    ]


def _this_turn(view: SiegeView) -> Text:
    """What can be done once in a turn, and has been or not."""
    line = Text().append(" used: ", style=_HEAD)
    entered = "free movement (entered)" if view.free_move == FREE_MOVE_ENTERED else "free movement"
    for name, used in (
        ("additional action", view.extra_used),
        (entered, view.free_move != FREE_MOVE_LEFT),
        ("boiling water", view.boiled),
    ):
        line.append(f"[{'x' if used else ' '}] {name}  ", style="dim" if used else "")
    return line


def _to_come(view: SiegeView, room: int) -> list[Line]:
    """The cards left this day, in as many lines as there is room for."""
    cards = [
        keep_together(f"{view.edition.cards[index].number} {view.edition.division(index, view.day).title}")
        for index in view.cards_left
    ]
    lines = wrap(f"cards left: {' · '.join(cards) or 'none, this is the last card of the day'}", most=room)
    return [Text(line, style=_HEAD) for line in lines]
