"""Trajectories: rows that tell the game, files that come back, and none for another game."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from muniment.core.errors import MunimentError
from muniment.envs.gymnasium import SiegeEnv
from muniment.envs.king_v0 import env as king_env
from muniment.envs.siege_vector import SiegeVectorEnv
from muniment.envs.trajectories import (
    Origin,
    Trajectories,
    read_trajectories,
    record_king,
    record_siege,
    write_trajectories,
)


@pytest.fixture(scope="module")
def siege() -> tuple[Origin, Trajectories]:
    env = SiegeVectorEnv(4, autoreset_mode="SameStep")
    return Origin.of(env), record_siege(env, lambda seen, mask: env.random_actions(), 60, seed=5)


def same(ours: Trajectories, theirs: Trajectories) -> None:
    for name, mine, other in zip(Trajectories._fields, ours, theirs, strict=True):
        assert mine.dtype == other.dtype, name
        assert np.array_equal(mine, other), name


def test_rows_are_games_that_can_be_played_again(siege: tuple[Origin, Trajectories]) -> None:
    """Seed, number of the game and actions lead a single environment through the same rows."""
    _, rows = siege
    assert rows.end.sum() > 4
    env = SiegeEnv()
    for seed in range(5, 9):
        seen, info = env.reset(seed=seed)
        for i in np.flatnonzero(rows.seed == seed):
            assert np.array_equal(rows.observation[i], seen)  # type: ignore[arg-type]
            assert np.array_equal(rows.action_mask[i], info["action_mask"])
            seen, reward, end, _, info = env.step(rows.action[i])
            assert (rows.reward[i], rows.end[i]) == (reward, end)
            if end:
                seen, info = env.reset()
    first = rows.step == 0
    assert (rows.game[first][4:] >= 1).all()
    assert (rows.game[:4] == 0).all()


def test_a_file_comes_back_as_it_was(siege: tuple[Origin, Trajectories], tmp_path: Path) -> None:
    origin, rows = siege
    path = tmp_path / "games.parquet"
    write_trajectories(path, origin, rows)
    same(read_trajectories(path, Origin.of(SiegeEnv())), rows)
    assert str(pq.read_schema(path).field("observation").type).startswith("fixed_size_list")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("edition_digest", "0" * 64), ("encoding", 2), ("options", {"ones": "natural"}),
        ("environment", "muniment/Siege-v1"),
    ],
)  # fmt: skip
def test_rows_of_another_game_are_refused(
    siege: tuple[Origin, Trajectories], tmp_path: Path, name: str, value: object
) -> None:
    origin, rows = siege
    path = tmp_path / "games.parquet"
    write_trajectories(path, origin, rows)
    with pytest.raises(
        MunimentError, match=rf"games\.parquet: its {name.replace('_', ' ')} is .*, but the environment"
    ):
        read_trajectories(path, replace(origin, **{name: value}))  # type: ignore[arg-type]


def test_what_is_no_file_of_trajectories(siege: tuple[Origin, Trajectories], tmp_path: Path) -> None:
    origin, _ = siege
    path = tmp_path / "text"
    path.write_text("no Parquet", encoding="utf-8")
    with pytest.raises(MunimentError, match="text: not a file of trajectories"):
        read_trajectories(path, origin)


def test_damaged_files_are_told(siege: tuple[Origin, Trajectories], tmp_path: Path) -> None:
    """Cut short, a byte changed, another header, or columns that hold no numbers."""
    origin, rows = siege
    path, broken = tmp_path / "games.parquet", tmp_path / "broken.parquet"
    write_trajectories(path, origin, rows)
    whole, table = path.read_bytes(), pq.read_table(path)
    changed = bytearray(whole)
    changed[5] ^= 0xFF  # in the header of the first page
    nothing = pa.array([None] * len(rows.seed), pa.int64())
    texts = pa.array(["x"] * len(rows.seed))
    place = table.schema.get_field_index("observation")
    for content in (
        whole[:-1], bytes(changed), table.replace_schema_metadata({"muniment": "[]"}),
        table.set_column(0, "seed", nothing), table.set_column(place, "observation", texts),
    ):  # fmt: skip
        if isinstance(content, bytes):
            broken.write_bytes(content)
        else:
            pq.write_table(content, broken)
        with pytest.raises(MunimentError, match=r"broken\.parquet: (not a file of trajectories|a damaged file)"):
            read_trajectories(broken, origin)
    with pytest.raises(FileNotFoundError):
        read_trajectories(tmp_path / "none.parquet", origin)


def test_games_must_follow_each_other() -> None:
    with pytest.raises(MunimentError, match='autoreset_mode="SameStep"'):
        record_siege(SiegeVectorEnv(2), lambda seen, mask: seen, 1)


def test_a_king_game_in_rows(tmp_path: Path) -> None:
    """Each seat's last row is its end, or the game was broken off; the file comes back."""
    env = king_env(seats=2, max_steps=150)
    random = np.random.default_rng(1)
    rows = record_king(env, lambda seat, seen, mask: int(random.choice(np.flatnonzero(mask))), 2, seed=3)
    assert set(rows.seat.tolist()) == {0, 1}
    assert set(rows.game.tolist()) == {0, 1}
    assert rows.action_mask[np.arange(len(rows.action)), rows.action].all()
    assert not rows.end.any()
    origin = Origin.of(env)
    assert (origin.environment, origin.edition_digest) == ("king_v0", env.unwrapped.edition_digest)
    path = tmp_path / "king.parquet"
    write_trajectories(path, origin, rows)
    same(read_trajectories(path, origin), rows)
