"""Reviews: decisions and luck make up the result to the last bit, and mistakes are found."""

import json
from random import Random

import pytest

from muniment.agents.oracle import Oracle
from muniment.agents.uniform import Uniform
from muniment.core.agent import Agent
from muniment.core.errors import RecordError
from muniment.core.match import Match
from muniment.core.record import RUNNING, Record
from muniment.games.siege import Siege
from muniment.games.siege.actions import SiegeAction
from muniment.games.siege.state import OVER
from muniment.games.siege.view import SiegeView
from muniment.solve.commands import review_text
from muniment.solve.review import GRADES, grade_of, review
from muniment.solve.table import ERROR
from muniment.solve.values import Values


def played(game: Siege, agent: Agent[SiegeAction, SiegeView], seed: int, decisions: int = 10_000) -> Record:
    match = Match(game, ["Ada"], seed=bytes([seed] * 32))
    for _ in range(decisions):
        if match.over is not None:
            break
        match.act(0, match.ask(0, agent))
    return match.record()


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("decisions", [10_000, 4], ids=["finished", "running"])
def test_decisions_and_luck_sum_to_the_result_exactly(values: Values, seed: int, decisions: int) -> None:
    record = played(values.game, Uniform(), seed, decisions)
    found = review(record, values)
    assert found.initial + found.decisions + found.luck == found.final
    assert sum(step.change for step in found.steps) == found.final - found.initial
    assert found.result == record.result
    if found.result != RUNNING:
        assert found.final == (1.0 if found.result == "won" else 0.0)
    assert len(found.steps) == len(record.entries)
    assert found.course[0] == pytest.approx(values.table.initial, abs=ERROR)
    for step in found.steps:
        if step.action is not None:
            assert step.cost == -step.change >= 0
        else:
            assert step.cost == 0


def test_perfect_play_has_no_cost(values: Values) -> None:
    for seed in range(4):
        found = review(played(values.game, Oracle(values.game, values), seed), values)
        assert found.decisions == 0
        assert found.mistakes == ()
        assert found.luck == found.final - found.initial


def test_a_wasted_game_is_a_blunder_or_several(values: Values) -> None:
    game = values.game
    match = Match(game, ["Ada"], seed=bytes(32))
    while match.over is None:
        match.act(0, next(a for a in reversed(match.legal_actions(0))))
    found = review(match.record(), values)
    assert found.final == 0
    assert found.decisions < -0.3
    dearest = found.mistakes[0]
    assert dearest.grade == "blunder"
    assert dearest.best is not None
    assert dearest.cost == pytest.approx(dearest.best_value - dearest.after, abs=2 * ERROR)
    assert any("blunder" in line for line in review_text(found))


def test_a_review_is_plain_json(values: Values) -> None:
    found = json.loads(json.dumps(review(played(values.game, Uniform(), 3), values).to_json()))
    assert found["initial"] + found["decisions"] + found["luck"] == found["final"]
    assert {step["kind"] for step in found["steps"]} == {"decision", "chance"}
    assert len(found["course"]) == len(found["steps"]) + 1


@pytest.mark.parametrize(
    ("cost", "grade"),
    [(0, ""), (0.0049, ""), (0.005, "slip"), (0.0199, "slip"), (0.02, "mistake"), (0.05, "blunder"), (1, "blunder")],
)
def test_costs_have_names_by_size(cost: float, grade: str) -> None:
    assert grade_of(cost) == grade
    assert GRADES == (("blunder", 0.05), ("mistake", 0.02), ("slip", 0.005))


def test_a_record_of_another_game_is_refused(values: Values) -> None:
    record = played(Siege(), Uniform(), 1, 2)
    with pytest.raises(RecordError, match="edition"):
        review(record, values)


def test_a_review_can_begin_in_the_middle(values: Values) -> None:
    game = values.game
    random = Random(1)
    match = Match(game, ["Ada"], seed=bytes(32))
    for _ in range(6):
        match.act(0, random.choice(match.legal_actions(0)))
    later = Match(game, ["Ada"], seed=bytes(31) + b"1", position=match.state())
    while later.state().step != OVER:
        later.act(0, random.choice(later.legal_actions(0)))
    found = review(later.record(), values)
    assert found.initial == pytest.approx(values.value(match.state()), abs=1e-9)
    assert found.initial + found.decisions + found.luck == found.final
