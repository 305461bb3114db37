"""Verifiable dice: the seed is committed to before the first roll and revealed after the last.

The documented rule, enough to check a record with any HMAC library:

* ``commitment`` = SHA-256 of the 32-byte ``seed``, published before the first roll.
* Seats may add *nonces* after the commitment, so that whoever made the seed cannot choose the dice.
* ``key`` = HMAC-SHA-256(key = seed, message = ``b"muniment dice 1"`` + each nonce, preceded by its length in 4 bytes).
* Block *i* = HMAC-SHA-256(key = key, message = *i* in 8 bytes), i = 0, 1, 2, ...; the blocks in a row are the stream.
* A uniform number below *n*: if n is 1 it is 0 and nothing is read. Otherwise read the fewest bytes *k* with
  256**k >= n as one number *v* (all integers are big-endian); if v >= 256**k - 256**k % n, read again; the result is
  v % n. A die shows one more than the number below 6.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import TypeVar

from muniment.core.errors import MunimentError

__all__ = ["SEED_BYTES", "RandomStream", "SeededDice", "commitment_to", "new_seed", "seed_from_text"]

SEED_BYTES = 32
_LIMITS = (0, *(256 - 256 % n for n in range(1, 257)))
_LABEL = b"muniment dice 1"
T = TypeVar("T")


def new_seed() -> bytes:
    """A fresh secret seed from the operating system."""
    return secrets.token_bytes(SEED_BYTES)


def seed_from_text(text: str) -> bytes:
    """The seed that stands for a text a person chose (``--seed 7``): SHA-256 of ``muniment seed: `` and the text."""
    try:
        return hashlib.sha256(b"muniment seed: " + text.encode()).digest()
    except UnicodeEncodeError:
        raise MunimentError(f"{text!r} is not a text for a seed") from None


def commitment_to(seed: bytes) -> str:
    """The published commitment to a seed: its SHA-256 in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


class RandomStream:
    """A deterministic stream of uniform numbers under a 32-byte key, the same on every machine."""

    __slots__ = ("_at", "_block", "_buffer", "_end", "_key")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._block = 0
        self._buffer = b""
        self._at = 0
        self._end = 0

    @classmethod
    def labelled(cls, seed: bytes, *labels: str | int) -> RandomStream:
        """An independent stream for a purpose: its key is an HMAC of the seed, from which the seed cannot be found."""
        return cls(hmac.digest(seed, repr(labels).encode(), "sha256"))

    def _refill(self) -> None:
        """The next block; one at a time, since a short game needs no more."""
        self._buffer = hmac.digest(self._key, self._block.to_bytes(8, "big"), "sha256")
        self._block += 1
        self._at, self._end = 0, len(self._buffer)

    def below(self, n: int) -> int:
        """A uniform integer from 0 to n - 1.

        Raises ValueError if n is below 1.
        """
        if n == 6 or 1 < n <= 256:
            limit = _LIMITS[n]
            while True:
                at = self._at
                if at == self._end:
                    self._refill()
                    at = 0
                value = self._buffer[at]
                self._at = at + 1
                if value < limit:
                    return value % n
        if n == 1:
            return 0
        if n < 1:
            raise ValueError(f"below({n}): n must be at least 1")
        width = ((n - 1).bit_length() + 7) // 8
        span = 256**width
        while True:
            value = 0
            for _ in range(width):
                value = value << 8 | self._byte()
            if value < span - span % n:
                return value % n

    def _byte(self) -> int:
        if self._at == self._end:
            self._refill()
        self._at += 1
        return self._buffer[self._at - 1]

    @property
    def at(self) -> int:
        """How many bytes have been read; ``go_to`` goes on from there in another stream under the same key."""
        return self._block * 32 - self._end + self._at

    def go_to(self, byte: int) -> None:
        """Go on reading at this byte of the stream, from 0."""
        self._block = byte // 32
        self._refill()
        self._at = byte % 32

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, uniformly."""
        return items[self.below(len(items))]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} at byte {self.at}>"


class SeededDice(RandomStream):
    """The dice of a match: a stream whose seed was committed to.

    seed: 32 secret bytes. nonces: what the seats added after the commitment, in seat order.
    Raises MunimentError if the seed has another length.
    """

    __slots__ = ("nonces", "seed")

    def __init__(self, seed: bytes, nonces: Sequence[bytes] = ()) -> None:
        if len(seed) != SEED_BYTES:
            raise MunimentError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        mixed = b"".join(len(nonce).to_bytes(4, "big") + nonce for nonce in nonces)
        super().__init__(hmac.digest(seed, _LABEL + mixed, "sha256"))
        self.seed = seed
        self.nonces = tuple(nonces)

    @property
    def commitment(self) -> str:
        """The commitment to the seed, safe to publish before the game."""
        return commitment_to(self.seed)
