"""Scripted positions: short descriptions of a table, and a hand that plays on from there, checking what is legal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from muniment.core.dice import RandomStream, seed_from_text
from muniment.core.events import Event, EventLog
from muniment.core.game import Chance, Decision, Over, Pending
from muniment.games.king import King, KingOptions
from muniment.games.king.actions import KingOutcome
from muniment.games.king.state import CUP, NO_TILE, KingState

Frame = list[object]
Player = dict[str, Any]


@cache
def king(**options: object) -> King:
    """The game with these options."""
    return King(options=KingOptions.read(options))


def player(lands: str = "", hand: str = "", army: str = "", gold: int = 0, **rest: Any) -> Player:
    """A seat. Lands are written ``forest-1:2:city``: name, fort level, improvement; several with spaces."""
    return {
        "gold": gold,
        "lands": [land(text) for text in lands.split()],
        "hand": hand.split(),
        "army": army.split(),
        **rest,
    }


def land(text: str) -> dict[str, Any]:
    """One land of ``player``."""
    name, _, rest = text.partition(":")
    fort, _, improvement = rest.partition(":")
    found: dict[str, Any] = {"land": name}
    if fort and fort != "0":
        found["fort"] = int(fort)
    if improvement:
        found["improvement"] = improvement
    return found


def part(phase: int, *steps: Frame, seat: int = 0) -> list[Frame]:
    """Frames for the middle of a seat's part of a phase: the steps in the order in which they happen."""
    return [["turn-end", -1], ["part-end", seat], *reversed([list(step) for step in steps])] if phase else []


class Table:
    """A game at a state, played on by notation. ``do`` and ``roll`` check that what is asked for can happen."""

    def __init__(
        self,
        *players: Player,
        frames: Iterable[Frame] | None = None,
        options: dict[str, object] | None = None,
        game: King | None = None,
        **rest: Any,
    ) -> None:
        self.game = game or king(**(options or {}))
        position: dict[str, Any] = {"players": list(players), **rest}
        if frames is not None:
            position["frames"] = list(frames)
        self.state: KingState = self.game.state_from_json(position)
        self.events: list[Event] = []

    @property
    def pending(self) -> Pending:
        return self.game.pending(self.state)

    @property
    def asks(self) -> tuple[str, int]:
        """The kind of decision awaited, and the seat."""
        pending = self.pending
        assert isinstance(pending, Decision), pending
        return pending.kind, pending.seats[0]

    @property
    def rolls(self) -> str:
        """The kind of chance awaited."""
        pending = self.pending
        assert isinstance(pending, Chance), pending
        return pending.kind

    @property
    def over(self) -> Over:
        pending = self.pending
        assert isinstance(pending, Over), pending
        return pending

    def legal(self, seat: int | None = None) -> list[str]:
        """The notations of what a seat may do, the seat asked if none is given."""
        seat = self.asks[1] if seat is None else seat
        return [action.notation for action in self.game.legal_actions(self.state, seat)]

    def do(self, *actions: str, seat: int | None = None) -> Table:
        """Play actions, by the seat asked or by this one."""
        for text in actions:
            who = self.asks[1] if seat is None else seat
            log = EventLog()
            self.game.play(self.state, self.game.parse_action(text), who, log)
            self.events += log
            self.check()
        return self

    def comes(self, text: str) -> Table:
        """What chance brings."""
        outcome = self.game.parse_outcome(text)
        assert self.game.admits(self.state, outcome), f"{text} at {self.pending}"
        log = EventLog()
        self.game.apply_outcome(self.state, outcome, log)
        self.events += log
        self.check()
        return self

    def roll(self, *dice: int) -> Table:
        return self.comes("dice " + " ".join(map(str, dice)))

    def draw(self, *slugs: str) -> Table:
        for slug in slugs:
            self.comes(f"tile {slug}")
        return self

    def refused(self, action: str, seat: int | None = None) -> str:
        """The code of the refusal of an action."""
        who = self.asks[1] if seat is None else seat
        refusal = self.game.refusal(self.state, self.game.parse_action(action), who)
        assert refusal is not None, f"{action} is legal"
        assert refusal.rule in self.game.rulebook()
        return refusal.code

    def until(self, stop: Callable[[Table], bool], most: int = 200) -> Table:
        """Pass and roll sixes-free dice until something is so."""
        for _ in range(most):
            if stop(self):
                return self
            self.idle()
        raise AssertionError("it never came to that")

    def idle(self) -> None:
        """The least that can be done: pass, done, no; dice all 1 but for the first outcome of draws."""
        if isinstance(self.pending, Decision):
            legal = self.legal()
            for word in ("pass", "done", "peace", "decline", "stand"):
                if word in legal:
                    self.do(word)
                    return
            self.do(legal[0])
        else:
            self.comes(self.game.chance(self.state).outcomes[0].notation)

    # -- looking

    def hand(self, seat: int = 0) -> list[str]:
        return [self.state.box.slug[tile] for tile in self.state.hand[seat]]

    def army(self, seat: int = 0) -> list[str]:
        return [self.state.box.slug[tile] for tile in self.state.army[seat]]

    def lands(self, seat: int = 0) -> list[str]:
        return [self.state.box.land_slug[number] for number in self.state.lands[seat]]

    def fort(self, name: str) -> int:
        return self.state.fort[self.state.box.land_named[name]]

    def improvement(self, name: str) -> str:
        tile = self.state.imp[self.state.box.land_named[name]]
        return "" if tile == NO_TILE else self.state.box.slug[tile]

    def in_cup(self, slug: str) -> bool:
        """Whether a tile of the kind is in its cup, or in the bank."""
        return any(self.state.zone[tile] == CUP for tile in self.state.box.tiles_named(slug))

    def in_land_cup(self, name: str) -> bool:
        """Whether this land is in its cup."""
        return self.state.zone[self.state.box.lands + self.state.box.land_named[name]] == CUP

    def happened(self, kind: str) -> list[Event]:
        return [event for event in self.events if event.kind == kind]

    def check(self) -> None:
        """What holds in every state."""
        check_invariants(self.state)


