"""Levels for people: what they are, how strong, and that their names go wherever an agent's does."""

from __future__ import annotations

import pytest

from muniment.agents.catalog import agent_names, agent_sentence, make_agent
from muniment.agents.levels import ANCHOR, ANCHOR_RATING, Level, Measured, agent_of, level_of, levels
from muniment.games.king import King
from muniment.games.siege import Siege

KING = levels("king")


def test_three_levels_of_king_and_none_of_a_game_for_one() -> None:
    assert [level.name for level in KING] == ["Squire", "Castellan", "Regent"]
    assert [level.agent for level in KING] == ["careless", "steward", "marshal"]
    assert levels("siege") == ()
    assert all(level.sentence.endswith(".") and len(level.sentence) <= 60 for level in KING)


def test_ratings_by_hand() -> None:
    assert Measured("steward", 110, 100, "2026-01-01").ahead == pytest.approx(400)  # odds of 10 to 1
    assert Measured("steward", 101, 1, "2026-01-01").ahead == pytest.approx(-800)  # 1 to 100
    assert Level("Even", "", "even", Measured("steward", 8, 4, "2026-01-01")).rating == 1000
    assert Level("Page", "", "page", Measured("steward", 4, 1, "2026-01-01")).rating == 809  # 1 to 3: -190.8
    assert level_of("king", ANCHOR).rating == ANCHOR_RATING == 1000  # type: ignore[union-attr]


def test_the_games_measured_agree_with_65_of_100_against_the_next_lower_level() -> None:
    squire, castellan, regent = (level.measured for level in KING)
    assert squire is not None
    assert castellan is None
    assert regent is not None
    assert squire.against == regent.against == ANCHOR
    assert 1 - squire.share >= 0.65
    assert regent.share >= 0.65
    assert sorted(KING, key=lambda level: level.rating) == list(KING)


def test_names_go_wherever_an_agents_does() -> None:
    game = King()
    assert [make_agent(game, level.key).name for level in KING] == [level.agent for level in KING]
    assert agent_of("king", "Regent") == agent_of("king", "regent") == agent_of("king", "marshal") == "marshal"
    assert agent_of("siege", "regent") == "regent"
    assert not {level.key for level in KING} & set(agent_names(game))
    assert level_of("king", "random") is None


def test_every_agent_has_a_sentence() -> None:
    assert all(agent_sentence(name).endswith(".") for game in (King(), Siege()) for name in agent_names(game))
