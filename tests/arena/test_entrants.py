"""Agents of one's own: found by module or file, and every failure told by name."""

from pathlib import Path

import pytest

from muniment.arena.entrants import code_digest, is_own, make_entrant
from muniment.arena.playing import play_one
from muniment.arena.statistics import totals_for
from muniment.core.errors import MunimentError
from muniment.games.king import King, KingOptions
from muniment.games.siege import Siege

OWN = str(Path(__file__).with_name("own_agents.py"))
KING = King(options=KingOptions.read({"turn_limit": 1}))
SIEGE = Siege()


def test_names_of_the_package_are_not_looked_for_elsewhere() -> None:
    assert not is_own(KING, "steward")
    assert not is_own(KING, "steward:200")
    assert is_own(KING, "captain:Own")
    assert is_own(KING, f"{OWN}:First")
    with pytest.raises(MunimentError, match="no agent 'nobody' for King of the Tabletop"):
        make_entrant(KING, "nobody")


def test_every_call_makes_a_new_agent() -> None:
    assert make_entrant(SIEGE, f"{OWN}:First") is not make_entrant(SIEGE, f"{OWN}:First")
    assert make_entrant(SIEGE, "captain") is not make_entrant(SIEGE, "captain")


def test_an_agent_may_want_the_game() -> None:
    assert vars(make_entrant(SIEGE, f"{OWN}:Knowing"))["title"] == "9 Card Siege"


@pytest.mark.parametrize("game", [KING, SIEGE], ids=["king", "siege"])
def test_the_game_it_gets_is_a_copy_of_its_own(tmp_path: Path, game: King | Siege) -> None:
    file = tmp_path / "meddler.py"
    file.write_text(
        "from muniment.agents.uniform import Uniform\n"
        "class Meddler(Uniform):\n"
        "    def __init__(self, game):\n"
        "        for name, value in list(vars(game).items()):\n"
        "            value.update(spoilt=1) if isinstance(value, dict) else setattr(game, name, None)\n",
        encoding="utf-8",
    )
    before = {name: dict(value) if isinstance(value, dict) else value for name, value in vars(game).items()}
    make_entrant(game, f"{file}:Meddler")
    assert vars(game) == before


def test_a_module_is_found_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_very_own.py").write_text(Path(OWN).read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["/nowhere"])
    assert type(make_entrant(SIEGE, "my_very_own:First")).__name__ == "First"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nowhere.py:First", "nowhere.py: there is no such file"),
        ("no_such_module:First", "there is no module 'no_such_module', and no agent of this name"),
        (f"{OWN}:Second", "there is no 'Second' in "),
        (f"{OWN}:NoAgent", "is not an agent"),
        (f"{OWN}:MARK", "is not an agent"),
        (f"{OWN}:maker", "gives a NoAgent, not an agent"),
        (f"{OWN}:Unmakeable", "cannot be made: RuntimeError: no weights"),
    ],
)
def test_what_is_no_agent_is_refused(name: str, words: str) -> None:
    with pytest.raises(MunimentError, match=words):
        make_entrant(SIEGE, name)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("1 / 0", "cannot be imported: ZeroDivisionError"),
        ("import not_there_at_all", "No module named 'not_there"),
        ("import sys; sys.exit()", "cannot be imported: SystemExit"),
    ],
)
def test_a_file_that_fails_is_refused(tmp_path: Path, code: str, words: str) -> None:
    (tmp_path / "broken.py").write_text(code, encoding="utf-8")
    with pytest.raises(MunimentError, match=words):
        make_entrant(SIEGE, f"{tmp_path / 'broken.py'}:First")


def test_the_digest_is_that_of_the_file(tmp_path: Path) -> None:
    """That of an empty file is well known."""
    (tmp_path / "empty.py").write_text("", encoding="utf-8")
    assert code_digest(f"{tmp_path / 'empty.py'}:First") == (
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Crashing", "Crashing in seat 2, game with seed s/1: ZeroDivisionError in choose: three"),
        ("Cheating", r"Cheating in seat 2, game with seed s/1: 'bid 1' is not allowed: .*K25"),
        ("Quitting", "Quitting in seat 2, game with seed s/1: SystemExit in choose: 0"),
        ("Mute", "Mute in seat 2, game with seed s/1: chose None, which is no action of King of the Tabletop"),
    ],
)
def test_what_an_agent_does_wrong_is_told_by_name(name: str, words: str) -> None:
    agents = [make_entrant(KING, "random"), make_entrant(KING, f"{OWN}:{name}")]
    with pytest.raises(MunimentError, match=words):
        play_one(KING, agents, ["random", name], "s/1", totals_for(KING))


def test_nothing_given_to_an_agent_can_be_spoilt() -> None:
    games = [
        play_one(
            KING, [make_entrant(KING, f"{OWN}:{name}") for name in ("First", own)], ["", ""], "s/2", totals_for(KING)
        )
        for own in ("First", "Spoiler")
    ]
    assert games[0].row == games[1].row
    assert games[0].choices == games[1].choices
