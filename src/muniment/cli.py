"""The one command, ``muniment``. Every error a user can cause is one line on the standard error and exit code 2."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from contextlib import nullcontext, redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from muniment import __version__
from muniment.core.errors import MunimentError, RecordError
from muniment.terminal.ending import OneLineGroup
from muniment.web.commands import COMMANDS

if TYPE_CHECKING:
    from muniment.core.record import Record
    from muniment.games.siege.game import Siege
    from muniment.terminal.replay import Replay

__all__ = ["main"]


def _options(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> Mapping[str, str]:
    pairs = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"{text!r} is not NAME=VALUE")
        pairs[name.strip()] = value.strip()
    return pairs


class _Folder(click.Path):
    """A folder that is named: an empty name, of a variable that is not set, would be the current folder's."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """As click's."""
        if value == "":
            self.fail("an empty name is no folder", param, ctx)
        return super().convert(value, param, ctx)


_FILE = click.Path(path_type=Path)
_option_option = click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", callback=_options, help="Set an option of the game."
)
_edition_option = click.option(
    "--edition",
    type=_FILE,
    metavar="FILE",
    help="Cards or tiles of your own, a TOML file; king: also rulebook or counters.",
)
_all_option = click.option("--all", "all_", is_flag=True, help="Show what is secret in a game that is not over.")
_colour_option = click.option("--color/--no-color", "colour", default=None, help="With or without colour.")


@click.group(cls=OneLineGroup, invoke_without_command=True)
@click.version_option(__version__, prog_name="muniment", message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """9 Card Siege and King of the Tabletop: play, replay, verify, simulate, look up rules."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def _levels_help() -> str:
    """The levels of the games that have some, as the help of a command ends with them."""
    from muniment.terminal.opponents import levels_lines

    return "\b\nLevels of king, with their ratings:\n" + "\n".join(f"  {line}" for line in levels_lines("king"))


@main.command(epilog=_levels_help())
@click.argument("game")
@click.option("--seed", metavar="TEXT", help="Dice and cards from this text: the same text, the same dice.")
@click.option("--dice", type=click.Choice(["seeded", "mine"]), default="seeded", help="Mine: real ones, typed in.")
@click.option(
    "--seats",
    metavar="NAMES",
    help="King: people, levels and agents in seat order, as me,squire,regent:Cleo,Bo; see muniment agents.",
)
@click.option(
    "--pace", type=click.FloatRange(0, 60), default=0.5, show_default=True, help="Seconds a line of what agents do."
)
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
    seats: str | None,
    pace: float,
    options: Mapping[str, str],
    edition: Path | None,
    position: Path | None,
    resume: bool | None,
    autosave: Path | None,
    name: str,
    list_options: bool,
    colour: bool | None,
) -> None:
    """Play GAME at the terminal: siege, king.

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

    wish = Wish(game, seed, dice == "mine", options, edition, position, resume, name, seats, pace)
    journal = Journal.at(autosave, game)
    try:
        play(wish, Screen(colour=colour), journal)
    except KeyboardInterrupt:
        click.echo(f"\nThe game is kept in {journal.path}", err=True)
        raise


def _list_options(game: str) -> None:
    from muniment.games.catalog import options_of
    from muniment.terminal.face import wrap

    for option in options_of(game):
        click.echo(f"{option.name}: {option.values_text()} ({option.ruling})")
        click.echo("\n".join(wrap(option.sentence, indent="  ", hang="")))


def _open_record(file: Path, edition: Path | None, secrets: bool = True) -> tuple[Replay, Record]:
    from muniment.games.catalog import game_of_record
    from muniment.terminal.files import read_record
    from muniment.terminal.replay import Replay

    record = read_record(file)
    try:
        return Replay(game_of_record(record, edition), record, secrets=secrets), record
    except MunimentError as error:
        raise MunimentError(f"{file}: {error}") from None


@main.command()
@click.argument("file", type=_FILE)
@_edition_option
@click.option("--print", "whole", is_flag=True, help="Print the whole game instead of stepping through it.")
@_all_option
@_colour_option
def replay(file: Path, edition: Path | None, whole: bool, all_: bool, colour: bool | None) -> None:
    """Step through the record FILE; on a pipe, print it."""
    from muniment.terminal.screen import Screen

    screen = Screen(colour=colour)
    game, _ = _open_record(file, edition, all_)
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
@_all_option
@_edition_option
@_colour_option
def show(file: Path, at: int | None, as_json: bool, all_: bool, edition: Path | None, colour: bool | None) -> None:
    """Show a position of the record FILE. Moves are the record's lines: choices, dice and draws."""
    from muniment.terminal.screen import Screen

    game, _ = _open_record(file, edition, all_)
    move = len(game) if at is None else at
    if as_json:
        if not game.open:
            raise MunimentError(f"{file}: the game is not over, and its position holds secrets; --all shows them")
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
@click.argument("game", required=False)
@click.option("--json", "as_json", is_flag=True, help="The list as JSON.")
def agents(game: str | None, as_json: bool) -> None:
    """List who can play GAME (siege, king), or each game: levels for people with their ratings, and agents."""
    from muniment.games.catalog import GAME_NAMES, make_game
    from muniment.terminal.opponents import agents_json, agents_lines

    games = [make_game(name) for name in ((game,) if game else GAME_NAMES)]
    if as_json:
        click.echo(json.dumps([agents_json(one) for one in games], indent=2))
    else:
        click.echo("\n\n".join("\n".join(agents_lines(one)) for one in games))


