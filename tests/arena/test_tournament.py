"""Tournaments: the same results whoever plays them, kept as they come, and gone on with after any interruption."""

import json
import multiprocessing
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from muniment.arena.sequential import Hypotheses
from muniment.arena.simulate import Setup, simulate
from muniment.arena.standings import Standings, standings
from muniment.arena.statistics import SiegeTotals
from muniment.arena.store import kept_seed
from muniment.arena.tournament import Held, Plan, Result, Tournament, deal_score, hold
from muniment.core.errors import MunimentError
from muniment.core.match import verify
from muniment.core.record import Record
from muniment.games.catalog import game_of_record
from tests.arena.own_agents import MARK

OWN = Path(__file__).with_name("own_agents.py")
SIEGE = Plan("siege", ("captain", "random"), 1, "7")
FAST = Plan("siege", ("random", f"{OWN}:First"), 1, "7")
KING = Plan("king", ("steward", "random", "careless"), 2, "7", options={"turn_limit": 1})


def told(tournament: Tournament, held: Held) -> str:
    """The numbers as JSON, but for times."""
    found = standings(tournament, held.results, held.test)
    assert isinstance(found, Standings)
    numbers = found.to_json(held.speed)
    del numbers["timing"]
    return json.dumps(numbers)


def lines(results: tuple[Result, ...]) -> list[str]:
    """The results as JSON, but for times."""
    return [json.dumps({**result.to_json(), "seconds": None}) for result in results]


def stop_at(games: int) -> Callable[[int], None]:
    def progress(done: int) -> None:
        if done >= games:
            raise KeyboardInterrupt

    return progress


@pytest.mark.parametrize(("plan", "games"), [(KING, 12), (SIEGE, 60)])
def test_two_processes_give_the_results_of_one(plan: Plan, games: int) -> None:
    tournament = Tournament(plan)
    alone, together = hold(tournament, games), hold(tournament, games, jobs=2)
    assert lines(together.results) == lines(alone.results)
    assert told(tournament, together) == told(tournament, alone)
    assert len(alone.results) == games


def test_solo_games_are_those_of_a_simulation() -> None:
    held = hold(Tournament(SIEGE), 20)
    mine = SiegeTotals()
    for result in held.results:
        if result.agents == (0,):
            mine.count(result.row)
    assert mine == simulate(Setup("siege", ("captain",)), 10, "7").totals


def test_a_deal_has_the_same_dice_in_all_seatings() -> None:
    results = hold(Tournament(KING), 6).results
    assert [(result.seed, result.agents) for result in results] == [
        ("7/1", (0, 1)), ("7/1", (1, 0)), ("7/2", (0, 2)), ("7/2", (2, 0)), ("7/3", (1, 2)), ("7/3", (2, 1)),
    ]  # fmt: skip


def test_an_own_seed_gives_own_games() -> None:
    assert lines(hold(Tournament(KING), 6).results) != lines(hold(Tournament(replace(KING, seed="8")), 6).results)


def test_what_is_kept_is_not_played_again(tmp_path: Path) -> None:
    tournament = Tournament(KING)
    whole = hold(tournament, 12)
    first = hold(tournament, 12, out=tmp_path / "a", progress=stop_at(5))
    assert first.interrupted
    assert len(first.results) == 5
    second = hold(tournament, 12, out=tmp_path / "a", jobs=2)
    assert not second.interrupted
    assert [result.seconds for result in second.results[:5]] == [
        tuple(round(seconds, 6) for seconds in result.seconds) for result in first.results
    ]
    assert lines(second.results) == lines(whole.results)
    again = hold(tournament, 12, out=tmp_path / "a")
    assert again.speed is None
    assert told(tournament, again) == told(tournament, whole)
    more = hold(tournament, 18, out=tmp_path / "a")
    assert len(more.results) == 18
    assert len(hold(tournament, 6, out=tmp_path / "a").results) == 6
    assert kept_seed(tmp_path / "a") == "7"
    assert kept_seed(tmp_path / "b") is None


