"""The protocol of a game, proved on two toy games whose values are known by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from muniment.core.chance import Source
from muniment.core.explore import best_value
from muniment.core.game import Decision, Over
from muniment.core.match import Match
from muniment.core.refusal import Refused
from tests.core.toys import CARDS, FACES, FOLD, HOLDERS, PASS, STAKE, USE, Charm, Standoff, Table


class Script:
    """A source that gives what it was told to."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)

    def below(self, n: int) -> int:
        number = self.numbers.pop(0)
        assert number < n
        return number


def standoff(first: int, second: int) -> tuple[Standoff, Table]:
    game = Standoff()
    state = game.initial(2)
    game.apply_outcome(state, CARDS[first - 1])
    game.apply_outcome(state, CARDS[second - 1])
    return game, state


def charm(holder: int, face: int | None = None) -> tuple[Charm, Table]:
    game = Charm()
    state = game.initial(2)
    game.apply_outcome(state, HOLDERS[holder])
    if face is not None:
        game.apply_outcome(state, FACES[face - 1])
    return game, state


def test_a_simultaneous_choice_asks_both_and_shows_neither() -> None:
    game, state = standoff(3, 1)
    assert game.pending(state) == Decision((0, 1), "choose", "1")
    before = game.view(state, 0)
    game.apply(state, STAKE, 1)
    assert game.view(state, 0) == before, "seat 0 may not notice that seat 1 has chosen"
    assert game.pending(state) == Decision((0,), "choose", "1")
    assert game.legal_actions(state, 1) == ()


@pytest.mark.parametrize(
    ("cards", "choices", "first"),
    [
        ((3, 1), (STAKE, STAKE), Fraction(1)),
        ((1, 3), (STAKE, STAKE), Fraction(0)),
        ((3, 1), (FOLD, STAKE), Fraction(0)),
        ((1, 3), (STAKE, FOLD), Fraction(1)),
        ((1, 3), (FOLD, FOLD), Fraction(1, 2)),
    ],
)
def test_the_results_of_a_standoff(cards: tuple[int, int], choices: tuple[object, object], first: Fraction) -> None:
    game, state = standoff(*cards)
    for seat in (1, 0):
        action = STAKE if choices[seat] == STAKE else FOLD
        game.play(state, action, seat)
    over = game.pending(state)
    assert isinstance(over, Over)
    assert over.returns == (first, 1 - first)


def test_dealing_is_exact_chance() -> None:
    """Six deals, each with probability 1/3 * 1/2."""
    game = Standoff()
    deals = {}
    for first, p in game.chance(game.initial(2)).probabilities():
        state = game.initial(2)
        game.apply_outcome(state, first)
        for second, q in game.chance(state).probabilities():
            deals[first.notation, second.notation] = p * q
    assert len(deals) == 6
    assert set(deals.values()) == {Fraction(1, 6)}


def test_redeal_agrees_with_enumeration() -> None:
    """Seat 0 holds the 2: of the six deals two are left, the other seat's card is 1 or 3, each 1/2."""
    game, state = standoff(2, 3)
    view = game.view(state, 0)
    scripts: tuple[Source, ...] = (Script(0), Script(1))
    dealt = [game.redeal(view, script) for script in scripts]
    assert [other.hands for other in dealt] == [[2, 1], [2, 3]]
    assert all(game.view(other, 0) == view for other in dealt)
    assert all(game.legal_actions(other, 0) == game.legal_actions(state, 0) for other in dealt)


def test_a_spectator_sees_no_card() -> None:
    game, state = standoff(2, 3)
    assert game.view(state) == game.view(standoff(1, 2)[1])


def test_no_event_tells_the_other_seat_a_card() -> None:
    match = Match(Standoff(), ["Ada", "Bo"], seed=bytes(32))
    for seat in (0, 1):
        assert [event.kind for event in match.events(seat)] == ["dealt"]
    assert match.events(None) == ()
    assert match.events(0) != match.events(1)


def test_an_interrupt_asks_the_holder_and_resumes() -> None:
    game, state = charm(holder=1, face=5)
    assert game.pending(state) == Decision((1,), "charm", "1")
    assert game.legal_actions(state, 0) == ()
    game.apply(state, USE, 1)
    assert game.pending(state) == Over((Fraction(0), Fraction(1)), "rolled", "1")


def test_whoever_is_asked_the_others_see_the_same() -> None:
    """A view says that the game waits for an answer, never whose."""
    game, asked_of_other = charm(holder=1, face=4)
    spectator = [game.view(charm(holder=h, face=4)[1]) for h in (0, 1)]
    assert spectator[0] == spectator[1]
    view = game.view(asked_of_other, 0)
    assert not view.awaited.you
    assert view.awaited.seats == ()


def test_the_value_of_the_charm_is_one_third() -> None:
    """Worked out in the module's text: half of 3/6 with one's own charm, half of 1/6 against it."""
    total = Fraction(0)
    for holder, p in Charm().chance(Charm().initial(2)).probabilities():
        for face, q in Charm().chance(charm(HOLDERS.index(holder))[1]).probabilities():
            results = []
            for action in (USE, PASS):
                game, state = charm(HOLDERS.index(holder), FACES.index(face) + 1)
                game.apply(state, action, HOLDERS.index(holder))
                over = game.pending(state)
                assert isinstance(over, Over)
                results.append(over.returns[0])
            best = max(results) if holder == HOLDERS[0] else min(results)
            total += p * q * best
    assert total == Fraction(1, 3)


def test_redeal_of_the_charm_agrees_with_enumeration() -> None:
    """A seat that holds the charm knows all; a spectator gives each seat 1/2."""
    game, state = charm(holder=1, face=4)
    assert game.redeal(game.view(state, 0), Script()).hands == [0, 1]
    assert game.redeal(game.view(state, 1), Script()).hands == [0, 1]
    assert {tuple(game.redeal(game.view(state), Script(n)).hands) for n in (0, 1)} == {(1, 0), (0, 1)}


def test_frames_are_data() -> None:
    game, state = charm(holder=0, face=3)
    assert game.state_from_json(game.state_to_json(state)).key() == state.key()


def test_an_algorithm_refuses_a_game_that_does_not_fit() -> None:
    game = Charm()
    with pytest.raises(ValueError, match="one player"):
        best_value(game, game.initial(2), lambda state: None, Fraction)


def test_an_illegal_action_changes_nothing() -> None:
    game, state = charm(holder=0, face=3)
    key = state.key()
    with pytest.raises(Refused, match="not allowed"):
        game.play(state, USE, 1)
    assert state.key() == key