@main.command()
@click.argument("game")
@click.option("-n", "games", type=click.IntRange(min=1), default=1000, show_default=True, help="How many games.")
@click.option(
    "--agent",
    metavar="NAME[,NAME...]",
    help="Who plays: captain, random; steward, careless, random. Several: one for each seat.",
)
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="How many seats; the most if not given.")
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
    agent: str | None,
    players: int | None,
    seed: str | None,
    jobs: int | None,
    as_json: bool,
    csv_file: Path | None,
    options: Mapping[str, str],
    edition: Path | None,
    colour: bool | None,
) -> None:
    """Let agents play GAME many times, and tell how it went: siege, king."""
    from secrets import token_hex

    from muniment.agents.catalog import agent_names, make_agent
    from muniment.arena.simulate import Setup
    from muniment.arena.simulate import simulate as run
    from muniment.games.catalog import make_game
    from muniment.terminal.files import begins, reasons
    from muniment.terminal.progress import progress_bar
    from muniment.terminal.report import report_lines
    from muniment.terminal.screen import Screen

    played = make_game(game, edition, options)
    names = agent.split(",") if agent else [name for name in agent_names(played) if name != "random"][:1]
    if len(names) == 1:
        names *= players or played.facts.seats[1]
    elif players not in (None, len(names)):
        raise click.UsageError(f"--agent names {len(names)} seats, --players {players}")
    for name in names:
        make_agent(played, name)
    setup = Setup(game, tuple(names), edition, options)
    many = jobs or (os.cpu_count() or 1)
    if csv_file is not None and csv_file.is_file() and csv_file.stat().st_size and not begins(csv_file, b"game,seed,"):
        raise MunimentError(f"{csv_file} exists and is no list of games; choose another name")
    with reasons(csv_file or ""):
        csv = csv_file.open("w", newline="", encoding="utf-8") if csv_file else nullcontext()
    with csv as stream, progress_bar(games) as progress:
        report = run(setup, games, seed or token_hex(8), jobs=many, progress=progress, csv_stream=stream)
    if as_json:
        click.echo(json.dumps(report.to_json(), indent=2))
    else:
        Screen(colour=colour).write(report_lines(report))


