"""The verifiable dice, against the documented rule carried out anew with the HMAC of the standard library."""

import hashlib
import hmac
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.core.dice import RandomStream, SeededDice, commitment_to, new_seed, seed_from_text
from muniment.core.errors import MunimentError

SEED = bytes(range(32))
GOLDEN = "311236442625461165316431136146124332664116263622132133163244"


def stream(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.new(key, block.to_bytes(8, "big"), hashlib.sha256).digest()
        block += 1


def below(n: int, source: Iterator[int]) -> int:
    """The rule as documented, in its own words."""
    if n == 1:
        return 0
    k = 1
    while 256**k < n:
        k += 1
    while True:
        v = int.from_bytes(bytes(next(source) for _ in range(k)), "big")
        if v < 256**k - 256**k % n:
            return v % n


def test_the_commitment_is_the_seeds_digest() -> None:
    expected = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"  # sha256sum of bytes 0 to 31
    assert commitment_to(SEED) == SeededDice(SEED).commitment == expected


@pytest.mark.parametrize("nonces", [(), (b"",), (b"ada", b"bob"), (b"ad", b"abob")])
def test_dice_follow_the_documented_rule(nonces: tuple[bytes, ...]) -> None:
    message = b"muniment dice 1" + b"".join(len(nonce).to_bytes(4, "big") + nonce for nonce in nonces)
    source = stream(hmac.new(SEED, message, hashlib.sha256).digest())
    dice = SeededDice(SEED, nonces)
    for n in [6] * 500 + [1, 2, 7, 256, 257, 1000, 65_536, 65_537, 2**40] * 20:
        assert dice.below(n) == below(n, source), n
    assert dice.nonces == nonces


def test_nonces_change_the_dice() -> None:
    """Also where they are cut in another place: each is preceded by its length."""
    rolls = [
        [SeededDice(SEED, nonces).below(2**64)] for nonces in [(), (b"",), (b"ab", b"c"), (b"a", b"bc"), (b"abc",)]
    ]
    assert len({roll[0] for roll in rolls}) == 5


def test_a_known_stream() -> None:
    """Golden: these dice may never change, or old records no longer verify."""
    dice = SeededDice(SEED)
    assert "".join(str(dice.below(6) + 1) for _ in range(60)) == GOLDEN


@given(st.integers(1, 2**40))
def test_numbers_are_below_n(n: int) -> None:
    source = RandomStream(SEED)
    assert all(0 <= source.below(n) < n for _ in range(20))


@pytest.mark.parametrize("n", [0, -1, -300])
def test_nothing_is_below_0(n: int) -> None:
    with pytest.raises(ValueError, match="n must be at least 1"):
        RandomStream(SEED).below(n)


def test_a_single_choice_reads_nothing() -> None:
    source = RandomStream(SEED)
    assert source.below(1) == 0
    assert source.at == 0
    source.below(6)
    assert source.at >= 1


@pytest.mark.parametrize("n", [2, 3, 6, 7, 300])
def test_numbers_are_uniform(n: int) -> None:
    """Each face comes within 5 standard deviations of its share."""
    source, rolls = RandomStream(SEED), 30_000
    counts = [0] * n
    for _ in range(rolls):
        counts[source.below(n)] += 1
    share = rolls / n
    assert all(abs(count - share) < 5 * share**0.5 for count in counts)


def test_a_stream_goes_on_where_another_stopped() -> None:
    for read in (0, 1, 31, 32, 33, 64, 100):
        first = RandomStream(SEED)
        for _ in range(read):
            first.below(256)
        assert first.at == read
        assert repr(first) == f"<RandomStream at byte {read}>"
        second = RandomStream(SEED)
        second.go_to(first.at)
        assert second.at == read
        assert [first.below(256) for _ in range(70)] == [second.below(256) for _ in range(70)]


def test_labelled_streams_are_independent() -> None:
    streams = [
        RandomStream.labelled(SEED, *labels) for labels in [("agent", 0), ("agent", 1), ("agent",), ("agent", "0")]
    ]
    assert len({source.below(2**64) for source in streams}) == 4
    again = RandomStream.labelled(SEED, "agent", 0)
    assert again.below(2**64) == RandomStream.labelled(SEED, "agent", 0).below(2**64)


def test_choice() -> None:
    source = RandomStream(SEED)
    assert {source.choice("abc") for _ in range(100)} == {"a", "b", "c"}


@pytest.mark.parametrize("length", [0, 31, 33])
def test_seeds_have_32_bytes(length: int) -> None:
    with pytest.raises(MunimentError, match=f"a seed has 32 bytes, not {length}"):
        SeededDice(bytes(length))


def test_seeds() -> None:
    assert len(new_seed()) == 32
    assert new_seed() != new_seed()
    assert seed_from_text("7") == hashlib.sha256(b"muniment seed: 7").digest()
    assert seed_from_text("é") == hashlib.sha256("muniment seed: é".encode()).digest()
