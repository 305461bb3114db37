"""What a tournament comes to, from results made up and worked out by hand."""

import csv
import io
import json
from collections.abc import Sequence
from html.parser import HTMLParser
from math import sqrt
from pathlib import Path

import pytest

from muniment.arena.game_list import games_csv, write_parquet
from muniment.arena.king_statistics import KingTotals
from muniment.arena.ratings import rate
from muniment.arena.report import tournament_html, tournament_text
from muniment.arena.sequential import Hypotheses, SequentialTest
from muniment.arena.standings import Pair, Share, Standings, standings
from muniment.arena.statistics import SiegeTotals
from muniment.arena.tournament import Plan, Result, Tournament

SOLO = Tournament(Plan("siege", ("captain", "random"), 1, "s"))
TWO = Tournament(Plan("king", ("steward", "random", "careless"), 2, "s"))
FOUR = Tournament(Plan("king", ("steward", "random"), 4, "s"))


def king_row(winner: int, seats: int) -> tuple[int | str, ...]:
    """A game that the seat has won in turn 5 after 90 decisions."""
    values: dict[str, int | str] = dict.fromkeys(KingTotals.columns, "")
    values |= {"result": "king", "victory": "built", "winner": str(winner + 1), "turns": 5, "decisions": 90}
    for seat in range(1, seats + 1):
        values |= {f"prestige_{seat}": seat, f"gold_{seat}": 3, f"lands_{seat}": 2, f"path_{seat}": "0 1"}
    return tuple(values.values())


def played(tournament: Tournament, winners: Sequence[int]) -> list[Result]:
    """The tournament's first games, each won by this agent."""
    results = []
    for number, winner in enumerate(winners, 1):
        seating = tournament.schedule.seating(number)
        seat = seating.agents.index(winner)
        seats = len(seating.agents)
        returns = tuple(float(each == seat) for each in range(seats))
        results.append(
            Result(
                number, seating.deal, seating.table, f"s/{seating.deal}", seating.agents,
                returns, king_row(seat, seats), (45,) * seats, (0.9,) * seats,
            )
        )  # fmt: skip
    return results


def solo(outcomes: Sequence[str]) -> list[Result]:
    """Solo games that ended like this."""
    results = []
    for number, outcome in enumerate(outcomes, 1):
        seating = SOLO.schedule.seating(number)
        row = (outcome, 3, 7, 1, 1, 1, 0, 30)
        results.append(
            Result(
                number, seating.deal, 0, f"s/{seating.deal}", seating.agents,
                (float(outcome == "won"),), row, (30,), (0.3,),
            )
        )  # fmt: skip
    return results


def found(tournament: Tournament, results: list[Result], test: SequentialTest | None = None) -> Standings:
    numbers = standings(tournament, results, test)
    assert numbers is not None
    return numbers


def test_a_round_of_pairs() -> None:
    """Steward wins both games against random and one of two against careless; random beats careless twice."""
    numbers = found(TWO, played(TWO, [0, 0, 0, 2, 1, 1]))
    assert numbers.games == 6
    assert numbers.agents == (Share(0, None, 4, 3), Share(1, None, 4, 2), Share(2, None, 4, 1))
    assert numbers.alone == (
        Share(0, 1, 2, 2), Share(0, 2, 2, 1), Share(1, 0, 2, 0),
        Share(1, 2, 2, 2), Share(2, 0, 2, 1), Share(2, 1, 2, 0),
    )  # fmt: skip
    assert numbers.ranking() == [0, 1, 2]
    assert numbers.even == 0.5
    assert numbers.choices == (180, 180, 180)
    told = numbers.to_json(1.5)
    assert [row["agent"] for row in told["standings"]] == ["steward", "random", "careless"]
    assert told["standings"][0]["win_rate"]["estimate"] == 0.75
    assert told["timing"]["games_a_second"] == 1.5
    assert told["timing"]["seconds_a_decision"]["steward"] == pytest.approx(0.02)
    assert told["statistics"][0]["mean_turns"] == 5
    assert told["statistics"][0]["seats"][0]["wins"] == 4


