"""Games played in the environments as tables, one row for each action, kept as Parquet files (extra ``arena``).

A file says which environment, edition (by digest), options and version of the encoding its rows are of, and is read
only for an environment that has the same: numbers of another encoding or other cards would mean something else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

try:
    import numpy as np
except ImportError as error:
    raise ImportError(
        f"trajectories need NumPy, which comes with each environment: pip install 'muniment[gymnasium,arena]' ({error})"
    ) from None
from numpy.typing import NDArray

from muniment.core.errors import MunimentError
from muniment.core.options import OptionValue
from muniment.envs.siege_setup import SIEGE_ID

if TYPE_CHECKING:
    from muniment.envs.siege_vector import SiegeVectorEnv

__all__ = ["Origin", "Trajectories", "read_trajectories", "record_king", "record_siege", "write_trajectories"]

_FORMAT: Final = "muniment trajectories 1"
_KEY: Final = b"muniment"
Numbers = NDArray[Any]


@dataclass(frozen=True)
class Origin:
    """What rows are of. environment: its id with the version; options: all of them; encoding: its version."""

    environment: str
    edition: str
    edition_digest: str
    options: dict[str, OptionValue]
    encoding: int

    @classmethod
    def of(cls, env: Any) -> Origin:
        """That of an environment of this package, whatever wrappers it is in."""
        bare = env.unwrapped
        game = bare.game
        name = bare.metadata.get("name") or SIEGE_ID
        return cls(name, game.edition_name, game.edition_digest, dict(game.option_values), bare.encoding_version)


class Trajectories(NamedTuple):
    """Rows, as one array for each column; a row is one action.

    seed, game: which game it was in: the games since a reset with the seed are numbered from 0, so that it can be
    played again. step: number of the action in its game, from 0. seat: who acted. observation, action_mask: what the
    seat saw and might do, one row each. reward: what the action brought, with what came until the seat's next action
    or the end. end: whether it was the seat's last action in the game; false throughout for games that were broken off.
    """

    seed: Numbers
    game: Numbers
    step: Numbers
    seat: Numbers
    observation: Numbers
    action_mask: Numbers
    action: Numbers
    reward: Numbers
    end: Numbers

    @classmethod
    def joined(cls, parts: Sequence[Trajectories]) -> Trajectories:
        """All rows of the parts, at least one part, in this order."""
        return cls(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def record_siege(
    env: SiegeVectorEnv, choose: Callable[[Numbers, Numbers], Numbers], steps: int, seed: int = 0
) -> Trajectories:
    """What happens in so many steps of all games after a reset with the seed.

    choose: actions from observations and action masks. env: in the mode "SameStep". Raises MunimentError for another.
    """
    if env.metadata["autoreset_mode"].value != "SameStep":
        raise MunimentError('trajectories are recorded from games that follow each other: autoreset_mode="SameStep"')
    if steps < 1:
        raise MunimentError(f"steps must be at least 1, not {steps}")
    count = env.num_envs
    seeds, seats = seed + np.arange(count), np.zeros(count, np.int8)
    games, numbers = np.zeros(count, np.int64), np.zeros(count, np.int32)
    parts = []
    seen, infos = env.reset(seed=seed)
    for _ in range(steps):
        before, mask = seen.copy(), infos["action_mask"].copy()
        actions = np.asarray(choose(before, mask))
        seen, rewards, ends, _, infos = env.step(actions)
        parts.append(
            Trajectories(
                seeds, games.copy(), numbers.copy(), seats, before, mask, actions.astype(np.int32),
                rewards.astype(np.float32), ends.copy(),
            )
        )  # fmt: skip
        games += ends
        numbers = np.where(ends, 0, numbers + 1).astype(np.int32)
    return Trajectories.joined(parts)


def record_king(env: Any, choose: Callable[[int, Numbers, Numbers], int], games: int, seed: int = 0) -> Trajectories:
    """So many whole games of the PettingZoo environment ``king_v0`` after a reset with the seed.

    choose: an action from the seat, its observation and its action mask.
    """
    if games < 1:
        raise MunimentError(f"games must be at least 1, not {games}")
    rows: list[list[Any]] = []
    for number in range(games):
        env.reset(seed=seed if number == 0 else None)
        last: dict[str, int] = {}
        for step, agent in enumerate(env.agent_iter()):
            seen, reward, terminated, truncated, _ = env.last()
            if agent in last:  # what came since the seat's last action
                rows[last[agent]][_REWARD] = reward
                rows[last[agent]][_END] = terminated
            if terminated or truncated:
                env.step(None)
                continue
            seat = env.possible_agents.index(agent)
            action = choose(seat, seen["observation"], seen["action_mask"])
            last[agent] = len(rows)
            rows.append([seed, number, step, seat, seen["observation"], seen["action_mask"], action, 0.0, False])
            env.step(action)
    types = (np.int64, np.int64, np.int32, np.int8, None, np.int8, np.int32, np.float32, np.bool_)
    return Trajectories(*(np.array(c, kind) for c, kind in zip(zip(*rows, strict=True), types, strict=True)))


_REWARD, _END = Trajectories._fields.index("reward"), Trajectories._fields.index("end")


def write_trajectories(path: Path, origin: Origin, rows: Trajectories) -> None:
    """Write a Parquet file: a column for each of ``Trajectories``, and in its metadata, as JSON, the origin.

    Raises MunimentError without the extra ``arena``, OSError if the file cannot be written.
    """
    _need_pyarrow()
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {}
    for name, column in rows._asdict().items():
        if column.ndim == 2:
            columns[name] = pa.FixedSizeListArray.from_arrays(pa.array(column.ravel()), column.shape[1])
        else:
            columns[name] = pa.array(column)
    header = json.dumps({"format": _FORMAT, **asdict(origin)})
    pq.write_table(pa.table(columns).replace_schema_metadata({_KEY: header.encode()}), path)


def read_trajectories(path: Path, origin: Origin) -> Trajectories:
    """The rows of a file, for an environment of this origin.

    Raises MunimentError without the extra ``arena``, and if the file holds no trajectories or those of another origin:
    another edition, options or encoding; OSError if it cannot be read.
    """
    _need_pyarrow()
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
        header = json.loads((table.schema.metadata or {})[_KEY])
        columns = [table.column(name).combine_chunks() for name in Trajectories._fields]
        if not isinstance(header, dict) or not all(_holds_numbers(column) for column in columns):
            raise ValueError
    except (pa.ArrowInvalid, KeyError, ValueError):
        raise MunimentError(f"{path}: not a file of trajectories") from None
    except OSError as error:
        if type(error) is not OSError or error.errno is not None:
            raise
        raise MunimentError(f"{path}: a damaged file") from None  # what pyarrow means by an error without number
    for name, expected in {"format": _FORMAT, **asdict(origin)}.items():
        if name != "edition" and header.get(name) != expected:
            raise MunimentError(
                f"{path}: its {name.replace('_', ' ')} is {header.get(name)!r}, but the environment's is {expected!r}"
            )
    return Trajectories(*(_array(column) for column in columns))


def _holds_numbers(column: Any) -> bool:
    """Whether an Arrow array has a number or truth value everywhere, or a list of them of one length."""
    import pyarrow as pa

    kind = column.type.value_type if pa.types.is_fixed_size_list(column.type) else column.type
    known = (pa.types.is_boolean, pa.types.is_integer, pa.types.is_floating)
    return not column.null_count and any(is_it(kind) for is_it in known)


def _array(column: Any) -> Numbers:
    if hasattr(column, "flatten") and hasattr(column.type, "list_size"):
        return np.asarray(column.flatten()).reshape(-1, column.type.list_size)
    return np.asarray(column)


def _need_pyarrow() -> None:
    if find_spec("pyarrow") is None:
        raise MunimentError("trajectories need the extra 'arena': pip install 'muniment[arena]'")
