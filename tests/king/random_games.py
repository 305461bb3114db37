"""Random games with everything checked, the same for the same number."""

from muniment.core.game import Decision, Over
from muniment.games.king.state import KingState
from tests.king.scripts import Random, check_invariants, king


def options_of(number: int) -> dict[str, object]:
    """Different options for different games; all optional rules in every second one."""
    half = number % 2 == 1
    return {
        "edition": ("rulebook", "counters")[number // 2 % 2],
        "homeless": ("deck", "hand")[number // 4 % 2],
        "neutralised_forts": ("roll", "silent")[number // 8 % 2],
        "royal_influence": half,
        "terrain_bonus": half,
        "army_reserves": half,
        "trading": half,
    }


def play(number: int, most: int = 60_000) -> KingState:
    """A game of 2 to 4 seats to its end: invariants at every step, JSON now and then, the replay of its record."""
    game, seats = king(**options_of(number)), 2 + number % 3
    s, players = game.initial(seats), Random(f"game {number}")
    moves: list[tuple[int, str]] = []
    for step in range(most):
        pending = game.pending(s)
        if isinstance(pending, Over):
            assert sum(pending.returns) == 1
            break
        if isinstance(pending, Decision):
            assert game.legal_actions(s, pending.seats[0]), f"game {number} is stuck at {s.frames[-1]}"
        moves.append(players.step(game, s))
        check_invariants(s)
        if step % 101 == 0:
            assert game.state_from_json(game.state_to_json(s)) == s, f"game {number}, step {step}"
    else:
        raise AssertionError(f"game {number} does not end")
    assert game.state_from_json(game.state_to_json(s)) == s
    again = game.initial(seats)
    for seat, notation in moves:
        if seat < 0:
            game.apply_outcome(again, game.parse_outcome(notation))
        else:
            game.apply(again, game.parse_action(notation), seat)
    assert again == s
    return s
