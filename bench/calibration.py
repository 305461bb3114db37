"""A fixed piece of work to compare machines by: divide other figures by this one."""

from collections.abc import Iterator

from bench.registry import Row, benchmark, rate

STEPS = 500_000
MASK = 0xFFFF_FFFF


def xorshift(steps: int) -> int:
    """The 32-bit generator after so many steps: shifts, masks and a list index, as game code does them."""
    x = 2463534242
    seen = [0] * 64
    for _ in range(steps):
        x ^= x << 13 & MASK
        x ^= x >> 17
        x ^= x << 5 & MASK
        seen[x & 63] += 1
    return x ^ max(seen)


@benchmark
def calibration() -> Iterator[Row]:
    """Loop steps a second in plain Python, on one core."""
    yield Row("calibration", rate(lambda: xorshift(STEPS), STEPS), "steps/s", "plain Python loop, one core")