@main.command()
@click.argument("game")
@click.option(
    "--agents", metavar="NAME,NAME...", help="A round robin of these; my_module:MyAgent or file.py:MyAgent too."
)
@click.option("--against", metavar="NAME", help="A gauntlet: each of --agents plays alone against this one only.")
@click.option("--test", "tested", metavar="A,B", help="Instead: is A better than B? Stops when that is clear.")
@click.option(
    "-n",
    "games",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="So many games, made whole rounds; of a test, at most.",
)
@click.option(
    "--seats", type=click.IntRange(min=1), metavar="N", help="Seats at a table; 2 if not given, 1 of a solo game."
)
@click.option("--p0", type=float, help="H0: A wins at most this share of games; what is even if not given.")
@click.option("--p1", type=float, help="H1: A wins at least this share; 0.1 more than p0 if not given.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="How often H1 may be accepted wrongly.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="How often H0 may be accepted wrongly.")
@click.option("--seed", metavar="TEXT", help="The same text gives the same games; a fresh one if not given.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes; one for each core if not given.")
@click.option("--cluster", metavar="ADDRESS", help="Play on this Ray cluster; local starts one of --jobs workers.")
@click.option(
    "--out", type=_Folder(), metavar="DIR", help="Keep every result there; the same command goes on from there."
)
@click.option("--records", is_flag=True, help="Keep every game's record in DIR, too.")
@click.option("--json", "as_json", is_flag=True, help="The numbers as JSON.")
@click.option("--csv", "csv_file", type=_FILE, metavar="FILE", help="Write a line for every game.")
@click.option("--parquet", type=_FILE, metavar="FILE", help="Write the same as a Parquet file.")
@click.option("--html", type=_FILE, metavar="FILE", help="Write the report with its plots.")
@click.option("--plot", type=_FILE, metavar="FILE.svg", help="Write the plot of a gauntlet as a picture.")
@_option_option
@_edition_option
@_colour_option
def arena(
    game: str,
    agents: str | None,
    against: str | None,
    tested: str | None,
    games: int,
    seats: int | None,
    p0: float | None,
    p1: float | None,
    alpha: float,
    beta: float,
    seed: str | None,
    jobs: int | None,
    cluster: str | None,
    out: Path | None,
    records: bool,
    as_json: bool,
    csv_file: Path | None,
    parquet: Path | None,
    html: Path | None,
    plot: Path | None,
    options: Mapping[str, str],
    edition: Path | None,
    colour: bool | None,
) -> None:
    """Let agents play GAME (siege, king) against each other: who is better, and how much?

    Interrupted, it tells what there is.
    """
    if against is not None and tested is not None:
        raise click.UsageError("--against goes with --agents, not with --test")
    if plot is not None and against is None:
        raise click.UsageError("--plot draws a gauntlet: it needs --against")
    if (agents is None) == (tested is None):
        raise click.UsageError("either --agents or --test says who plays")
    if records and out is None:
        raise click.UsageError("--records needs --out, where they are kept")
    if tested is None and (p0 is not None or p1 is not None):
        raise click.UsageError("--p0 and --p1 are for --test")
    from secrets import token_hex

    from muniment.arena.entrants import source_file
    from muniment.arena.game_list import games_csv, need_parquet, write_parquet
    from muniment.arena.gauntlet import gauntlet_plot
    from muniment.arena.outputs import check_outputs
    from muniment.arena.ratings import need_ratings
    from muniment.arena.report import tournament_html, tournament_text
    from muniment.arena.sequential import Hypotheses
    from muniment.arena.standings import standings
    from muniment.arena.store import kept_seed
    from muniment.arena.tournament import Plan, Tournament, hold
    from muniment.games.catalog import make_game
    from muniment.terminal.files import reasons, refuse_special, write_whole
    from muniment.terminal.progress import progress_bar
    from muniment.terminal.screen import Screen

    seats = seats or min(2, make_game(game, edition, options).facts.seats[1])
    test = None
    if tested is not None:
        low = p0 if p0 is not None else 1 / max(2, seats)
        test = Hypotheses(low, p1 if p1 is not None else low + 0.1, alpha, beta)
    names = tuple(name.strip() for name in (agents or tested or "").split(","))
    if against is not None:
        names += (against.strip(),)
    chosen = seed or (out and kept_seed(out)) or token_hex(8)
    plan = Plan(game, names, seats, chosen, edition, options, test, gauntlet=against is not None)
    tournament = Tournament(plan)
    if test is None and seats > 1:
        need_ratings()
    if parquet is not None:
        need_parquet()
    written = {"--csv": csv_file, "--parquet": parquet, "--html": html, "--plot": plot}
    outputs = {option: file for option, file in written.items() if file is not None}
    for file in outputs.values():  # all is told before the games are played
        with reasons(file):
            refuse_special(file)
            if not file.resolve().parent.is_dir():
                raise MunimentError(f"{file}: there is no such folder")
    with reasons(out or ""):
        check_outputs(outputs, out, [*filter(None, (edition, *map(source_file, tournament.own_agents)))])
    many = jobs or (os.cpu_count() or 1)
    # What an agent of one's own prints is no part of the report.
    with progress_bar(tournament.schedule.whole_rounds(games)) as progress, redirect_stdout(sys.stderr):
        held = hold(tournament, games, jobs=many, cluster=cluster, out=out, records=records, progress=progress)
    found = standings(tournament, held.results, held.test)
    if found is not None:
        if csv_file is not None:
            write_whole(csv_file, games_csv(tournament, held.results))
        if parquet is not None:
            with reasons(parquet, "cannot be written: "):
                write_parquet(tournament, held.results, parquet)
        if html is not None:
            write_whole(html, tournament_html(found, held.speed))
        if plot is not None:
            write_whole(plot, gauntlet_plot(found, alone=True) + "\n")
        if as_json:
            click.echo(json.dumps(found.to_json(held.speed), indent=2))
        else:
            Screen(colour=colour).write(tournament_text(found, held.speed))
    if held.interrupted:
        kept = "; the same command goes on from there" if out is not None else ""
        click.echo(f"Interrupted after {len(held.results):,} games{kept}", err=True)
        raise KeyboardInterrupt


