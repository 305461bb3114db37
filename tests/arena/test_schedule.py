"""Who plays whom: worked out by hand for each number of seats, and balanced."""

from collections import Counter
from itertools import permutations

import pytest

from muniment.arena.schedule import Schedule
from muniment.core.errors import MunimentError


def games(schedule: Schedule, first: int, count: int) -> list[tuple[int, ...]]:
    return [schedule.seating(number).agents for number in range(first, first + count)]


def test_two_seats_are_each_pair_both_ways_round() -> None:
    schedule = Schedule(3, 2)
    assert (schedule.deal_games, schedule.round_games) == (2, 6)
    assert games(schedule, 1, 6) == [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    assert games(schedule, 7, 6) == games(schedule, 1, 6)
    assert [schedule.seating(number).deal for number in range(1, 8)] == [1, 1, 2, 2, 3, 3, 4]
    assert [schedule.seating(number).table for number in range(1, 8)] == [0, 0, 1, 1, 2, 2, 0]


def test_two_agents_at_four_seats_are_each_alone_against_the_other() -> None:
    schedule = Schedule(2, 4)
    assert games(schedule, 1, 8) == [
        (0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0),
        (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1),
    ]  # fmt: skip
    assert schedule.round_games == 8


def test_three_agents_at_three_seats_meet_in_both_directions() -> None:
    schedule = Schedule(3, 3)
    assert schedule.round_games == 3 * (6 + 1)
    assert games(schedule, 19, 3) == [(0, 1, 2), (2, 0, 1), (1, 2, 0)]
    assert games(schedule, 19 + 21, 3) == [(0, 2, 1), (1, 0, 2), (2, 1, 0)]
    assert games(schedule, 19 + 42, 3) == games(schedule, 19, 3)


def test_three_agents_at_four_seats_are_each_twice_in_turn() -> None:
    schedule = Schedule(3, 4)
    assert schedule.round_games == 4 * (6 + 3)
    mixed = [table for table in schedule.tables if table.alone is None]
    assert [sorted(table.orders[0]) for table in mixed] == [[0, 0, 1, 2], [0, 1, 1, 2], [0, 1, 2, 2]]
    assert all(len(set(table.orders)) == len(table.orders) for table in mixed)


def test_four_agents_sit_in_every_order_in_six_rounds() -> None:
    schedule = Schedule(4, 4)
    mixed = [
        seating.agents
        for number in range(1, 6 * schedule.round_games + 1)
        if schedule.tables[(seating := schedule.seating(number)).table].alone is None
    ]
    assert Counter(mixed) == Counter(permutations(range(4)))


@pytest.mark.parametrize(("agents", "seats"), [(2, 2), (5, 2), (2, 3), (4, 3), (2, 4), (3, 4), (6, 4)])
def test_in_every_deal_everybody_sits_everywhere_equally_often(agents: int, seats: int) -> None:
    schedule = Schedule(agents, seats)
    for deal in range(2 * len(schedule.tables)):
        seatings = [schedule.seating(deal * seats + turn + 1) for turn in range(seats)]
        assert {seating.deal for seating in seatings} == {deal + 1}
        by_seat = [Counter(seating.agents[seat] for seating in seatings) for seat in range(seats)]
        assert all(counts == by_seat[0] for counts in by_seat)


@pytest.mark.parametrize(("agents", "seats"), [(2, 2), (3, 3), (3, 4), (5, 4)])
def test_in_a_round_every_agent_has_as_many_seats(agents: int, seats: int) -> None:
    schedule = Schedule(agents, seats)
    held = Counter(agent for game in games(schedule, 1, schedule.round_games) for agent in game)
    assert len(held) == agents
    assert len(set(held.values())) == 1


def test_a_solo_deal_is_everybody_on_the_same_dice() -> None:
    schedule = Schedule(3, 1)
    assert games(schedule, 1, 4) == [(0,), (1,), (2,), (0,)]
    assert [schedule.seating(number).deal for number in (1, 2, 3, 4)] == [1, 1, 1, 2]


def test_a_test_is_the_first_agent_alone() -> None:
    schedule = Schedule(2, 3, gauntlet=True)
    assert games(schedule, 1, 4) == [(0, 1, 1), (1, 0, 1), (1, 1, 0), (0, 1, 1)]
    assert schedule.round_games == 3


def test_in_a_gauntlet_each_is_alone_against_the_last_one() -> None:
    schedule = Schedule(3, 4, gauntlet=True)
    assert (schedule.deal_games, schedule.round_games) == (8, 8)
    assert games(schedule, 1, 8) == [
        (0, 2, 2, 2), (2, 0, 2, 2), (2, 2, 0, 2), (2, 2, 2, 0),
        (1, 2, 2, 2), (2, 1, 2, 2), (2, 2, 1, 2), (2, 2, 2, 1),
    ]  # fmt: skip
    assert games(schedule, 9, 8) == games(schedule, 1, 8)
    assert [schedule.seating(number).table for number in range(1, 10)] == [0, 0, 0, 0, 1, 1, 1, 1, 0]


def test_in_a_gauntlet_everybody_has_the_same_deals() -> None:
    schedule = Schedule(4, 2, gauntlet=True)
    assert games(schedule, 1, 6) == [(0, 3), (3, 0), (1, 3), (3, 1), (2, 3), (3, 2)]
    assert [schedule.seating(number).deal for number in range(1, 8)] == [1, 1, 1, 1, 1, 1, 2]
    assert schedule.whole_rounds(7) == 12


@pytest.mark.parametrize(("wanted", "played"), [(1, 6), (6, 6), (7, 12), (2000, 2004)])
def test_games_make_whole_rounds(wanted: int, played: int) -> None:
    assert Schedule(3, 2).whole_rounds(wanted) == played


@pytest.mark.parametrize(("agents", "seats"), [(1, 2), (0, 1), (1, 4)])
def test_too_few_agents_are_refused(agents: int, seats: int) -> None:
    with pytest.raises(MunimentError, match="at least"):
        Schedule(agents, seats)
