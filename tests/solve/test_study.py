"""The study's figures, and its report."""

import json
from html.parser import HTMLParser
from typing import Any

import pytest

from muniment.games.siege import SiegeOptions
from muniment.solve import study
from muniment.solve.plots import course_plot
from muniment.solve.report import study_html, study_text
from muniment.solve.table import ERROR
from tests.solve.games import small_edition


@pytest.fixture(scope="session")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("study")
    shares: list[float] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("muniment.solve.table.cache_folder", lambda: folder)
        patch.setattr(study, "lower_priority", lambda: None)
        edition = small_edition(3, 5, points=1)
        result = study.study(edition, 5_000, progress=lambda share, left: shares.append(share))
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)
    assert json.loads(json.dumps(result)) == result
    return result


def test_every_option_stands_beside_the_default() -> None:
    assert list(study.every_option()) == [
        SiegeOptions(),
        SiegeOptions(ones="event_bonus_cancels"),
        SiegeOptions(close_combat_drives_back="all"),
        SiegeOptions(bad_weather_free_movement=True),
    ]


def test_options_are_compared_with_the_default(found: dict[str, Any]) -> None:
    assert [o["change"] for o in found["options"]] == [
        o["value"] - found["options"][0]["value"] for o in found["options"]
    ]


def test_defeats_and_victories_are_all_games(found: dict[str, Any]) -> None:
    assert sum(d["share"] for d in found["defeats"]) + found["perfect"]["win_rate"] == pytest.approx(1)
    assert abs(found["perfect"]["win_rate"] - found["options"][0]["value"]) < 4 * found["perfect"]["standard_error"]


def test_what_cards_are_worth_cancels_out_over_a_day(found: dict[str, Any]) -> None:
    """Before a draw the chance is the mean over the cards, so their changes sum to nothing, within sampling."""
    for day in (1, 2, 3):
        cards = [card for card in found["cards"] if card["day"] == day]
        drawn = sum(card["drawn"] for card in cards)
        assert sum(card["worth"] * card["drawn"] for card in cards) / drawn == pytest.approx(0, abs=0.01)


def test_the_first_turn_has_a_plan(found: dict[str, Any]) -> None:
    mean = sum(turn["value"] for turn in found["first_turns"]) / len(found["first_turns"])
    assert mean == pytest.approx(found["options"][0]["value"], abs=2 * ERROR)
    for turn in found["first_turns"]:
        assert turn["plan"]["value"] == pytest.approx(turn["value"], abs=1e-9)
        assert turn["plan"]["action"]


def test_a_lower_status_and_more_trebuchets_are_worth_less(found: dict[str, Any]) -> None:
    for morning in found["mornings"]:
        for name in ("wall", "morale", "supplies"):
            chances = list(morning[name].values())
            assert chances == sorted(chances, reverse=True), (morning["day"], name)
        assert morning["trebuchets"]["0"] >= morning["trebuchets"]["3"]
    assert "removed" in found["mornings"][2]["siege tower"]
    assert "removed" not in found["mornings"][0]["siege tower"]


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)


def test_the_report_is_a_page_with_plots_that_needs_nothing_else(found: dict[str, Any]) -> None:
    page = study_html(found)
    parser = _Tags()
    parser.feed(page)
    assert parser.tags.count("svg") == 2 + 3 + 3
    assert not {"script", "img", "link"} & set(parser.tags)
    assert "src=" not in page
    assert "Collapsed!" in page
    assert any("Supplies Spoiled" in line for line in study_text(found))


def test_a_course_is_drawn_from_the_first_to_the_last_move() -> None:
    plot = course_plot("A game", [0.75, 0.5, 0.0], [(1, "a <blunder>")])
    assert 'points="44.0,60.0 397.0,110.0 750.0,210.0"' in plot
    assert "a &lt;blunder&gt;" in plot
