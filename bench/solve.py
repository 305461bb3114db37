"""Solving 9 Card Siege: time, memory and size of a table, and how fast it answers; games played by the kernel."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.registry import Row, benchmark, rate
from muniment.core.dice import RandomStream
from muniment.games.siege import Siege
from muniment.games.siege.state import ACTIONS_STEP, OVER, SiegeState
from muniment.solve.batch import play_batch
from muniment.solve.solving import open_table
from muniment.solve.values import Values

SOLVING = """
import json, sys, time
from pathlib import Path
import psutil
from muniment.solve.solving import solve
wall, cpu = time.perf_counter(), time.process_time()
table = solve(folder=Path(sys.argv[1]))
times = [time.perf_counter() - wall, time.process_time() - cpu]
memory = psutil.Process().memory_info()
peak = getattr(memory, "peak_wset", None)
if peak is None:
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
print(json.dumps({"wall": times[0], "cpu": times[1], "peak": peak, "bytes": table.bytes}))
"""
BATCH = 200_000


def positions(count: int) -> list[SiegeState]:
    """Positions of random play in which an action is awaited."""
    game, dice = Siege(), RandomStream(bytes(32))
    found: list[SiegeState] = []
    while len(found) < count:
        state = game.initial()
        while state.step != OVER and len(found) < count:
            if state.step == ACTIONS_STEP:
                found.append(state.copy())
                game.apply(state, dice.choice(game.legal_actions(state)))
            else:
                game.apply_outcome(state, game.sample(state, dice))
    return found


@benchmark
def solving() -> Iterator[Row]:
    """The standard game, in a process of its own and from nothing."""
    with tempfile.TemporaryDirectory() as name:
        command = [sys.executable, "-c", SOLVING, name]
        done = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        yield Row("solve: wall time", done["wall"], "s", "standard game, all cores, once compiled")
        yield Row("solve: CPU time", done["cpu"], "s", "a C++ solver of the same state space: about 220")
        yield Row("solve: peak memory", done["peak"] / 1e6, "MB")
        yield Row("solve: table", done["bytes"] / 1e6, "MB", "on disk")
        folder = Path(name)
        table = open_table(folder=folder)
        yield Row("solve: open a table", 1 / rate(lambda: open_table(folder=folder), repeats=3), "s", "digest checked")
        values = Values(table)
        asked = positions(200)

        def ask() -> None:
            for state in asked:
                values.odds(state)

        yield Row("solve: odds of a position", 1000 / rate(ask, len(asked), repeats=3), "ms", "every action's; mean")
        perfect = rate(lambda: play_batch(table.rules, table, BATCH), BATCH, repeats=1)
        yield Row("solve: games of perfect play", perfect, "games/s", f"batch of {BATCH:,}, all cores")
        random = rate(lambda: play_batch(table.rules, None, BATCH), BATCH, repeats=3)
        yield Row("solve: games of random play", random, "games/s", f"batch of {BATCH:,}, all cores")