def test_alone_at_tables_of_four() -> None:
    """The lone steward wins three of four deals' games, the lone random none: three stewards do."""
    numbers = found(FOUR, played(FOUR, [0, 0, 0, 1, 0, 0, 0, 0]))
    assert numbers.alone == (Share(0, 1, 4, 3), Share(1, 0, 4, 0))
    assert numbers.agents == (Share(0, None, 16, 7), Share(1, None, 16, 1))
    assert numbers.mixed == ()
    assert numbers.even == 0.25


def test_mixed_tables_count_by_themselves() -> None:
    three = Tournament(Plan("king", ("steward", "random", "careless"), 3, "s"))
    numbers = found(three, played(three, [0] * 6 + [1] * 6 + [2] * 6 + [0, 0, 1]))
    assert numbers.mixed == (Share(0, None, 3, 2), Share(1, None, 3, 1), Share(2, None, 3, 0))
    assert all(share.seats == 3 for share in numbers.alone)


def test_a_deal_that_was_not_finished_does_not_count() -> None:
    assert found(TWO, played(TWO, [0, 0, 0])).games == 2
    assert standings(TWO, played(TWO, [0])) is None
    begun = found(TWO, played(TWO, [0, 0]))
    assert begun.ranking() == [0, 1]
    assert [row["agent"] for row in begun.to_json()["standings"]] == ["steward", "random"]


def test_solo_games_are_compared_on_the_same_dice() -> None:
    """Deals: both won, captain alone, captain alone, random alone, none."""
    numbers = found(
        SOLO, solo(["won", "won", "won", "wall-0", "won", "wall-0", "wall-0", "won", "wall-0", "wall-0"])
    )  # fmt: skip
    assert numbers.pairs == (Pair(0, 1, both=1, only_first=2, only_second=1, neither=1),)
    assert numbers.pairs[0].difference == 0.2
    assert numbers.pairs[0].first_of_decided is not None
    assert numbers.pairs[0].first_of_decided.estimate == 2 / 3
    assert numbers.agents == (Share(0, None, 5, 3), Share(1, None, 5, 2))
    assert numbers.ratings is None
    captain, random = numbers.statistics
    assert isinstance(captain, SiegeTotals)
    assert isinstance(random, SiegeTotals)
    assert (captain.wins, random.wins) == (3, 2)


def test_ratings_of_one_game_by_hand() -> None:
    """Plackett-Luce of two: c = sqrt(2 (sigma^2 + beta^2)); the winner gains sigma^2 / 2c, and the loser loses it."""
    sigma2, beta2 = (25 / 3) ** 2, (25 / 6) ** 2
    gain = sigma2 / sqrt(2 * (sigma2 + beta2)) / 2
    winner, loser = rate(2, [((1, 0), (0.0, 1.0))])
    assert [winner.mu, loser.mu] == pytest.approx([25 + gain, 25 - gain])
    assert winner.mu == pytest.approx(27.63523138347365)  # as OpenSkill's documentation has it
    assert winner.sigma == loser.sigma == pytest.approx(8.065506316323548)


def test_an_agent_in_several_seats_is_rated_in_each() -> None:
    """One winner and three losers: each loses as much as the others do, and the agent all of it."""
    alone = rate(4, [((0, 1, 2, 3), (1.0, 0.0, 0.0, 0.0))])
    together = rate(2, [((0, 1, 1, 1), (1.0, 0.0, 0.0, 0.0))])
    assert together[0] == alone[0]
    assert together[1].mu == pytest.approx(25 + 3 * (alone[1].mu - 25))
    assert together[1].sigma == pytest.approx(alone[1].sigma ** 3 / (25 / 3) ** 2)


def test_a_draw_between_equals_changes_no_mean() -> None:
    assert [rating.mu for rating in rate(2, [((0, 1), (0.5, 0.5))])] == pytest.approx([25, 25])


