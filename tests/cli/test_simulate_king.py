"""``muniment simulate king``: agents by seat, the report, JSON, CSV."""

import json
from pathlib import Path

from tests.cli.conftest import Run


def test_simulate_king(run: Run, tmp_path: Path) -> None:
    arguments = ("simulate", "king", "-n", 4, "--agent", "steward,random", "--seed", "x", "--jobs", 1)
    result = run(*arguments, "--csv", tmp_path / "games.csv")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert "4 games by steward, random" in result.output
    assert "player 2 random" in result.output
    assert all(len(line) <= 80 for line in result.output.splitlines())
    assert len((tmp_path / "games.csv").read_text().splitlines()) == 5
    numbers = json.loads(run(*arguments, "--json").output)
    assert numbers["agents"] == ["steward", "random"]
    assert sum(seat["wins"] for seat in numbers["seats"]) + numbers["shared"] == 4


def test_one_agent_plays_every_seat(run: Run) -> None:
    result = run("simulate", "king", "-n", 1, "--agent", "random", "--players", 3, "--seed", "x", "--jobs", 1, "--json")
    assert json.loads(result.output)["agents"] == ["random"] * 3


def test_seats_that_do_not_fit(run: Run) -> None:
    result = run("simulate", "king", "-n", 1, "--agent", "random,steward", "--players", 3)
    assert result.exit_code == 2
    assert "names 2 seats" in result.stderr
    assert "for 2 to 4 players" in run("simulate", "king", "-n", 1, "--agent", "random", "--players", 5).stderr
