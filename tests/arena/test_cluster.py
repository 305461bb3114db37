"""A local Ray cluster of two workers, one of which is killed half-way: the results of one process."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from muniment.arena.tournament import Plan, Tournament, hold
from muniment.core.errors import MunimentError
from tests.arena.own_agents import MARK

OWN = Path(__file__).with_name("own_agents.py")


def arena(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command, in a process of its own: what a cluster warns of is its own affair."""
    return subprocess.run(
        [sys.executable, "-m", "muniment", "arena", "siege", "--agents", "random,fragile.py:Fragile", "-n", "400",
         "--seed", "1", "--json", *arguments],
        cwd=folder, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def numbers(output: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(output)
    assert found.pop("timing")
    return found


def processes_of(folder: Path) -> list[str]:
    """The processes whose command line or working folder names the folder."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                line = (process / "cmdline").read_bytes().decode(errors="replace")
                here = str((process / "cwd").readlink())
            except OSError:
                continue
            if str(folder) in line or here == str(folder):
                found.append(line)
    return found


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="looks at processes")
def test_a_lost_worker_s_games_are_played_again(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    (tmp_path / "fragile.py").write_text(OWN.read_text(encoding="utf-8"), encoding="utf-8")
    on_cluster = arena(tmp_path, "--cluster", "local", "--jobs", "2")
    assert on_cluster.returncode == 0, on_cluster.stderr
    assert (tmp_path / MARK).exists(), "no worker was killed"
    here = arena(tmp_path, "--jobs", "1")
    assert here.returncode == 0, here.stderr
    assert numbers(on_cluster.stdout) == numbers(here.stdout)
    for _ in range(100):
        if not (left := processes_of(tmp_path)):
            return
        time.sleep(0.1)
    pytest.fail(f"processes are left: {left}")


@pytest.mark.parametrize("address", ["127.0.0.1:1", "127.0.0.1:99999"])
def test_a_cluster_that_is_not_there_is_told(address: str) -> None:
    with pytest.raises(MunimentError, match=f"the cluster '{address}' cannot be reached"):
        hold(Tournament(Plan("siege", ("captain", "random"), 1, "1")), 2, cluster=address)


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muniment.arena.cluster.find_spec", lambda _: None)
    with pytest.raises(MunimentError, match=r"pip install 'muniment\[cluster\]'"):
        hold(Tournament(Plan("siege", ("captain", "random"), 1, "1")), 2, cluster="local")


def test_a_cluster_that_does_not_let_one_in_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")
    plan = Plan("siege", ("captain", "random"), 1, "1")
    refusals = (ConnectionError("Failed to connect\nto it"), ray.exceptions.AuthenticationError("InvalidAuthToken"))
    for refusal, words in zip(refusals, ("Failed to connect", "InvalidAuthToken"), strict=True):

        def init(*_: object, refusal: Exception = refusal, **__: object) -> None:
            raise refusal

        monkeypatch.setattr(ray, "init", init)
        with pytest.raises(MunimentError) as told:
            hold(Tournament(plan), 2, cluster="auto")
        lines = str(told.value).splitlines()
        assert len(lines) == 1
        assert lines[0].startswith(f"the cluster 'auto' cannot be used: {words}")
        assert "RAY_AUTH_TOKEN" in lines[0]