def test_ratings_follow_the_order_of_the_games() -> None:
    numbers = found(TWO, played(TWO, [0, 0, 0, 0, 1, 1]))
    assert numbers.ratings is not None
    assert numbers.ratings[0].mu > numbers.ratings[1].mu > numbers.ratings[2].mu
    assert numbers.to_json()["standings"][0]["rating"]["mu"] == numbers.ratings[0].mu


def test_the_list_of_games(tmp_path: Path) -> None:
    results = played(TWO, [0, 0, 0, 2, 1, 1])
    rows = list(csv.DictReader(io.StringIO(games_csv(TWO, results))))
    assert len(rows) == 6
    assert {name: rows[3][name] for name in ("game", "deal", "seed", "agent_1", "agent_2", "winner", "victory")} == {
        "game": "4", "deal": "2", "seed": "s/2", "agent_1": "careless", "agent_2": "steward", "winner": "1",
        "victory": "built",
    }  # fmt: skip
    assert "prestige_2" in rows[0]
    assert "prestige_3" not in rows[0]
    import pyarrow.parquet as pq

    write_parquet(TWO, results, tmp_path / "games.parquet")
    table = pq.read_table(tmp_path / "games.parquet")
    assert [{name: str(value) for name, value in row.items()} for row in table.to_pylist()] == rows
    assert str(table.schema.field("turns").type) == "int64"
    assert str(table.schema.field("agent_1").type) == "string"


class Well(HTMLParser):
    """Notes tags left open and the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.scripts += tag == "script"
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read_page(page: str) -> Well:
    reader = Well()
    reader.feed(page)
    assert reader.open == []
    assert reader.scripts == 0
    return reader


def a_test() -> Standings:
    tournament = Tournament(Plan("king", ("steward", "random"), 2, "s", test=Hypotheses(0.5, 0.9)))
    test = SequentialTest(Hypotheses(0.5, 0.9), 2)
    games = 0
    while test.verdict is None:
        test.add(1.0)
        games += 2
    return found(tournament, played(tournament, [0] * games), test)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        (lambda: found(TWO, played(TWO, [0, 0, 0, 2, 1, 1])),
         ["6 games at 2 seats", "steward", "75.0%", "30.1% to 95.4%", "Gran Muniment built", "seat 1", "5.0 turns"]),
        (lambda: found(FOUR, played(FOUR, [0] * 8)),
         ["alone against 3 of the column; even is 25.0%", "50.0%"]),
        (lambda: found(SOLO, solo(["won", "wall-0"] * 3)),
         ["how the games of captain end", "+100.00", "won (11.0)"]),
        (a_test, ["H0: its share of games is at most 0.5", "verdict: H1 accepted: the share of games is above 0.5",
                  "95% interval that allows for stopping", "leans towards its verdict"]),
    ],
)  # fmt: skip
def test_the_report_in_words_and_as_a_page(numbers: object, words: list[str]) -> None:
    assert callable(numbers)
    text = "\n".join(tournament_text(numbers(), 2.5))
    page = read_page(tournament_html(numbers(), 2.5))
    for each in words:
        assert each in text
        assert each.casefold() in page.text.casefold()
    assert "2.50 games" in text
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "2.50 games a second" in page.text
    assert "nan" not in page.text


def test_the_pages_plots_say_what_they_show() -> None:
    page = tournament_html(a_test())
    assert page.count('role="img"') >= 4
    assert "Log-likelihood ratios against the hypotheses, deal by deal" in page
    assert "prefers-color-scheme: dark" in page


def test_names_are_written_as_text() -> None:
    tournament = Tournament(Plan("king", ("steward", "random"), 2, "<b>&"))
    page = tournament_html(found(tournament, played(tournament, [0, 0])))
    assert "seed &lt;b&gt;&amp;" in page
    assert json.dumps(found(tournament, played(tournament, [0, 0])).to_json())
