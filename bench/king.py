"""King of the Tabletop: how fast random games go with and without what surrounds the rules, and single parts."""

from collections.abc import Callable, Iterator
from functools import partial

from bench.registry import Row, benchmark, rate
from muniment.core.dice import RandomStream, SeededDice, seed_from_text
from muniment.core.events import EventLog
from muniment.core.game import Chance, Decision
from muniment.core.match import Match
from muniment.games.king import King, KingOptions
from muniment.games.king.state import KingState

GAMES = 25
SEATS = 4
SEEDS = [seed_from_text(f"bench/{number}") for number in range(GAMES)]
EVERYTHING = KingOptions(royal_influence=True, terrain_bonus=True, army_reserves=True, trading=True)


def play(game: King, log: bool = False, watch: Callable[[KingState], None] | None = None) -> int:
    """Random games of four by asking the rules alone; returns how many decisions and outcomes there were."""
    steps = 0
    for seed in SEEDS:
        state = game.initial(SEATS)
        dice, choices = SeededDice(seed), RandomStream.labelled(seed, "choices")
        events = EventLog() if log else None
        while True:
            pending = game.pending(state)
            if isinstance(pending, Decision):
                seat = pending.seats[0]
                if watch is not None:
                    watch(state)
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


@benchmark
def parts() -> Iterator[Row]:
    """One state copy, one list of legal actions, one view, one re-deal."""
    game = King()
    states: list[KingState] = []
    seen = [0]

    def keep(state: KingState) -> None:
        seen[0] += 1
        if seen[0] % 40 == 0:
            states.append(state.copy())

    play(game, watch=keep)

    def each(work: Callable[[KingState], object], times: int) -> float:
        """Microseconds for one position, the loop's own time taken off."""

        def all_of_them(do: Callable[[KingState], object]) -> None:
            for _ in range(times):
                for state in states:
                    do(state)

        count = times * len(states)
        return 1e6 / rate(lambda: all_of_them(work), count) - 1e6 / rate(lambda: all_of_them(id), count)

    dice = RandomStream.labelled(SEEDS[0], "redeal")
    yield Row("king: copy a state", each(KingState.copy, 40), "us", "mid-game, four seats")
    yield Row("king: legal actions", each(lambda s: game.legal_actions(s, s.frames[-1].seat), 40), "us")
    yield Row("king: view of a state", each(lambda s: game.view(s, 0), 4), "us")
    yield Row("king: re-deal a view", each(lambda s: game.redeal(game.view(s, 0), dice), 1), "us", "the view included")
