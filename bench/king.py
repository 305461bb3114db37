"""King of the Tabletop: how fast random games go with and without what surrounds the rules, and single parts."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from typing import TypeVar

from bench.registry import Row, benchmark, rate
from muniment.core.dice import RandomStream, SeededDice, seed_from_text
from muniment.core.events import EventLog
from muniment.core.game import Chance, Decision
from muniment.core.match import Match
from muniment.games.king import King, KingOptions
from muniment.games.king.state import KingState

T = TypeVar("T")
GAMES = 25
SEATS = 4
SEEDS = [seed_from_text(f"bench/{number}") for number in range(GAMES)]
EVERYTHING = KingOptions(royal_influence=True, terrain_bonus=True, army_reserves=True, trading=True)


def play(game: King, log: bool = False, watch: Callable[[KingState], None] | None = None, seats: int = SEATS) -> int:
    """Random games by asking the rules alone; returns how many decisions and outcomes there were.

    watch: is shown the state before each of them.
    """
    steps = 0
    for seed in SEEDS:
        state = game.initial(seats)
        dice, choices = SeededDice(seed), RandomStream.labelled(seed, "choices")
        events = EventLog() if log else None
        while True:
            pending = game.pending(state)
            if watch is not None:
                watch(state)
            if isinstance(pending, Decision):
                seat = pending.seats[0]
                legal = game.legal_actions(state, seat)
                game.apply(state, legal[choices.below(len(legal))], seat, events)
            elif isinstance(pending, Chance):
                game.apply_outcome(state, game.sample(state, dice), events)
            else:
                break
            steps += 1
    return steps


def play_matches(game: King) -> int:
    """The first of these games as matches: legality checked again, events, undo, the record written."""
    decisions = 0
    for seed in SEEDS[:3]:
        match = Match(game, ["random"] * SEATS, seed=seed)
        choices = RandomStream.labelled(seed, "choices")
        while match.over is None:
            pending = match.pending
            assert isinstance(pending, Decision)
            match.act(pending.seats[0], choices.choice(match.legal_actions(pending.seats[0])))
            decisions += 1
        match.record().write()
    return decisions


@benchmark
def random_play() -> Iterator[Row]:
    """Decisions and outcomes a second of random games of four in one process."""
    plays: list[tuple[str, Callable[[], int], str]] = [
        ("rules", partial(play, King()), "decisions, chance, seeded verifiable dice, choosing"),
        ("all optional rules", partial(play, King(options=EVERYTHING)), "the same"),
        ("rules and events", partial(play, King(), True), "as above, and every event"),
    ]
    for name, work, included in plays:
        yield Row(f"king: random play, {name}", rate(work, work(), repeats=5), "steps/s", included)
    yield Row(
        "king: random play, match",
        rate(partial(play_matches, King()), play_matches(King()), repeats=3),
        "decisions/s",
        "all: dice, refusals, events, undo, record written",
    )


def positions(game: King, seats: int) -> tuple[list[KingState], list[KingState]]:
    """Positions along random games: those that wait for a decision, and those that wait for dice or a draw."""
    passing: list[KingState] = []
    number = count(1)

    def keep(state: KingState) -> None:
        if next(number) % 40 == 0:
            passing.append(state.copy())

    play(game, watch=keep, seats=seats)
    pending = [(state, game.pending(state)) for state in passing]
    deciding = [state for state, awaited in pending if isinstance(awaited, Decision)]
    return deciding, [state for state, awaited in pending if isinstance(awaited, Chance)]


def each(work: Callable[[T], object], inputs: Sequence[T], times: int) -> float:
    """Microseconds for one of the inputs, the loop's own time taken off."""

    def all_of_them(do: Callable[[T], object]) -> None:
        for _ in range(times):
            for one in inputs:
                do(one)

    number = times * len(inputs)
    return 1e6 / rate(lambda: all_of_them(work), number) - 1e6 / rate(lambda: all_of_them(id), number)


@benchmark
def parts() -> Iterator[Row]:
    """What a search pays, of two seats and of four: a copy, legal actions, an action, an outcome, a view, a re-deal."""
    game = King()
    dice = RandomStream.labelled(SEEDS[0], "redeal")
    for seats in (2, SEATS):
        deciding, drawing = positions(game, seats)
        moves = [(s, s.frames[-1].seat, game.legal_actions(s, s.frames[-1].seat)[0]) for s in deciding]
        outcomes = [(s, game.sample(s, dice)) for s in drawing]
        views = [game.view(s, 0) for s in deciding]
        figures = {
            "copy a state": each(KingState.copy, deciding, 40),
            "legal actions": each(lambda s: game.legal_actions(s, s.frames[-1].seat), deciding, 40),
            "copy and apply": each(lambda move: game.apply(move[0].copy(), move[2], move[1]), moves, 20),
            "sample": each(lambda s: game.sample(s, dice), drawing, 100),
            "copy and apply an outcome": each(lambda came: game.apply_outcome(came[0].copy(), came[1]), outcomes, 40),
            "view of a state": each(lambda s: game.view(s, 0), deciding, 4),
            "re-deal a view": each(lambda view: game.redeal(view, dice), views, 1),
        }
        for name, value in figures.items():
            yield Row(f"king: {name}, {seats} seats", value, "us", "mid-game")
