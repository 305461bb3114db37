"""9 Card Siege: how fast a random game goes with and without what surrounds the rules, and the parts it is made of."""

from collections.abc import Callable, Iterator
from functools import partial

from bench.registry import Row, benchmark, rate
from muniment.agents.catalog import make_agent
from muniment.agents.uniform import Uniform
from muniment.core.dice import RandomStream, SeededDice, seed_from_text
from muniment.core.events import EventLog
from muniment.core.game import Chance, Decision
from muniment.core.match import Match
from muniment.core.playout import play_out
from muniment.games.siege import Siege
from muniment.games.siege.actions import SiegeAction
from muniment.games.siege.legality import legal_actions
from muniment.games.siege.state import SiegeState
from muniment.games.siege.view import SiegeView

GAMES = 400
SEEDS = [seed_from_text(f"bench/{number}") for number in range(GAMES)]


def play_by_rules(game: Siege, log: EventLog | None = None) -> int:
    """Random games by asking the rules alone: dice, cards and choices from seeded streams. Returns the decisions."""
    decisions = 0
    for seed in SEEDS:
        state = game.initial()
        dice, choices = SeededDice(seed), RandomStream.labelled(seed, "choices")
        while True:
            pending = game.pending(state)
            if isinstance(pending, Decision):
                game.apply(state, choices.choice(game.legal_actions(state)), 0, log)
                decisions += 1
            elif isinstance(pending, Chance):
                game.apply_outcome(state, game.sample(state, dice), log)
            else:
                break
    return decisions


def play_with_events(game: Siege) -> int:
    """The same games with every event built."""
    return play_by_rules(game, EventLog())


def play_by_agent(game: Siege) -> int:
    """Random games by the agent ``random``, which is given a view for each decision."""
    agents = [Uniform[SiegeAction, SiegeView]()]
    return sum(play_out(game, agents, seed)[1] for seed in SEEDS)


def play_matches(game: Siege) -> int:
    """Random games as matches: legality checked again, events, undo, and the record written at the end."""
    decisions = 0
    for seed in SEEDS:
        match = Match(game, ["random"], seed=seed)
        choices = RandomStream.labelled(seed, "choices")
        while match.over is None:
            match.act(0, choices.choice(match.legal_actions(0)))
            decisions += 1
        match.record().write()
    return decisions


def positions(game: Siege) -> list[SiegeState]:
    """Every position of these games at which the player chooses."""
    found: list[SiegeState] = []
    for seed in SEEDS:
        play_out(game, [Uniform[SiegeAction, SiegeView]()], seed, watch=lambda state: found.append(state.copy()))
    return found


@benchmark
def random_play() -> Iterator[Row]:
    """Decisions a second of random games in one process, from the bare rules to whole matches."""
    plays: list[tuple[str, Callable[[Siege], int], str]] = [
        ("rules", play_by_rules, "chance, seeded verifiable dice, choosing; no events, views, record"),
        ("rules and events", play_with_events, "as above, and every event"),
        (
            "agent with views",
            play_by_agent,
            "chance, seeded verifiable dice, a view for each decision; no events, record",
        ),
        ("match", play_matches, "all: dice, refusals, events, undo, record written"),
    ]
    for name, play, included in plays:
        work = partial(play, Siege())
        yield Row(f"siege: random play, {name}", rate(work, work()), "decisions/s", included)


@benchmark
def parts() -> Iterator[Row]:
    """One state copy, one list of legal actions, one view."""
    game = Siege()
    states = positions(game)

    def each(work: Callable[[SiegeState], object]) -> float:
        """Microseconds for one position, the loop's own time taken off."""

        def all_of_them(do: Callable[[SiegeState], object]) -> None:
            for _ in range(10):
                for state in states:
                    do(state)

        count = 10 * len(states)
        return 1e6 / rate(lambda: all_of_them(work), count) - 1e6 / rate(lambda: all_of_them(id), count)

    yield Row("siege: copy a state", each(SiegeState.copy), "us")
    yield Row("siege: legal actions", each(game.legal_actions), "us", "as in play: worked out once for each situation")
    yield Row(
        "siege: legal actions, worked out",
        each(lambda state: legal_actions(state, game.division(state), game.options)),
        "us",
        "without memory",
    )
    yield Row("siege: view of a state", each(lambda state: game.view(state, 0)), "us")


@benchmark
def captain() -> Iterator[Row]:
    """Whole games of the captain."""
    game = Siege()
    agents = [make_agent(game, "captain")]
    seeds = SEEDS[:60]
    yield Row(
        "siege: captain", rate(lambda: [play_out(game, agents, seed) for seed in seeds], len(seeds)), "games/s",
        "views, seeded verifiable dice",
    )  # fmt: skip
