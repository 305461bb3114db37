"""The one command, ``muniment``. Every error a user can cause is one line on the standard error and exit code 2."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from muniment import __version__
from muniment.core.errors import MunimentError

if TYPE_CHECKING:
    from muniment.core.record import Record
    from muniment.terminal.replay import Replay

__all__ = ["main"]

_USER_ERROR = 2
_INTERRUPTED = 130
_PIPE_CLOSED = 1  # as click and rich have it


class _Command(click.Group):
    """A group of commands whose failures are one line each."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """As click's, with our way of ending."""

        def run() -> object:
            return super(_Command, self).main(
                args, prog_name or "muniment", complete_var, standalone_mode=False, **extra
            )

        if not standalone_mode:
            return run()
        sys.exit(_ended(run))


def _ended(run: Callable[[], object]) -> int:
    """The exit code of a run."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    try:
        code = run()
        sys.stdout.flush()
    except click.exceptions.Abort:
        return _INTERRUPTED
    except click.ClickException as error:
        return _failed(error.format_message())
    except BrokenPipeError:
        _drop_output()
        return _PIPE_CLOSED
    except MunimentError as error:
        return _failed(str(error))
    except OSError as error:
        _drop_output()
        return _failed(f"cannot write the output: {error.strerror or error}")
    return code if isinstance(code, int) else 0


def _failed(message: str) -> int:
    line = " ".join(message.split())
    click.echo(f"muniment: {''.join(c if c.isprintable() else '?' for c in line)}", err=True)
    return _USER_ERROR


def _drop_output() -> None:
    """Nothing more can be written; the interpreter shall not try to when it ends."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _options(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> Mapping[str, str]:
    pairs = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"{text!r} is not NAME=VALUE")
        pairs[name.strip()] = value.strip()
    return pairs


_FILE = click.Path(path_type=Path)
_option_option = click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", callback=_options, help="Set an option of the game."
)
_edition_option = click.option("--edition", type=_FILE, metavar="FILE", help="Cards of your own, a TOML file.")
_colour_option = click.option("--color/--no-color", "colour", default=None, help="With or without colour.")


