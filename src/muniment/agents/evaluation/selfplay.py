"""Games that agents play to learn from: seeded, varied, a few positions of every turn.

Game *i* depends on the seed and *i* alone. Two to four seats; half of the games with the options' defaults, the others
with options drawn at random; both editions. In four games of five all seats are the first agent's; in the fifth every
seat is drawn, the first of three agents three times as likely as each other one. In half of the games players wander:
for some turns they now and then do anything that is legal, so that positions come about that nobody would seek. Search
meets those, too.

Every position is measured as a search will meet it: re-dealt from the view of the seat that is to decide. What is
hidden from that seat is then a guess, and counts for as much as a guess is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from muniment.agents.catalog import make_agent
from muniment.agents.evaluation.features import Measures
from muniment.core.dice import RandomStream, SeededDice, seed_from_text
from muniment.core.game import Chance, Over
from muniment.games.king.game import King
from muniment.games.king.options import OPTIONS, KingOptions
from muniment.games.king.state import KingState
from muniment.games.king.tiles import EDITIONS

__all__ = ["Sample", "SelfPlay"]

_A_TURN: Final = 4  # positions taken from every turn
_SEATS: Final = (2, 2, 3, 3, 4, 4, 4)
_WANDERING: Final = (0, 0, 30, 100)  # of 1000 decisions
_TURNS: Final = 7  # about as long as games last
_SHORTEST: Final = 4  # turn limit, in turns
_LIMITS: Final = 9  # how many different ones

Rows = list[list[float]]


@dataclass(frozen=True, slots=True)
class Sample:
    """What is kept of a game: the features of each position, and each seat's result from 0 to 1."""

    positions: list[Rows]
    returns: tuple[float, ...]


@dataclass(frozen=True)
class SelfPlay:
    """The games of a seed, as plain values that other processes can be sent.

    agents: names from the catalogue; the first plays most seats.
    """

    seed: str
    agents: tuple[str, ...]

    def prepare(self) -> Callable[[range, Callable[[], bool]], list[Sample]]:
        """Gives who plays ranges of games. Raises MunimentError for an agent that does not exist."""
        for name in self.agents:
            make_agent(King(), name)

        def play(numbers: range, stop: Callable[[], bool]) -> list[Sample]:
            samples: list[Sample] = []
            for number in numbers:
                if stop():
                    break
                samples.append(self.sample(number))
            return samples

        return play

    def sample(self, number: int) -> Sample:
        """Play one game, and keep what there is to learn from it."""
        seed = seed_from_text(f"{self.seed}/{number}")
        chance = RandomStream.labelled(seed, "setup")
        seats = chance.choice(_SEATS)
        game = King(options=_options(chance))
        agents = [make_agent(game, name) for name in self._players(seats, chance)]
        wandering = chance.choice(_WANDERING)
        last_turn = 1 + chance.below(_TURNS) if wandering else 0
        streams = [RandomStream.labelled(seed, "agent", seat) for seat in range(seats)]
        wander, deal = RandomStream.labelled(seed, "wander"), RandomStream.labelled(seed, "deal")
        dice = SeededDice(seed)
        taken: list[tuple[KingState, int]] = []
        met = start = turn = 0
        state = game.initial(seats)
        while not isinstance(pending := game.pending(state), Over):
            if isinstance(pending, Chance):
                game.apply_outcome(state, game.sample(state, dice))
                continue
            if state.turn != turn:
                turn, met, start = state.turn, 0, len(taken)
            met += 1
            seat = pending.seats[0]
            if met <= _A_TURN:
                taken.append((state.copy(), seat))
            elif (at := chance.below(met)) < _A_TURN:  # every decision of the turn is as likely to be taken
                taken[start + at] = state.copy(), seat
            legal = game.legal_actions(state, seat)
            if 0 < turn <= last_turn and wander.below(1000) < wandering:
                action = wander.choice(legal)
            else:
                action = agents[seat].choose(game.view(state, seat), legal, streams[seat])
            game.apply(state, action, seat)
        measures = Measures(game.box)
        positions = [measures.of(game.redeal(game.view(kept, seat), deal)) for kept, seat in taken]
        return Sample(positions, tuple([float(share) for share in pending.returns]))

    def _players(self, seats: int, chance: RandomStream) -> Sequence[str]:
        first, *others = self.agents
        if chance.below(5):
            return [first] * seats
        among = [*[first] * len(self.agents), *others]
        return [chance.choice(among) for _ in range(seats)]


def _options(chance: RandomStream) -> KingOptions:
    if chance.below(2):
        return KingOptions.read({"edition": chance.choice(EDITIONS)})
    drawn = {option.name: chance.choice(option.choices) for option in OPTIONS if option.minimum is None}
    limit = _SHORTEST + chance.below(_LIMITS)
    return KingOptions.read({**drawn, "turn_limit": chance.choice((None, None, limit))})