def test_a_line_that_was_cut_short_is_played_again(tmp_path: Path) -> None:
    tournament = Tournament(KING)
    whole = hold(tournament, 6, out=tmp_path)
    file = tmp_path / "games.jsonl"
    kept = file.read_bytes()
    for cut in (1, 40, len(kept) - kept.index(b"\n") - 5):
        file.write_bytes(kept[:-cut])
        assert lines(hold(tournament, 6, out=tmp_path).results) == lines(whole.results)
    file.write_bytes(kept[:20])  # not even the header is whole
    assert lines(hold(tournament, 6, out=tmp_path).results) == lines(whole.results)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seed": "8"}, 'its seed is "7", not "8"'),
        ({"agents": ("steward", "random")}, "its agents is"),
        ({"seats": 3}, "its seats is 2, not 3"),
        ({"options": {"turn_limit": 2}}, "its options is"),
        ({"agents": ("steward", "random"), "test": Hypotheses(0.5, 0.6)}, "its agents is"),
    ],
)
def test_another_tournament_is_refused(tmp_path: Path, changes: dict[str, object], words: str) -> None:
    hold(Tournament(KING), 6, out=tmp_path)
    with pytest.raises(MunimentError, match=f"games.jsonl: holds another tournament: .*{words}"):
        hold(Tournament(replace(KING, **changes)), 6, out=tmp_path)  # type: ignore[arg-type]


def test_other_hypotheses_are_refused(tmp_path: Path) -> None:
    plan = replace(KING, agents=("steward", "random"), test=Hypotheses(0.5, 0.9))
    hold(Tournament(plan), 2, out=tmp_path)
    with pytest.raises(MunimentError, match="its test is"):
        hold(Tournament(replace(plan, test=Hypotheses(0.4, 0.9))), 2, out=tmp_path)


def test_an_own_agent_that_has_changed_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    for name, words in (("first", ""), ("second", "its own agents is")):
        file = tmp_path / f"{name}.py"
        file.write_text(OWN.read_text(encoding="utf-8") + f"# {name}\n", encoding="utf-8")
        (tmp_path / "mine.py").unlink(missing_ok=True)
        (tmp_path / "mine.py").symlink_to(file)
        from muniment.arena import entrants

        entrants._module.cache_clear()  # as in another process
        entrants._own.cache_clear()
        tournament = Tournament(replace(SIEGE, agents=("random", f"{tmp_path / 'mine.py'}:First")))
        if words:
            with pytest.raises(MunimentError, match=words):
                hold(tournament, 2, out=tmp_path / "out")
        else:
            hold(tournament, 2, out=tmp_path / "out")


def test_files_that_are_none_of_an_arena_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    for content, words in (
        ("hello\n", "line 1: not a line"),
        ("{}\n", "is no file of an arena"),
        ('{"format":"muniment arena 2"}\n', "is no file of an arena"),
        ("somebody's notes, without an end of line", "is no file of an arena"),
        ('{"somebody":"else"}\n{"cut":', "is no file of an arena"),
    ):
        file.write_text(content, encoding="utf-8")
        with pytest.raises(MunimentError, match=words):
            hold(Tournament(KING), 6, out=tmp_path)
        assert file.read_text(encoding="utf-8") == content
    with pytest.raises(MunimentError, match=r"games\.jsonl: "):
        hold(Tournament(KING), 6, out=file)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("row", None), ("row", []), ("returns", [0.0]), ("returns", [5.0, 0.0]), ("returns", [float("nan"), 0.0]),
        ("returns", "x"), ("agents", [1, 0]), ("agents", [0, 9]), ("deal", 2), ("table", 1), ("seed", "8/1"),
        ("choices", []), ("seconds", ["?", 0]), ("seconds", [-1, 0]),
    ],
)  # fmt: skip
def test_a_kept_game_that_cannot_be_is_told(tmp_path: Path, name: str, value: object) -> None:
    """The first game is that of agents 0 and 1 in deal 1, so none of these can be its line."""
    tournament = Tournament(replace(KING, agents=KING.agents[:2], options={"turn_limit": 1}))
    hold(tournament, 2, out=tmp_path)
    file = tmp_path / "games.jsonl"
    header, first, *rest = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join((header, json.dumps({**json.loads(first), name: value}), *rest, "")), encoding="utf-8")
    with pytest.raises(MunimentError, match=r"games\.jsonl: line 2: not game 1 of this arena"):
        hold(tournament, 2, out=tmp_path)


