"""The random stream of the siege game's environments: SplitMix64, fast in compiled code, one stream a game.

It is not verifiable like the dice of a match (``muniment.core.dice``), from which only the seed is taken: the stream's
64-bit state begins as the first 8 bytes, big-endian, of ``seed_from_text(str(seed))``. A uniform number below a small
*n* adds 0x9E3779B97F4A7C15 to the state, mixes it (two xor-shift-multiplies by 30, 27 and a last xor-shift by 31),
takes the upper 31 bits *v* of the result and is v * n >> 31: no face of a die is off by more than 3e-9 from a sixth.
"""

from __future__ import annotations

from typing import Final

from muniment.core.dice import seed_from_text

__all__ = ["SplitMix", "first_state"]

_MASK: Final = (1 << 64) - 1
_GOLDEN: Final = 0x9E3779B97F4A7C15
_MIX_1: Final = 0xBF58476D1CE4E5B9
_MIX_2: Final = 0x94D049BB133111EB


def first_state(seed: int) -> int:
    """The state with which the stream of a seed begins, below 2**64. seed: any whole number."""
    return int.from_bytes(seed_from_text(str(seed))[:8], "big")


class SplitMix:
    """The stream in plain Python: a ``Source`` of the same numbers as in compiled code. state: below 2**64."""

    def __init__(self, state: int) -> None:
        self.state = state

    def below(self, n: int) -> int:
        """A uniform integer from 0 to n - 1; n from 1 to 2**20."""
        self.state = (self.state + _GOLDEN) & _MASK
        z = self.state
        z = (z ^ z >> 30) * _MIX_1 & _MASK
        z = (z ^ z >> 27) * _MIX_2 & _MASK
        z ^= z >> 31
        return (z >> 33) * n >> 31
