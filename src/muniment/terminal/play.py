"""Beginning a game at the terminal: a new one, or the one that was left, and the next one after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from muniment.core.dice import new_seed, seed_from_text
from muniment.core.errors import MunimentError
from muniment.core.game import Game
from muniment.core.match import Match
from muniment.core.record import CHANCE, Record
from muniment.games.catalog import game_of_record, make_game
from muniment.terminal.files import is_record, read_json
from muniment.terminal.journal import Journal
from muniment.terminal.opponents import levels_lines, opponents
from muniment.terminal.screen import Screen
from muniment.terminal.seats import read_seats, seat_of
from muniment.terminal.session import Session

__all__ = ["Wish", "play"]

AnyMatch = Match[Any, Any, Any, Any]
_SEATS = "me,castellan,castellan,castellan"


@dataclass(frozen=True)
class Wish:
    """What the command line says of the game. resume: True and False as told, None to decide.

    seed: the text of the seed. typed: real dice and cards. position: a JSON file to begin from. seats: as ``--seats``
    has them. pace: seconds for every line of what agents do.
    """

    game: str
    seed: str | None = None
    typed: bool = False
    options: Mapping[str, str] = field(default_factory=dict)
    edition: Path | None = None
    position: Path | None = None
    resume: bool | None = None
    player: str = "Player"
    seats: str | None = None
    pace: float = 0.0

    def seating(self, game: Game[Any, Any, Any, Any]) -> list[str]:
        """The seats' names as the record keeps them. Raises MunimentError for what --seats cannot be."""
        if game.facts.seats[1] == 1:
            if self.seats is not None:
                raise MunimentError(f"--seats: {game.facts.title} is for one player; --name gives his name")
            return [self.player]
        from muniment.agents.catalog import agent_names

        text = _SEATS if self.seats is None else self.seats
        return [seat.kept for seat in read_seats(text, game, self.player, agent_names(game))]

    def begin(self) -> AnyMatch:
        """A new match. Raises MunimentError if it cannot be had like this."""
        game = make_game(self.game, self.edition, self.options)
        seats = self.seating(game)
        start = None
        if self.position is not None:
            value = read_json(self.position)
            try:
                start = game.state_from_json(value)
            except MunimentError as error:
                raise MunimentError(f"{self.position}: {error}") from None
        seed = new_seed() if self.seed is None else seed_from_text(self.seed)
        return Match(game, seats, seed=seed, typed=self.typed, position=start)

    @property
    def particular(self) -> bool:
        """Whether anything is said of what game it should be."""
        return bool(self.seed or self.typed or self.options or self.edition or self.position or self.seats)

    def fits(self, record: Record) -> bool:
        """Whether the record is of a game that began as wished."""
        wished = self.begin().record()
        return (
            (wished.typed, wished.edition_digest, wished.position)
            == (record.typed, record.edition_digest, record.position)
            and dict(wished.options) == dict(record.options)
            and (self.seed is None or wished.seed == record.seed)
            and (self.seats is None or [_name(kept) for kept in wished.seats] == [_name(kept) for kept in record.seats])
        )


def _name(kept: str) -> str:
    return seat_of(kept).name


def _session(match: AnyMatch, screen: Screen, journal: Journal, wish: Wish) -> Session:
    if match.game.facts.name == "king":
        from muniment.terminal.king.session import KingSession

        return KingSession(match, screen, journal, wish.edition, wish.pace)
    return Session(match, screen, journal, wish.edition)


def play(wish: Wish, screen: Screen, journal: Journal) -> None:
    """Play, game after game, until the person leaves. Raises MunimentError for whatever a user can do wrong."""
    make_game(wish.game, wish.edition, wish.options)
    with journal:
        match, note = _first(wish, screen, journal)
        games = 1
        while True:
            session = _session(match, screen, journal, wish)
            if note:
                session.tell(note)
            if not session.run():
                return
            games += 1
            again = replace(
                wish, position=None, seed=wish.seed and f"{wish.seed} / {games}", seats=_seats_of(session.match)
            )
            match, note = again.begin(), ""


def _seats_of(match: AnyMatch) -> str | None:
    """The seats of a match as ``--seats`` has them; who left it has a seat again. None in a game for one."""
    if match.game.facts.seats[1] == 1:
        return None
    seats = [seat_of(kept) for kept in match.seats]
    return ",".join(f"{seat.agent}:{seat.name}" if seat.agent and not seat.left else seat.name for seat in seats)


def _begin(wish: Wish, screen: Screen) -> AnyMatch:
    """A new match; who sits down is asked where it was not said. Raises EOFError if the input ends there."""
    game = make_game(wish.game, wish.edition, wish.options)
    if wish.seats is not None or not screen.interactive or game.facts.seats[1] == 1 or wish.position is not None:
        return wish.begin()
    screen.write([" Who plays? Levels, with their ratings:", *(f"   {line}" for line in levels_lines(wish.game))])
    screen.write([" In seat order, as me,squire,regent or Ada,Bo,squire:Cleo; Enter alone:", f" {_SEATS}"])
    while True:
        answer = screen.ask("Seats> ", opponents(game))
        if answer is None:
            raise EOFError
        try:
            return replace(wish, seats=answer.strip() or None).begin()
        except MunimentError as error:
            screen.write([f" {error}"])


def _first(wish: Wish, screen: Screen, journal: Journal) -> tuple[AnyMatch, str]:
    """The match to begin with, and what to tell of it."""
    if wish.resume is False:
        new = _begin(wish, screen)
        return new, _aside(journal)
    kept = journal.read()
    if kept is None:
        if wish.resume:
            raise MunimentError(f"{journal.path}: there is no game to go on with")
        return _begin(wish, screen), ""
    if wish.particular and not wish.fits(kept):
        if wish.resume:
            raise MunimentError(f"{journal.path}: the game kept there began otherwise than these options say")
        new = _begin(wish, screen)
        return new, _aside(journal)
    match = _resumed(wish, kept, journal.path)
    choices = _choices(kept)
    if wish.resume is None and screen.interactive and choices and not match.over:
        answer = screen.ask(
            f"A game is kept, {choices} choice{'' if choices == 1 else 's'} long. Go on with it? [Y/n] "
        )
        if answer is None or answer.strip().casefold() in ("n", "no"):
            if answer is None:
                raise EOFError
            new = _begin(wish, screen)
            return new, _aside(journal)
    return match, "Going on with the game that was left; --new begins another." if choices else ""


def _resumed(wish: Wish, kept: Record, path: Path) -> AnyMatch:
    game: Game[Any, Any, Any, Any] = game_of_record(kept, wish.edition)
    try:
        if game.facts.name != wish.game:
            raise MunimentError(f"a game of {game.facts.title} is kept there")
        return Match.from_record(game, kept)
    except MunimentError as error:
        raise MunimentError(f"{path}: {error}; --new begins another game and keeps this one aside") from None


def _aside(journal: Journal) -> str:
    """Make room for a new game without losing an old one. Returns what to tell of it."""
    path = journal.path
    if not path.exists() or path.stat().st_size == 0:
        return ""
    if not is_record(path):
        raise MunimentError(f"{path}: exists and is no game of this program; --autosave FILE chooses another place")
    aside = journal.set_aside()
    return f"The game before this one is kept in {aside}" if aside else ""


def _choices(record: Record) -> int:
    """How many choices people have made in it."""
    return sum(entry.seat != CHANCE for entry in record.entries)