def test_a_missing_game_is_told(tmp_path: Path) -> None:
    hold(Tournament(KING), 6, out=tmp_path)
    file = tmp_path / "games.jsonl"
    kept = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(kept[:2] + kept[3:]), encoding="utf-8")
    with pytest.raises(MunimentError, match=r"games.jsonl: line 3: game 2 is missing"):
        hold(Tournament(KING), 6, out=tmp_path)


def test_one_arena_at_a_time_works_in_a_folder(tmp_path: Path) -> None:
    def second(_: int) -> None:
        with pytest.raises(MunimentError, match="another arena is at work there"):
            hold(Tournament(KING), 6, out=tmp_path)

    assert len(hold(Tournament(KING), 6, out=tmp_path, progress=second).results) == 6


def test_records_verify(tmp_path: Path) -> None:
    """A record of every game, in which all is legal and the dice come from the seed."""
    tournament = Tournament(KING)
    held = hold(tournament, 6, out=tmp_path, records=True, jobs=2)
    files = sorted((tmp_path / "records").iterdir())
    assert len(files) == 6
    for result, file in zip(held.results, files, strict=True):
        record = Record.read(file.read_text(encoding="utf-8"))
        assert record.seats == tuple(KING.agents[agent] for agent in result.agents)
        found = verify(game_of_record(record), record)
        assert found["verified"]
        assert found["moves"] == sum(result.choices)
        assert found["result"] == result.row[0]
    assert lines(held.results) == lines(hold(tournament, 6).results)
    with pytest.raises(MunimentError, match="its records is true, not false"):
        hold(tournament, 6, out=tmp_path)


def fragile(folder: Path) -> Plan:
    """A tournament of an agent that kills its process once, half-way; the plan has the folder in it."""
    (folder / "fragile.py").write_text(OWN.read_text(encoding="utf-8"), encoding="utf-8")
    return replace(FAST, agents=("random", f"{folder / 'fragile.py'}:Fragile"))


def test_a_lost_process_s_games_are_played_again(tmp_path: Path) -> None:
    tournament = Tournament(fragile(tmp_path))
    survived = hold(tournament, 400, jobs=2)
    assert (tmp_path / MARK).exists()
    assert lines(survived.results) == lines(hold(tournament, 400).results)


def test_games_that_kill_every_process_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOST", "yes")
    with pytest.raises(MunimentError, match="a process was lost 3 times in a row at games 1 to 48"):
        hold(Tournament(fragile(tmp_path)), 48, jobs=2)
    assert multiprocessing.active_children() == []


def test_a_bad_agent_ends_the_tournament_by_name() -> None:
    plan = replace(KING, agents=("random", f"{OWN}:Crashing"))
    with pytest.raises(
        MunimentError, match=r"own_agents\.py:Crashing in seat 2, game with seed 7/1: ZeroDivisionError"
    ):
        hold(Tournament(plan), 4, jobs=2)


def test_a_test_stops_when_it_is_decided() -> None:
    """A score of 1 in every deal: the logarithm grows by no more than ln(1 + 0.9) a deal, and 2.996 is needed."""
    tournament = Tournament(replace(KING, agents=("steward", "random"), test=Hypotheses(0.5, 0.9)))
    held = hold(tournament, 400)
    assert held.test is not None
    assert held.test.verdict == "H1"
    assert len(held.results) == 2 * held.test.deals < 100
    assert told(tournament, hold(tournament, 400, jobs=2)) == told(tournament, held)