def check_invariants(s: KingState) -> None:
    """Tiles conserved and where their lists say, gold never negative, running totals right."""
    box, zone = s.box, s.zone
    assert all(gold >= 0 for gold in s.gold), s.gold
    assert s.cup == [t for t in range(box.deck) if zone[t] == CUP]
    assert s.land_cup == [t for t in range(box.lands, box.size) if zone[t] == CUP]
    for seat in range(s.seats):
        assert s.hand[seat] == [t for t in range(box.lands) if zone[t] == 8 | seat]
        assert s.army[seat] == [t for t in range(box.lands) if zone[t] == 16 | seat]
        assert sorted(s.lands[seat]) == [n for n in range(box.land_count) if zone[box.lands + n] == 40 | seat]
        worth = sum(1 + s.fort[n] + (box.value[s.imp[n]] if s.imp[n] != NO_TILE else 0) for n in s.lands[seat])
        assert worth == s.worth[seat]
        assert s.nobles[seat] == sum(zone[t] in (16 | seat, 24 | seat) for t in range(box.deck, box.lands))
        assert s.has_gran(seat) == any(s.fort[n] == 4 for n in s.lands[seat])
        assert sum(s.fort[n] == 4 for n in s.lands[seat]) <= 1
        if s.war is None and s.battle is None and s.out >> seat & 1 == 0:
            assert not s.homeless(seat)
    assert s.field == [t for t in range(box.lands) if zone[t] & 0xF8 == 24]
    assert s.dead == [t for t in range(box.lands) if zone[t] & 0xF8 == 32]
    assert s.owners == [t for t in range(box.lands) if zone[t] == 2]
    assert all(number >= 0 for number in s.bank)
    assert [s.bank[level] + s.fort.count(level) for level in range(1, 5)] == list(box.edition.forts[1:])
    for number, tile in enumerate(s.imp):
        assert tile == NO_TILE or (zone[tile] == 1 and s.place[tile] == number)


class Random:
    """Players who choose at random, sometimes out of turn; the same for the same seed."""

    def __init__(self, seed: str) -> None:
        self.stream = RandomStream.labelled(seed_from_text(seed), "test")

    def step(self, game: King, s: KingState) -> tuple[int, str]:
        """One decision or outcome; returns the seat, -1 for chance, and the notation."""
        pending = game.pending(s)
        if isinstance(pending, Decision):
            seat = self.stream.below(s.seats) if self.stream.below(6) == 0 else pending.seats[0]
            legal = game.legal_actions(s, seat) or game.legal_actions(s, seat := pending.seats[0])
            assert legal, f"stuck at {s.frames[-1]}"
            action = self.stream.choice(legal)
            game.apply(s, action, seat)
            return seat, action.notation
        outcome: KingOutcome = game.sample(s, self.stream)
        game.apply_outcome(s, outcome)
        return -1, outcome.notation
