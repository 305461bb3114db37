"""What many games of King of the Tabletop show: who wins, how and when, and what goes with winning."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from muniment.arena.observer import Observer
from muniment.arena.statistics import Interval, Row, Totals, wilson
from muniment.core.game import Over, State, View
from muniment.games.king.state import KingState
from muniment.games.king.views import KingView

__all__ = ["HOLDINGS", "VICTORIES", "KingObserver", "KingTotals", "Lift"]

_SEATS = 4
_GRAN = 4
VICTORIES: Mapping[str, str] = {
    "built": "Gran Muniment built",
    "captured": "Gran Muniment captured",
    "traded": "Gran Muniment traded",
    "last": "last player with land",
    "turn-limit": "turn limit",
    "nobody": "nobody left",
}
"""How a game can end, with a text for each: for a king by how the Gran Muniment came to the winner."""
HOLDINGS = ("tiles", "specials")
_SEAT_COLUMNS = ("prestige", "gold", "lands", "path", *HOLDINGS)


class KingObserver(Observer):
    """Notes what the end does not tell: prestige turn by turn, what every seat ever held, whence Gran Muniments came.

    A turn's prestige is that at its first decision; the last entry is that at the end of the game.
    """

    def __init__(self) -> None:
        self.prestige: list[tuple[int, ...]] = []
        self.held: list[set[int]] = [set() for _ in range(_SEATS)]
        self.origin: dict[int, str] = {}
        self._owner: dict[int, int] = {}
        self._turn = 0
        self._clock = -1
        self._deal = False

    def watch(self, state: State) -> None:
        """Look at what may have changed."""
        assert isinstance(state, KingState)
        if state.turn != self._turn:
            self._turn = state.turn
            self.prestige.append(tuple([state.prestige(seat) for seat in range(state.seats)]))
            self._clock = -1
        if state.clock != self._clock:
            self._clock = state.clock
            for seat in range(state.seats):
                self.held[seat].update(state.hand[seat], state.army[seat])
        if state.grans or self._owner:
            self._watch_grans(state)
        self._deal = state.frames[-1].kind == "deal"

    def _watch_grans(self, state: KingState) -> None:
        owner = {land: seat for seat in range(state.seats) for land in state.lands[seat] if state.fort[land] == _GRAN}
        for land, seat in owner.items():
            before = self._owner.get(land)
            if before is None:
                self.origin[land] = "built"
            elif before != seat:
                self.origin[land] = "traded" if self._deal else "captured"
        self._owner = owner

    def victory(self, view: KingView, over: Over) -> str:
        """How the game was won, one of ``VICTORIES``."""
        if over.reason != "king":
            return over.reason
        winner = next(seat for seat, share in enumerate(over.returns) if share)
        named = view.box.land_named
        gran = next(named[land.land] for land in view.lands[winner] if land.fort == _GRAN)
        return self.origin.get(gran, "built")


@dataclass(frozen=True, slots=True)
class Lift:
    """How often seats that ever held a tile won. lift: that rate over the rate of all seats."""

    tile: str
    held: int
    wins: int
    rate: Interval
    lift: float

    def to_json(self) -> dict[str, Any]:
        """The fields by name."""
        return {
            "tile": self.tile, "held": self.held, "wins": self.wins, "win_rate": self.rate.to_json(), "lift": self.lift,
        }  # fmt: skip


@dataclass
class KingTotals(Totals):
    """How games of King of the Tabletop go.

    wins: games won by each seat alone; shared: games shared at a turn limit. victories: by ``VICTORIES``. turns: how
    many games ended in this turn. paths: for each turn, how many games reached it, and the sum of each seat's prestige
    at its first decision; final: the same at the end. held: for "tiles" and "specials", by name, how many seats ever
    held one, and how many of these won.
    """

    columns: ClassVar[tuple[str, ...]] = (
        "result", "victory", "winner", "turns", "decisions",
        *(f"{name}_{seat}" for seat in range(1, _SEATS + 1) for name in _SEAT_COLUMNS),
    )  # fmt: skip

    games: int = 0
    seats: int = 0
    wins: list[int] = field(default_factory=lambda: [0] * _SEATS)
    shared: int = 0
    victories: Counter[str] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    decisions: int = 0
    paths: dict[int, list[int]] = field(default_factory=dict)
    final: list[int] = field(default_factory=lambda: [0] * _SEATS)
    held: dict[str, dict[str, list[int]]] = field(default_factory=lambda: {name: {} for name in HOLDINGS})

    def observer(self) -> KingObserver:
        """A new observer for one game."""
        return KingObserver()

    def row(self, view: View, over: Over, decisions: int, observer: Observer) -> Row:
        """Result, how it was won, the winner's seat (several at a shared end), then for each seat what it came to.

        Seats are counted from 1. path: prestige turn by turn. tiles, specials: what the seat ever held.
        """
        assert isinstance(view, KingView)
        assert isinstance(observer, KingObserver)
        winners = "+".join(str(seat) for seat, share in enumerate(over.returns, 1) if share)
        row: list[int | str] = [over.reason, observer.victory(view, over), winners, view.turn, decisions]
        box = view.box
        for seat in range(_SEATS):
            if seat >= view.seats:
                row += [""] * len(_SEAT_COLUMNS)
                continue
            names = [
                " ".join(sorted({box.slug[tile] for tile in observer.held[seat] if first <= tile < end}))
                for first, end in ((0, box.deck), (box.deck, box.lands))
            ]
            path = " ".join(str(each[seat]) for each in observer.prestige)
            row += [view.prestige[seat], view.gold[seat], len(view.lands[seat]), path, *names]
        return tuple(row)

    def count(self, row: Row) -> None:
        """Add a game."""
        values = dict(zip(self.columns, row, strict=True))
        winners = [int(seat) - 1 for seat in str(values["winner"]).split("+")]
        self.games += 1
        if len(winners) == 1:
            self.wins[winners[0]] += 1
        else:
            self.shared += 1
        self.victories[str(values["victory"])] += 1
        self.turns[int(values["turns"])] += 1
        self.decisions += int(values["decisions"])
        for seat in range(_SEATS):
            if values[f"prestige_{seat + 1}"] == "":
                break
            self.seats = max(self.seats, seat + 1)
            self.final[seat] += int(values[f"prestige_{seat + 1}"])
            for turn, points in enumerate(str(values[f"path_{seat + 1}"]).split()):
                sums = self.paths.setdefault(turn, [0] * (_SEATS + 1))
                sums[0] += seat == 0
                sums[seat + 1] += int(points)
            for name in HOLDINGS:
                for tile in str(values[f"{name}_{seat + 1}"]).split():
                    pair = self.held[name].setdefault(tile, [0, 0])
                    pair[0] += 1
                    pair[1] += winners == [seat]

    # -- what it comes to

    def win_rate(self, seat: int) -> Interval:
        """The share of games that a seat won alone, with its 95% interval."""
        return wilson(self.wins[seat], self.games)

    def by_agent(self, agents: Iterable[str]) -> dict[str, tuple[int, int]]:
        """For each agent, the games won by its seats and its seats in all games."""
        found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        for seat, agent in enumerate(agents):
            found[agent][0] += self.wins[seat]
            found[agent][1] += self.games
        return {agent: (wins, seats) for agent, (wins, seats) in found.items()}

    @property
    def mean_turns(self) -> float:
        """The mean length of a game in turns."""
        return sum(turn * games for turn, games in self.turns.items()) / self.games

    def turns_quantile(self, share: float) -> int:
        """The number of turns within which this share of the games ended."""
        so_far = 0
        for turn, games in sorted(self.turns.items()):
            so_far += games
            if so_far >= share * self.games:
                return turn
        return 0

    def prestige_by_turn(self) -> list[tuple[int, int, tuple[float, ...]]]:
        """For each turn: its number, how many games reached it, each seat's mean prestige at its beginning.

        Turn 0 is the set-up, where it has a decision.
        """
        return [
            (turn, sums[0], tuple(points / sums[0] for points in sums[1 : self.seats + 1]))
            for turn, sums in sorted(self.paths.items())
        ]

    def lifts(self, holding: str) -> list[Lift]:
        """Tiles or special characters with how often those who ever held one won, the greatest lift first."""
        base = sum(self.wins) / (self.games * max(1, self.seats))
        found = []
        for tile, (held, wins) in self.held[holding].items():
            rate = wilson(wins, held)
            found.append(Lift(tile, held, wins, rate, rate.estimate / base if base else 0.0))
        return sorted(found, key=lambda lift: (-lift.lift, lift.tile))

    def to_json(self) -> dict[str, Any]:
        """Win rates, victories, lengths, prestige over time, and what goes with winning."""
        return {
            "games": self.games,
            "seats": [
                {
                    "seat": seat + 1, "wins": self.wins[seat], "win_rate": self.win_rate(seat).to_json(),
                    "mean_final_prestige": self.final[seat] / self.games,
                }
                for seat in range(self.seats)
            ],
            "shared": self.shared,
            "victories": [{"victory": code, "games": self.victories[code]} for code in VICTORIES],
            "mean_turns": self.mean_turns,
            "turns": [{"turns": turn, "games": games} for turn, games in sorted(self.turns.items())],
            "prestige_by_turn": [
                {"turn": turn, "games": games, "mean_prestige": list(means)}
                for turn, games, means in self.prestige_by_turn()
            ],
            **{name: [lift.to_json() for lift in self.lifts(name)] for name in HOLDINGS},
            "mean_decisions": self.decisions / self.games,
        }  # fmt: skip