def test_a_test_without_verdict_ends_with_its_games() -> None:
    held = hold(Tournament(replace(KING, agents=("steward", "random"), test=Hypotheses(0.5, 0.6))), 3)
    assert held.test is not None
    assert held.test.verdict is None
    assert len(held.results) == 4


def test_a_kept_test_is_not_played_beyond_its_verdict(tmp_path: Path) -> None:
    tournament = Tournament(replace(KING, agents=("steward", "random"), test=Hypotheses(0.5, 0.9)))
    held = hold(tournament, 400, out=tmp_path)
    again = hold(tournament, 400, out=tmp_path)
    assert again.speed is None
    assert told(tournament, again) == told(tournament, held)


def result(number: int, agents: tuple[int, ...], returns: tuple[float, ...]) -> Result:
    return Result(number, 1, 0, "", agents, returns, (), (1,) * len(agents), (0.0,) * len(agents))


@pytest.mark.parametrize(
    ("deal", "score"),
    [
        ([((0, 1), (1.0, 0.0)), ((1, 0), (1.0, 0.0))], 0.5),
        ([((0, 1), (1.0, 0.0)), ((1, 0), (0.5, 0.5))], 0.75),
        ([((0, 1, 1), (0.0, 0.0, 1.0)), ((1, 0, 1), (0.0, 1.0, 0.0)), ((1, 1, 0), (1.0, 0.0, 0.0))], 1 / 3),
        ([((0,), (1.0,)), ((1,), (0.0,))], 1.0),
        ([((0,), (0.0,)), ((1,), (1.0,))], 0.0),
        ([((0,), (1.0,)), ((1,), (1.0,))], 0.5),
        ([((0,), (0.0,)), ((1,), (0.0,))], 0.5),
    ],
)
def test_scores_of_deals(deal: list[tuple[tuple[int, ...], tuple[float, ...]]], score: float) -> None:
    assert deal_score([result(1, agents, returns) for agents, returns in deal]) == pytest.approx(score)


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (replace(KING, agents=("steward", "steward")), "the agent 'steward' is named twice"),
        (replace(KING, agents=("steward",)), "at least 2 agents, not 1"),
        (replace(KING, agents=("steward", "nobody")), "no agent 'nobody'"),
        (replace(KING, seats=5), "2 to 4 players"),
        (replace(SIEGE, seats=2), "for 1 player, not 2"),
        (replace(KING, test=Hypotheses(0.5, 0.6)), "a test compares two agents, not 3"),
        (replace(KING, game="chess"), "there is no game 'chess'"),
        (replace(KING, agents=("marshal:1", "marshal:01")), "'marshal:1' and 'marshal:01' are the same agent"),
        (replace(KING, agents=(f"{OWN}:First", f"{OWN.parent}/./own_agents.py:First")), "are the same agent"),
        (replace(KING, seed="\udcff"), "is not a text for a seed"),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused(plan: Plan, words: str) -> None:
    with pytest.raises(MunimentError, match=words):
        Tournament(plan)


@pytest.mark.skipif(os.name != "posix", reason="names are bytes")
def test_an_agent_that_no_result_could_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "caf\udce9").mkdir()
    file = tmp_path / "caf\udce9" / "mine.py"
    file.write_text(OWN.read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(MunimentError) as error:
        Tournament(replace(SIEGE, agents=("random", f"{file}:First")))
    assert str(error.value).endswith("mine.py:First': is not a text, so no result could name it")


@pytest.mark.parametrize(("games", "jobs"), [(0, 1), (6, 0)])
def test_numbers_below_one_are_refused(games: int, jobs: int) -> None:
    with pytest.raises(MunimentError, match="at least 1"):
        hold(Tournament(KING), games, jobs=jobs)


@pytest.mark.parametrize("jobs", [1, 2])
def test_interrupted_it_leaves_no_process(jobs: int) -> None:
    held = hold(Tournament(FAST), 100_000, jobs=jobs, progress=stop_at(50))
    assert held.interrupted
    assert len(held.results) == 50
    assert multiprocessing.active_children() == []