@click.group(cls=_Command, invoke_without_command=True)
@click.version_option(__version__, prog_name="muniment", message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """9 Card Siege and King of the Tabletop: play, replay, verify, simulate, look up rules."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@main.command()
@click.argument("game")
@click.option("--seed", metavar="TEXT", help="Dice and cards from this text: the same text, the same dice.")
@click.option("--dice", type=click.Choice(["seeded", "mine"]), default="seeded", help="Mine: real ones, typed in.")
@_option_option
@_edition_option
@click.option("--position", type=_FILE, metavar="FILE", help="Begin from a position, a JSON file.")
@click.option("--resume/--new", default=None, help="Go on with the game that was left, or begin a new one.")
@click.option("--autosave", type=_FILE, metavar="FILE", help="Keep the running game in this file.")
@click.option("--name", default="Player", metavar="NAME", help="Your name, for the record.")
@click.option("--list-options", is_flag=True, help="List the options of the game and leave.")
@_colour_option
def play(
    game: str,
    seed: str | None,
    dice: str,
    options: Mapping[str, str],
    edition: Path | None,
    position: Path | None,
    resume: bool | None,
    autosave: Path | None,
    name: str,
    list_options: bool,
    colour: bool | None,
) -> None:
    """Play GAME at the terminal: siege.

    The game is kept after every move. Kill it at any moment, run it again, and go on.
    """
    if list_options:
        _list_options(game)
        return
    if seed is not None and dice == "mine":
        raise click.UsageError("--seed is for the program's dice, not for --dice mine")
    if not name.strip() or not name.isprintable():
        raise click.BadParameter(f"{name!r} is not a name", param_hint="--name")
    from muniment.terminal.journal import Journal
    from muniment.terminal.play import Wish, play
    from muniment.terminal.screen import Screen

    wish = Wish(game, seed, dice == "mine", options, edition, position, resume, name)
    journal = Journal.at(autosave, game)
    try:
        play(wish, Screen(colour=colour), journal)
    except KeyboardInterrupt:
        click.echo(f"\nThe game is kept in {journal.path}", err=True)
        raise


def _list_options(game: str) -> None:
    from muniment.games.catalog import options_of

    for option in options_of(game):
        click.echo(f"{option.name}: {option.values_text()} ({option.ruling})\n  {option.sentence}")


def _open_record(file: Path, edition: Path | None) -> tuple[Replay, Record]:
    from muniment.games.catalog import game_of_record
    from muniment.terminal.files import read_record
    from muniment.terminal.replay import Replay

    record = read_record(file)
    try:
        return Replay(game_of_record(record, edition), record), record
    except MunimentError as error:
        raise MunimentError(f"{file}: {error}") from None


@main.command()
@click.argument("file", type=_FILE)
@_edition_option
@click.option("--print", "whole", is_flag=True, help="Print the whole game instead of stepping through it.")
@_colour_option
def replay(file: Path, edition: Path | None, whole: bool, colour: bool | None) -> None:
    """Step through the record FILE; on a pipe, print it."""
    from muniment.terminal.screen import Screen

    screen = Screen(colour=colour)
    game, _ = _open_record(file, edition)
    if whole or not screen.interactive:
        screen.write(game.everything())
    else:
        game.step_through(screen)


@main.command()
@click.argument("file", type=_FILE)
@_edition_option
def verify(file: Path, edition: Path | None) -> None:
    """Check the record FILE: that it is whole, that every move is legal, and that its dice come from its seed."""
    from muniment.core.match import verify
    from muniment.games.catalog import game_of_record
    from muniment.terminal.files import read_record

    record = read_record(file)
    try:
        found = verify(game_of_record(record, edition), record)
    except MunimentError as error:
        raise MunimentError(f"{file}: {error}") from None
    click.echo(f"{file}: the record is whole, and every move is legal")
    click.echo(f"{found['moves']} choices, {found['outcomes']} dice and draws; result: {found['result']}")
    if found["verified"]:
        click.echo(f"the dice come from the seed, and the seed fits the commitment\n  {record.commitment}")
    else:
        click.echo("real dice were typed in: there is nothing to verify about them")


@main.command()
@click.argument("file", type=_FILE)
@click.option(
    "--at", type=click.IntRange(min=0), metavar="N", help="After N moves of the record; at its end if not given."
)
@click.option("--json", "as_json", is_flag=True, help="The position as JSON, as --position takes it.")
@_edition_option
@_colour_option
def show(file: Path, at: int | None, as_json: bool, edition: Path | None, colour: bool | None) -> None:
    """Show a position of the record FILE. Moves are the record's lines: choices, dice and draws."""
    from muniment.terminal.screen import Screen

    game, _ = _open_record(file, edition)
    move = len(game) if at is None else at
    if as_json:
        click.echo(json.dumps(game.position(move), indent=2))
    else:
        Screen(colour=colour).write(game.picture(move))


@main.command()
@click.argument("game")
@click.argument("term", nargs=-1)
@_colour_option
def rules(game: str, term: tuple[str, ...], colour: bool | None) -> None:
    """Look up the rules of GAME (siege, king) by id or by words; without TERM, list them all."""
    from muniment.games.catalog import rulebook_of
    from muniment.terminal.explain import rule_list, rules_found
    from muniment.terminal.screen import Screen

    book = rulebook_of(game)
    words = " ".join(term)
    found = book.search(words) if words.strip() else book.rules
    if not found:
        raise MunimentError(f"no rule is found for {words!r}")
    screen = Screen(colour=colour)
    screen.page(rules_found(book, found, len(found)) if words.strip() else rule_list(found))


@main.command()
@click.argument("game")
@click.option("-n", "games", type=click.IntRange(min=1), default=1000, show_default=True, help="How many games.")
@click.option("--agent", default="captain", show_default=True, metavar="NAME", help="Who plays: captain, random.")
@click.option("--seed", metavar="TEXT", help="The same text gives the same numbers; a fresh one if not given.")
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes; as many as there are cores if not given."
)
@click.option("--json", "as_json", is_flag=True, help="The numbers as JSON.")
@click.option("--csv", "csv_file", type=_FILE, metavar="FILE", help="Write a line for every game.")
@_option_option
@_edition_option
@_colour_option
def simulate(
    game: str,
    games: int,
    agent: str,
    seed: str | None,
    jobs: int | None,
    as_json: bool,
    csv_file: Path | None,
    options: Mapping[str, str],
    edition: Path | None,
    colour: bool | None,
) -> None:
    """Let an agent play GAME many times, and tell how it went."""
    from secrets import token_hex

    from muniment.agents.catalog import make_agent
    from muniment.arena.simulate import Setup
    from muniment.arena.simulate import simulate as run
    from muniment.games.catalog import make_game
    from muniment.terminal.files import reasons
    from muniment.terminal.progress import progress_bar
    from muniment.terminal.report import report_lines
    from muniment.terminal.screen import Screen

    played = make_game(game, edition, options)
    make_agent(played, agent)
    setup = Setup(game, (agent,) * played.facts.seats[0], edition, options)
    many = jobs or (os.cpu_count() or 1)
    with reasons(csv_file or ""):
        csv = csv_file.open("w", newline="", encoding="utf-8") if csv_file else nullcontext()
    with csv as stream, progress_bar(games) as progress:
        report = run(setup, games, seed or token_hex(8), jobs=many, progress=progress, csv_stream=stream)
    if as_json:
        click.echo(json.dumps(report.to_json(), indent=2))
    else:
        Screen(colour=colour).write(report_lines(report))
