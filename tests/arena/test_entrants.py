"""Agents of one's own: found by module or file, and every failure told by name."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import numpy as np
import pytest

from muniment.agents.uniform import Uniform
from muniment.arena.entrants import code_digest, identity, is_own, make_entrant
from muniment.arena.playing import play_one
from muniment.arena.statistics import totals_for
from muniment.core.agent import Agent
from muniment.core.chance import Source
from muniment.core.errors import MunimentError
from muniment.core.match import verify
from muniment.core.record import Record
from muniment.games.king import King, KingOptions
from muniment.games.king.actions import KingAction
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


def test_an_agent_is_the_same_under_all_its_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Path(OWN).read_text(encoding="utf-8")
    (tmp_path / "one_of_mine.py").write_text(text, encoding="utf-8")
    (tmp_path / "other.py").write_text(text, encoding="utf-8")
    (tmp_path / "linked.py").symlink_to(tmp_path / "one_of_mine.py")
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    files = ("one_of_mine.py", "./one_of_mine.py", "below/../one_of_mine.py", "linked.py", "one_of_mine")
    assert len({identity(KING, f"{where}:First") for where in (*files, tmp_path / "one_of_mine.py")}) == 1
    others = ("one_of_mine.py:First", "one_of_mine.py:Mute", "other.py:First")
    assert len({identity(KING, name) for name in others}) == 3
    assert identity(KING, "steward") == identity(KING, "castellan") != identity(KING, "careless")
    assert identity(KING, "marshal:1") == identity(KING, "marshal:01") != identity(KING, "marshal:10")


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
        ("raise BaseException('boo')", "cannot be imported: BaseException: boo"),
        ("def __getattr__(name): raise OSError(name)", "cannot be used: OSError: First"),
        ("def First():\n    raise GeneratorExit", "cannot be made: GeneratorExit"),
        ("class Odd(Exception):\n    __str__ = None\nraise Odd", "cannot be imported: Odd: its message cannot be told"),
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


class Odd(Agent[Any, Any]):
    """Chooses as ``random``, but what it returns is made of that."""

    def __init__(self, made: Callable[[Any], object]) -> None:
        self.made = made
        self.pairs: list[tuple[object, object]] = []

    def choose(self, view: Any, legal: Any, source: Source) -> Any:
        action = legal[source.below(len(legal))]
        self.pairs.append((action, self.made(action)))
        return self.pairs[-1][1]


def with_numbers(number: Callable[[int], Any]) -> Callable[[Any], object]:
    """Makes an action that is equal, with other numbers."""
    return lambda action: KingAction(
        action.word, tuple(number(each) if isinstance(each, int) else each for each in action.args)
    )


@pytest.mark.parametrize(
    "made",
    [
        with_numbers(float),
        with_numbers(np.int64),
        with_numbers(lambda number: bool(number) if number in (0, 1) else number),
        lambda action: KingAction(action.word, (ANY,) * len(action.args)) if action.word == "standing" else action,
    ],
    ids=["float", "numpy", "bool", "any"],
)
def test_what_is_equal_to_an_action_is_not_played_itself(made: Callable[[Any], object]) -> None:
    """The record of a game that an agent plays with such actions can be read, and verifies."""
    odd = Odd(made)
    played = play_one(KING, [Uniform(), odd], ["a", "b"], "s/4", totals_for(KING), record=True)
    assert all(action == returned for action, returned in odd.pairs)
    assert any(repr(action) != repr(returned) for action, returned in odd.pairs)
    assert played.record is not None
    assert verify(KING, Record.read(played.record))["verified"]


class Raising(Exception):
    """Cannot be told."""

    def __str__(self) -> str:
        raise RuntimeError("str")


class Hostile:
    """Can be neither compared nor shown."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("eq")

    def __hash__(self) -> int:
        raise RuntimeError("hash")

    def __repr__(self) -> str:
        raise RuntimeError("repr")

    __str__ = __repr__


class OwnAction(KingAction):
    """An action, but no longer the game's."""


def throw(error: BaseException) -> Callable[[Any], object]:
    def made(_: Any) -> object:
        raise error

    return made


NO_ACTION = "which is no action of King of the Tabletop"


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda _: ANY, f"chose <ANY>, {NO_ACTION}"),
        (lambda _: np.array([1, 2]), f"chose array([1, 2]), {NO_ACTION}"),
        (lambda _: np.zeros((2, 1)), f"chose array([[0.], [0.]]), {NO_ACTION}"),
        (lambda _: Hostile(), f"chose something that cannot be shown, {NO_ACTION}"),
        (lambda _: KingAction("", (Hostile(),)), f"chose something that cannot be shown, {NO_ACTION}"),  # type: ignore[arg-type]
        (lambda _: KingAction("bid", 3), f"chose KingAction(word='bid', args=3), {NO_ACTION}"),  # type: ignore[arg-type]
        (lambda _: KingAction("bid\x1b[31m"), f"chose KingAction(word='bid\\x1b[31m', args=()), {NO_ACTION}"),
        (throw(Raising()), "Raising in choose: its message cannot be told"),
        (throw(ValueError("one\ntwo\x1b[31m")), "ValueError in choose: one two?[31m"),
        (throw(BaseException("boo")), "BaseException in choose: boo"),
        (throw(GeneratorExit()), "GeneratorExit in choose"),
        (throw(StopIteration()), "StopIteration in choose"),
    ],
    ids=[
        "any", "array", "matrix", "hostile", "hostile-within", "number", "escape",
        "str", "lines", "base", "exit", "stop",
    ],
)  # fmt: skip
def test_whatever_an_agent_returns_or_raises_is_told_in_a_line(made: Callable[[Any], object], words: str) -> None:
    with pytest.raises(MunimentError) as error:
        play_one(KING, [Uniform(), Odd(made)], ["random", "mine"], "s/1", totals_for(KING))
    assert str(error.value) == f"mine in seat 2, game with seed s/1: {words}"


@pytest.mark.parametrize("made", [tuple, lambda action: OwnAction(*action)], ids=["tuple", "subclass"])
def test_what_is_of_another_type_is_refused_though_it_is_equal(made: Callable[[Any], object]) -> None:
    assert made(KingAction("buy")) == KingAction("buy")
    with pytest.raises(MunimentError, match=f"mine in seat 1, game with seed s/1: chose .*, {NO_ACTION}"):
        play_one(KING, [Odd(made), Uniform()], ["mine", "random"], "s/1", totals_for(KING))


def test_an_interrupt_stays_one() -> None:
    with pytest.raises(KeyboardInterrupt):
        play_one(KING, [Uniform(), Odd(throw(KeyboardInterrupt()))], ["", ""], "s/1", totals_for(KING))
