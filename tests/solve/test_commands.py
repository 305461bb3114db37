"""The commands ``solve``, ``odds``, ``review`` and ``study``."""

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from muniment.agents.uniform import Uniform
from muniment.cli import main
from muniment.core.match import Match
from muniment.games.siege import Siege, load_edition
from muniment.solve import commands
from muniment.solve.commands import percent

Run = Callable[..., Result]


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A card file with two of the printed cards."""
    head, *printed = files("muniment.games.siege").joinpath("cards.toml").read_text(encoding="utf-8").split("[[card]]")
    path = tmp_path_factory.mktemp("cards") / "two.toml"
    path.write_text("[[card]]".join([head.replace('"standard"', '"two cards"'), printed[2], printed[4]]), "utf-8")
    return path


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def run(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command; its tables are kept in a folder of the tests."""
    monkeypatch.setattr("muniment.solve.table.cache_folder", lambda: cache)
    monkeypatch.setattr(commands, "lower_priority", lambda: None)
    return lambda *arguments: CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def solved(run: Run, cards: Path) -> float:
    """The value of the game with two cards, which is solved now."""
    done = run("solve", "siege", "--edition", cards, "--json")
    assert done.exit_code == 0, done.output
    return float(json.loads(done.stdout)["value"])


@pytest.fixture
def record(cards: Path, tmp_path: Path) -> Path:
    """The record of a finished game of it."""
    match = Match(Siege(load_edition(cards)), ["Ada"], seed=bytes(32))
    while match.over is None:
        match.act(0, match.ask(0, Uniform()))
    path = tmp_path / "game.record"
    path.write_text(match.record().write(), encoding="utf-8")
    return path


def test_a_game_that_is_not_solved_has_no_odds(run: Run) -> None:
    done = run("odds", "siege", "--option", "ones=event_bonus_cancels")
    assert done.exit_code == 2
    assert done.stderr.startswith("muniment: the game has not been solved on this machine yet")
    assert done.stderr.count("\n") == 1


def test_solve_tells_value_table_and_error(run: Run, cards: Path, solved: float) -> None:
    done = run("solve", "siege", "--edition", cards)
    assert f"{percent(solved)} of games" in done.stdout
    assert "each chance within 7.6e-06" in done.stdout


def test_odds_of_the_set_up_a_position_and_a_record(run: Run, cards: Path, solved: float, record: Path) -> None:
    found = json.loads(run("odds", "siege", "--edition", cards, "--json").stdout)
    assert found["value"] == pytest.approx(solved, abs=found["error"])
    assert found["best"] is None

    found = json.loads(run("odds", "siege", "--edition", cards, "--record", record, "--at", 1, "--json").stdout)
    assert found["best"] == max(found["actions"], key=lambda a: float(a["value"]))["action"]

    position = record.with_name("position.json")
    position.write_text(run("show", record, "--at", 1, "--json", "--edition", cards).stdout, encoding="utf-8")
    again = json.loads(run("odds", "siege", "--edition", cards, "--position", position, "--json").stdout)
    assert again == found

    lines = run("odds", "siege", "--edition", cards, "--position", position).stdout.splitlines()
    assert percent(found["value"]) in lines[0]
    assert len(lines) == 1 + len(found["actions"])
    end = run("odds", "siege", "--edition", cards, "--record", record).stdout
    assert end == "winning chance under perfect play: 0.00%\n"


def test_a_review_of_a_record(run: Run, cards: Path, solved: float, record: Path) -> None:
    found = json.loads(run("review", record, "--edition", cards, "--json").stdout)
    assert found["initial"] + found["decisions"] + found["luck"] == found["final"] == 0
    text = run("review", record, "--edition", cards).stdout
    assert f"At the start: {percent(found['initial'])}; at the end: 0.00%" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "king"], "only siege can be solved"),
        (["odds", "siege", "--position", "a", "--record", "b"], "two ways"),
        (["odds", "siege", "--at", "3"], "--at is for --record"),
        (["review", "nowhere.record"], "nowhere.record"),
    ],
)
def test_errors_are_one_line(run: Run, arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_chances_are_never_rounded_to_certainty() -> None:
    assert [percent(value) for value in (0, 1e-5, 0.0001, 0.78991, 0.99995, 1)] == [
        "0.00%", "under 0.01%", "0.01%", "78.99%", "over 99.99%", "100.00%",
    ]  # fmt: skip


def test_the_oracle_is_an_agent_by_name(run: Run, cards: Path, solved: float) -> None:
    done = run(
        "simulate", "siege", "--agent", "oracle", "-n", 20, "--seed", 1, "--jobs", 1, "--edition", cards, "--json"
    )
    assert json.loads(done.stdout)["games"] == 20
    done = run("simulate", "siege", "--agent", "oracle", "-n", 1, "--option", "ones=event_bonus_cancels")
    assert done.exit_code == 2
    assert "muniment solve siege" in done.stderr


def test_a_hint_tells_the_chance_of_every_choice(
    run: Run, cards: Path, solved: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    arguments = ["play", "siege", "--seed", "1", "--autosave", str(tmp_path / "game"), "--edition", str(cards)]
    done = CliRunner().invoke(main, arguments, input="hint\nquit\n")
    assert "winning chance under perfect play:" in done.stdout
    done = CliRunner().invoke(main, [*arguments, "--new", "--option", "ones=event_bonus_cancels"], input="hint\nquit\n")
    assert "estimate of the winning chance:" in done.stdout
    assert "muniment solve siege" in done.stdout
