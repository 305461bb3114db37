"""What is on the table of a war and of a battle, beside the tiles themselves (K28 to K40)."""

from __future__ import annotations

from typing import Any, Final

from muniment.games.king.combat import Fighter

__all__ = ["ATTACKER", "DEFENDER", "Battle", "War"]

ATTACKER: Final = 0
DEFENDER: Final = 1


class War:
    """One attack, from the payment of the army to the homecoming (K28, K45).

    attacker, defender: seats. higher: the side (0 attacker, 1 defender) that won initiative, -1 before. lined: sides
    that have begun to line up, a bit each. wall_land, wall_value, wall_caster: the wall of fire, -1 if there is none.
    golem: the seat whose army the golem joined, or -1. fought: lands whose battle has begun or is off, a bit each.
    off: whether the mist has ended the war.
    """

    __slots__ = (
        "attacker", "defender", "fought", "golem", "higher", "lined", "off", "wall_caster", "wall_land", "wall_value",
    )  # fmt: skip

    def __init__(self, attacker: int, defender: int) -> None:
        self.attacker = attacker
        self.defender = defender
        self.higher = -1
        self.lined = 0
        self.wall_land = -1
        self.wall_value = 0
        self.wall_caster = -1
        self.golem = -1
        self.fought = 0
        self.off = 0

    def seat(self, side: int) -> int:
        """The seat of a side."""
        return self.defender if side else self.attacker

    def side(self, seat: int) -> int:
        """The side of a seat, -1 for one that is not in the war."""
        return 0 if seat == self.attacker else 1 if seat == self.defender else -1

    def copy(self) -> War:
        """An independent copy."""
        new = War.__new__(War)
        for name in War.__slots__:
            setattr(new, name, getattr(self, name))
        return new

    def values(self) -> tuple[int, ...]:
        """Every field, in the order of their names."""
        return tuple([getattr(self, name) for name in War.__slots__])

    def to_json(self) -> dict[str, int]:
        """The fields by name."""
        return dict(zip(War.__slots__, self.values(), strict=True))


class Battle:
    """One battle, in a war or for a land from the land deck, from the reveal to its end (K26, K32).

    land: its number; in a fight the land that is fought for. fight: whether it is a fight (K26). attacker, defender:
    seats; in a fight the left player is the defender. sides: who stands on each side, as ``combat`` sees them.
    absorbed: hits the forts have taken; stood: how many of them when the stage began. stage: -1 before the dice, 0
    ranged, 1 hand to hand. hits: on each side, still to be placed. rolled: whether the dice of a side have been thrown
    in this stage, a bit each. ended: no more fighting.
    """

    __slots__ = (
        "absorbed",
        "attacker",
        "defender",
        "ended",
        "fight",
        "hits",
        "land",
        "rolled",
        "sides",
        "stage",
        "stood",
    )

    def __init__(self, land: int, attacker: int, defender: int, fight: int) -> None:
        self.land = land
        self.attacker = attacker
        self.defender = defender
        self.fight = fight
        self.sides: list[tuple[Fighter, ...]] = [(), ()]
        self.absorbed = 0
        self.stood = 0
        self.stage = -1
        self.hits = [0, 0]
        self.rolled = 0
        self.ended = 0

    def seat(self, side: int) -> int:
        """The seat of a side."""
        return self.defender if side else self.attacker

    def copy(self) -> Battle:
        """An independent copy."""
        new = Battle.__new__(Battle)
        new.land, new.attacker, new.defender, new.fight = self.land, self.attacker, self.defender, self.fight
        new.sides, new.hits = self.sides[:], self.hits[:]
        new.absorbed, new.stood, new.stage = self.absorbed, self.stood, self.stage
        new.rolled, new.ended = self.rolled, self.ended
        return new

    def values(self) -> tuple[Any, ...]:
        """Every field as a hashable value."""
        return (
            self.land, self.attacker, self.defender, self.fight, *self.sides, self.absorbed, self.stood, self.stage,
            *self.hits,
            self.rolled, self.ended,
        )  # fmt: skip