@main.command()
@click.argument("game")
@click.option("--games", type=click.IntRange(min=1), default=3000, show_default=True, help="So many games.")
@click.option("--seed", metavar="TEXT", default="strong", show_default=True, help="The same text gives the same games.")
@click.option(
    "--agents",
    metavar="NAME,NAME...",
    default="marshal:1,steward,careless,random",
    show_default=True,
    help="Who plays; the first plays most seats.",
)
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes; one for each core if not given.")
@click.option("-o", "out", type=_FILE, required=True, metavar="FILE", help="Write the weights there.")
def train(game: str, games: int, seed: str, agents: str, jobs: int | None, out: Path) -> None:
    """Learn to evaluate positions of GAME (king) from games that agents play.

    What is not given is as for the weights in the package. Interrupted, nothing is written.
    """
    if game != "king":
        raise MunimentError(f"only king has an evaluation to train, not {game}")
    from contextlib import closing

    from muniment.agents.evaluation.fitting import fit, fitted_text, need_training
    from muniment.agents.evaluation.selfplay import Sample, SelfPlay
    from muniment.arena.workers import work_through
    from muniment.terminal.files import refuse_special, write_whole
    from muniment.terminal.progress import progress_bar

    need_training()
    refuse_special(out)
    if not out.absolute().parent.is_dir():
        raise MunimentError(f"{out}: there is no folder {out.parent}")
    names = tuple(name.strip() for name in agents.split(","))
    ranges = (range(number, number + 1) for number in range(1, games + 1))
    samples: list[Sample] = []
    with (
        progress_bar(games) as progress,
        closing(work_through(SelfPlay(seed, names), ranges, jobs=jobs or (os.cpu_count() or 1))) as played,
    ):
        for some in played:
            samples += some
            progress(len(samples))
    weights = fit(samples, seed, names)
    write_whole(out, weights.to_text())
    click.echo("\n".join(fitted_text(weights)))


def _siege(game: str, edition: Path | None, options: Mapping[str, object]) -> Siege:
    """9 Card Siege as asked for. Raises MunimentError for another game: only this one can be solved."""
    from muniment.games.catalog import make_game
    from muniment.games.siege.game import Siege

    made = make_game(game, edition, options)
    if not isinstance(made, Siege):
        raise MunimentError(f"only siege can be solved, not {game}")
    if find_spec("numba") is None:
        raise MunimentError("solving needs more packages: pip install 'muniment[solve]'")
    return made


