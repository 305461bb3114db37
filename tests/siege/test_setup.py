"""The set-up and the sequence of play (3.0, 4.0, 6.0, S1, S29)."""

from fractions import Fraction

import pytest

from muniment.core.errors import MunimentError
from muniment.core.game import Chance, Decision, Over
from tests.siege.positions import STANDARD, Play, at, before_card, last_turn


def start() -> Play:
    return Play(STANDARD, STANDARD.initial())


def test_the_set_up() -> None:
    """3.0, 2.3.2, 2.3.3: units on their starts, 3 trebuchets, status 4, soldiers in the castle, 7 cards."""
    play = start()
    assert play.units == ("start", "start", "start")
    assert (play.trebuchets, play.status, play.soldiers, play.raided) == (3, (4, 4, 4), "castle", 0)
    assert (play.day, play.points, play.result) == (1, 0, None)
    assert STANDARD.state_to_json(play.state) == {
        "game": "siege", "day": 1, "deck": [1, 2, 3, 4, 5, 6, 7], "card": None, "step": "draw",
        "units": {"ladders": "start", "battering_ram": "start", "siege_tower": "start"},
        "trebuchets": 3, "wall": 4, "morale": 4, "supplies": 4, "soldiers": "castle", "raided": 0, "action_points": 0,
        "extra_used": False, "free_move": "left", "boiling_water_used": False, "rolling": None, "result": None,
    }  # fmt: skip


def test_the_set_up_is_a_position_like_others() -> None:
    """3.0: written and read back it is the same state."""
    state = STANDARD.initial()
    assert STANDARD.state_from_json(STANDARD.state_to_json(state)) == state


class Asked:
    """A source that gives the highest number possible, and notes what it was asked."""

    def __init__(self) -> None:
        self.bounds: list[int] = []

    def below(self, n: int) -> int:
        self.bounds.append(n)
        return n - 1


def test_dice_and_draws_ask_the_source_once() -> None:
    """S2, S29: a die is uniform over 6 faces, a draw over the cards left: one number each."""
    source = Asked()
    assert STANDARD.sample(before_card(7, more=[2, 5]).state, source).notation == "draw 7"
    assert STANDARD.sample(at(wall=2).do("coupure").state, source).notation == "roll 6"
    check = before_card(7, step="line check", soldiers="enemy lines")
    assert STANDARD.sample(check.state, source).notation == "roll 6"
    assert source.bounds == [3, 6, 6]


@pytest.mark.parametrize("seats", [0, 2])
def test_the_game_is_for_one(seats: int) -> None:
    """3.0: a solo game."""
    with pytest.raises(MunimentError, match="for 1 player"):
        STANDARD.initial(seats)
    assert STANDARD.seats_of(STANDARD.initial(1)) == 1


def test_the_first_turn_begins_with_the_draw() -> None:
    """4.0, 5.0, 6.0: nobody is in the enemy lines, so any of the seven cards comes, each as likely (S29)."""
    pending = STANDARD.pending(start().state)
    assert isinstance(pending, Chance)
    assert (pending.kind, pending.rule) == ("draw", "6.0")
    assert STANDARD.division(start().state) is None
    odds = STANDARD.chance(start().state).probabilities()
    assert [(o.notation, p) for o, p in odds] == [(f"draw {number}", Fraction(1, 7)) for number in range(1, 8)]


def test_only_cards_not_yet_played_this_day_can_come() -> None:
    """S29, 6.0: the deck holds what is left of the day; the player sees which cards, not their order."""
    play = before_card(7, more=[2, 5])
    assert [o.notation for o, _ in STANDARD.chance(play.state).probabilities()] == ["draw 2", "draw 5", "draw 7"]
    assert STANDARD.view(play.state).cards_left == (1, 4, 6)
    assert not STANDARD.admits(play.state, STANDARD.parse_outcome("draw 1"))
    assert STANDARD.view(play.draw(5).state).cards_left == (1, 6)


def test_a_turn_goes_in_order() -> None:
    """S1, 4.0: line check, draw, event, movement, actions, then the next turn; each is told in that order."""
    play = before_card(4, soldiers="enemy lines", step="line check")
    play.do(2).draw(4).do("end")
    assert play.told == ["die", "undetected", "card", "status", "advance", "advance", "action"]
    assert [event.rule for event in play.log] == ["5.1", "5.1", "6.0", "7.1", "8.1", "8.1", "9.1"]
    assert play.step == "line check"


def test_the_card_decides_the_points() -> None:
    """9.0, 6.0: the AP are those of the card's division for the day."""
    assert before_card(7, day=1).draw(7).points == 2
    assert before_card(6, day=1).draw(6).points == 3
    assert before_card(1, day=3).draw(1).points == 1


@pytest.mark.parametrize(("day", "title"), [(1, "Illness"), (2, "Guards Distracted"), (3, "Trebuchet Attack")])
def test_each_day_has_its_own_division(day: int, title: str) -> None:
    """2.1.2, 6.0: first time through the deck the first division, then the second and the third."""
    play = before_card(2, day=day, trebuchets=0).draw(2)
    assert [event["title"] for event in play.log if event.kind == "card"] == [title]
    division = STANDARD.division(play.state)
    assert division is not None
    assert division.title == title


def test_the_view_counts_turns() -> None:
    """4.0: seven turns a day."""
    assert STANDARD.view(start().state).turn == 1
    assert STANDARD.view(at(deck=[1]).state).turn == 6
    assert STANDARD.view(before_card(2, more=[]).state).turn == 7


def test_unused_points_and_used_things_are_forgotten() -> None:
    """S28, 9.1: unused AP are lost; the additional action, free movement and boiling water are fresh each turn."""
    play = at(points=2, extra_used=True, free_move="used", boiling_water_used=True, deck=[2, 7]).do("end")
    assert (play.step, play.points) == ("draw", 0)
    assert play.state == before_card(2, more=[7]).state
    play.draw(7)
    assert play.points == 2
    assert (play.state.extra_used, play.state.free_move, play.state.boiled) == (False, 0, False)


def test_what_the_game_waits_for() -> None:
    """4.0, 9.0: a decision of the one seat, a die, or nothing any more."""
    assert STANDARD.pending(at().state) == Decision((0,), "actions", "9.0")
    roll = STANDARD.pending(at(ladders=2).do("archers ladders").state)
    assert roll == Chance("roll", "9.1.1", "the die for: Archers shoot at the ladders")
    over = STANDARD.pending(last_turn(day=3, card=4).do("end").state)
    assert over == Over((Fraction(1),), "won", "11.0")
    lost = STANDARD.pending(at(wall=0).do("end").state)
    assert lost == Over((Fraction(0),), "wall-0", "10.0")


def test_no_action_outside_the_actions_step() -> None:
    """4.0, 10.0, 3.0: while a card or die is awaited, after the end, or for another seat, nothing is legal."""
    drawing, rolling, over = before_card(2), at(ladders=2).do("archers ladders"), at(wall=0).do("end")
    assert drawing.legal == rolling.legal == over.legal == set()
    assert drawing.refused("end") == rolling.refused("end") == ("not-now", "4.0")
    assert over.refused("end") == ("game-over", "10.0")
    refusal = STANDARD.refusal(at().state, STANDARD.parse_action("end"), 1)
    assert refusal is not None
    assert (refusal.code, refusal.rule) == ("no-such-seat", "3.0")
    assert STANDARD.legal_actions(at().state, 1) == ()
