"""Matches: decisions and their numbers, idempotent moves, undo, typed dice, and what the record keeps."""

from __future__ import annotations

import pytest

from muniment.core.agent import Agent
from muniment.core.chance import Source
from muniment.core.dice import SeededDice, commitment_to, seed_from_text
from muniment.core.errors import MunimentError, RecordError
from muniment.core.game import Decision
from muniment.core.match import Match, verify
from muniment.core.record import CHANCE, RUNNING, Record
from muniment.core.refusal import Refused
from muniment.games.siege import Siege
from muniment.games.siege.actions import SiegeAction, parse_action
from muniment.games.siege.outcomes import SiegeOutcome, parse_outcome
from muniment.games.siege.state import SiegeState
from muniment.games.siege.view import SiegeView
from tests.core.toys import FOLD, STAKE, USE, Charm, Standoff

SEED = seed_from_text("tests")
SiegeMatch = Match[SiegeState, SiegeAction, SiegeOutcome, SiegeView]


def siege(typed: bool = False) -> SiegeMatch:
    return Match(Siege(), ["Ada"], seed=SEED, typed=typed)


def typed_turn() -> SiegeMatch:
    """Day 1, card 5 (Volley of Arrows: 3 AP, the battering ram advances), entered by hand."""
    match = siege(typed=True)
    match.enter(parse_outcome("draw 5"))
    return match


def code(refused: pytest.ExceptionInfo[Refused]) -> str:
    return refused.value.refusal.code


def test_a_match_rests_at_a_decision_having_drawn_from_its_dice() -> None:
    match = siege()
    assert isinstance(match.pending, Decision)
    first = SeededDice(SEED).below(7) + 1
    assert [str(entry) for entry in match.entries] == [f"* draw {first}"]


def test_the_same_seed_and_choices_give_the_same_match() -> None:
    one, two = siege(), siege()
    for match in (one, two):
        match.act(0, parse_action("enter"))
        match.act(0, parse_action("end"))
    assert one.record() == two.record()


def test_nonces_change_the_dice_and_not_the_commitment() -> None:
    dice = [SeededDice(SEED, nonces) for nonces in ((), (b"a",), (b"b",), (b"a", b""), (b"", b"a"))]
    assert {d.commitment for d in dice} == {commitment_to(SEED)}
    assert len({tuple(d.below(1000) for _ in range(8)) for d in dice}) == len(dice)


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    match = siege()
    before = match.record()
    with pytest.raises(Refused) as refused:
        match.act(0, parse_action("raid"))
    assert code(refused) == "not-in-enemy-lines"
    assert match.record() == before


def test_a_move_that_answers_a_passed_decision_is_refused() -> None:
    match = siege()
    answered = match.decision
    match.act(0, parse_action("enter"), decision=answered)
    with pytest.raises(Refused) as refused:
        match.act(0, parse_action("end"), decision=answered)
    assert code(refused) == "stale-decision"
    assert match.decision == answered + 1


def test_a_retry_with_the_same_key_gets_the_first_answer() -> None:
    match = siege()
    first = match.act(0, parse_action("enter"), decision=match.decision, key="k1")
    entries = match.entries
    assert match.act(0, parse_action("enter"), decision=0, key="k1") == first
    assert match.entries == entries


def test_undo_takes_back_what_no_die_has_answered() -> None:
    match = siege()
    start = match.record(), match.decision, match.event_count
    match.act(0, parse_action("enter"))
    match.act(0, parse_action("extra morale"))
    match.undo(0)
    match.undo(0)
    assert (match.record(), match.decision, match.event_count) == start


def test_undo_never_crosses_a_draw() -> None:
    match = siege()
    match.act(0, parse_action("end"))
    with pytest.raises(Refused) as refused:
        match.undo(0)
    assert code(refused) == "nothing-to-undo"


def test_undo_never_crosses_another_seats_choice() -> None:
    match = Match(Standoff(), ["Ada", "Bo"], seed=SEED)
    match.act(0, STAKE)
    match.act(1, FOLD)
    with pytest.raises(Refused) as refused:
        match.undo(0)
    assert code(refused) == "not-yours"
    match.undo(1)
    with pytest.raises(Refused) as refused:
        match.undo(0)
    assert code(refused) == "nothing-to-undo"


def test_undo_never_crosses_a_reveal() -> None:
    class Shown(Standoff):
        revealing = frozenset({"shown"})

    match = Match(Shown(), ["Ada", "Bo"], seed=SEED)
    match.act(0, STAKE)
    match.act(1, FOLD)
    assert match.undo_refusal(1) is not None