@main.command()
@click.argument("game")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Threads; one for each core if not given.")
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
@_option_option
@_edition_option
def solve(game: str, jobs: int | None, as_json: bool, options: Mapping[str, str], edition: Path | None) -> None:
    """Compute perfect play in GAME (siege), and keep it; interrupted, it goes on where it stopped."""
    played = _siege(game, edition, options)
    from muniment.solve.commands import solve_game, solve_text
    from muniment.terminal.progress import share_bar

    with share_bar("solving") as progress:
        try:
            found = solve_game(played, jobs, progress, lambda words: click.echo(words, err=True))
        except KeyboardInterrupt:
            click.echo("\nWhat is computed is kept: the same command goes on from there", err=True)
            raise
    click.echo(json.dumps(found, indent=2) if as_json else "\n".join(solve_text(found)))


@main.command()
@click.argument("game")
@click.option("--position", type=_FILE, metavar="FILE", help="A position, a JSON file.")
@click.option("--record", type=_FILE, metavar="FILE", help="A position of this record.")
@click.option(
    "--at", type=click.IntRange(min=0), metavar="N", help="After N moves of the record; at its end if not given."
)
@click.option("--json", "as_json", is_flag=True, help="The chances as JSON.")
@_option_option
@_edition_option
def odds(
    game: str,
    position: Path | None,
    record: Path | None,
    at: int | None,
    as_json: bool,
    options: Mapping[str, str],
    edition: Path | None,
) -> None:
    """The exact winning chance of a position of GAME (siege) and of every action in it; the set-up if none is given."""
    if position is not None and record is not None:
        raise click.UsageError("--position and --record are two ways to give one position")
    if at is not None and record is None:
        raise click.UsageError("--at is for --record")
    from muniment.terminal.files import read_json

    if record is not None:
        replay, read = _open_record(record, edition)
        played = _siege(read.game, edition, read.options)
        state = played.state_from_json(replay.position(len(replay) if at is None else at))
    else:
        played = _siege(game, edition, options)
        state = played.initial() if position is None else played.state_from_json(read_json(position))
    from muniment.solve.commands import odds_text, values_of

    found = values_of(played).odds(state)
    click.echo(json.dumps(found.to_json(), indent=2) if as_json else "\n".join(odds_text(found)))


@main.command()
@click.argument("file", type=_FILE)
@click.option("--json", "as_json", is_flag=True, help="The review as JSON.")
@_edition_option
def review(file: Path, as_json: bool, edition: Path | None) -> None:
    """Review the siege game in the record FILE, finished or running: what each decision cost, and what was luck."""
    from muniment.terminal.files import read_record

    record = read_record(file)
    played = _siege(record.game, edition, record.options)
    from muniment.solve.commands import review_text, values_of
    from muniment.solve.review import review

    try:
        found = review(record, values_of(played))
    except RecordError as error:
        raise MunimentError(f"{file}: {error}") from None
    click.echo(json.dumps(found.to_json(), indent=2) if as_json else "\n".join(review_text(found)))


@main.command()
@click.argument("game")
@click.option(
    "-n", "games", type=click.IntRange(min=1), default=1_000_000, show_default=True, help="Games to count by."
)
@click.option("--html", type=_FILE, metavar="FILE", help="Write the report with its plots.")
@click.option("--json", "as_json", is_flag=True, help="The figures as JSON.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Threads; one for each core if not given.")
@_edition_option
def study(game: str, games: int, html: Path | None, as_json: bool, jobs: int | None, edition: Path | None) -> None:
    """What perfect play in GAME (siege) is worth and why: options, cards, defeats, first turns, positions."""
    played = _siege(game, edition, {})
    from muniment.solve.report import study_html, study_text
    from muniment.solve.study import study as run
    from muniment.terminal.files import write_whole
    from muniment.terminal.progress import share_bar

    with share_bar("studying") as progress:
        found = run(played.edition, games, jobs=jobs, progress=progress)
    if html is not None:
        write_whole(html, study_html(found))
    click.echo(json.dumps(found, indent=2) if as_json else "\n".join(study_text(found)))


for _command in COMMANDS:
    main.add_command(_command)