def test_typed_dice_wait_to_be_entered() -> None:
    match = siege(typed=True)
    assert match.view().awaited.kind == "draw"
    with pytest.raises(Refused) as refused:
        match.act(0, parse_action("end"))
    assert code(refused) == "not-now"
    with pytest.raises(Refused) as refused:
        match.enter(parse_outcome("roll 3"))
    assert code(refused) == "impossible-outcome"
    match.enter(parse_outcome("draw 5"))
    assert match.view().awaited.kind == "actions"
    with pytest.raises(Refused) as refused:
        match.enter(parse_outcome("draw 4"))
    assert code(refused) == "no-chance"


def test_a_typo_with_real_dice_can_be_taken_back() -> None:
    match = typed_turn()
    match.act(0, parse_action("archers battering-ram"))
    waiting = match.record()
    match.enter(parse_outcome("roll 1"))
    match.undo(0)
    assert match.record() == waiting
    match.enter(parse_outcome("roll 6"))
    assert match.view(0).units == (4, 4, 4)


def test_seeded_dice_cannot_be_entered_by_hand() -> None:
    match = siege()
    with pytest.raises(Refused) as refused:
        match.enter(parse_outcome("draw 1"))
    assert code(refused) == "no-chance"


class EndOfTurn(Agent[SiegeAction, SiegeView]):
    name = "ends its turn"

    def choose(self, view: SiegeView, legal: object, source: Source) -> SiegeAction:
        return parse_action("end")


def finished() -> SiegeMatch:
    match = siege()
    while match.over is None:
        match.act(0, match.ask(0, EndOfTurn()))
    return match


def test_a_finished_match_replays_and_its_dice_verify() -> None:
    match = finished()
    record = Record.read(match.record().write())
    assert record == match.record()
    replayed = Match.from_record(Siege(), record)
    assert replayed.position() == match.position()
    assert replayed.events(0) == match.events(0)
    found = verify(Siege(), record)
    assert found["verified"] is True
    assert found["result"] == record.result != RUNNING


@pytest.mark.parametrize("moves", [0, 1, 2, 3])
def test_a_record_replays_to_any_move(moves: int) -> None:
    assert len(Match.from_record(Siege(), finished().record(), moves).entries) == moves


def test_a_match_goes_on_from_its_journal_with_the_same_dice() -> None:
    whole = finished()
    part = siege()
    part.act(0, parse_action("end"))
    resumed = Match.from_record(Siege(), Record.read_journal(part.record().write_journal()))
    while resumed.over is None:
        resumed.act(0, parse_action("end"))
    assert resumed.record() == whole.record()


def test_a_journal_cut_between_a_choice_and_its_die_goes_on_with_that_die() -> None:
    match = siege()
    match.act(0, parse_action("end"))
    journal = match.record().write_journal()
    last = journal.splitlines()[-1]
    assert last.startswith("* draw ")
    cut = journal.removesuffix(f"{last}\n")
    assert Match.from_record(Siege(), Record.read_journal(cut)).record() == match.record()


def test_a_record_that_withholds_its_seed_can_be_looked_at_and_not_verified() -> None:
    record = finished().record(seed=False)
    assert record.seed is None
    looked_at = Match.from_record(Siege(), record)
    assert looked_at.over is not None
    assert looked_at.over.reason == record.result
    assert looked_at.commitment == record.commitment
    assert looked_at.record() == record
    with pytest.raises(RecordError, match="does not reveal its seed"):
        verify(Siege(), record)


def test_typed_records_replay_and_have_nothing_to_verify() -> None:
    match = typed_turn()
    match.act(0, parse_action("archers battering-ram"))
    match.enter(parse_outcome("roll 6"))
    assert verify(Siege(), Record.read(match.record().write()))["verified"] is False


def test_an_agents_choice_does_not_use_the_matchs_dice() -> None:
    with_agent, without = siege(), siege()
    with_agent.ask(0, EndOfTurn())
    for match in (with_agent, without):
        match.act(0, parse_action("end"))
    assert with_agent.record() == without.record()


def test_an_out_of_turn_action_leaves_the_decision_as_it_is() -> None:
    """A move of somebody else does not make mine stale unless the decision changed."""
    match = Match(Charm(), ["Ada", "Bo"], seed=SEED)
    assert isinstance(match.pending, Decision)
    (holder,) = match.pending.seats
    before = match.decision
    match.act(holder, USE, decision=before)
    assert match.decision == before + 1


def test_a_wrong_number_of_seats_is_an_error() -> None:
    with pytest.raises(MunimentError, match="for 1 player"):
        Match(Siege(), ["Ada", "Bo"])
    with pytest.raises(MunimentError, match="has 1 seats, not 2"):
        Match(Siege(), ["Ada", "Bo"], position=Siege().initial(1))


def test_entries_say_who_chose() -> None:
    match = siege()
    match.act(0, parse_action("end"))
    assert [entry.seat for entry in match.entries] == [CHANCE, 0, CHANCE]
