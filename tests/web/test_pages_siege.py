"""What the siege page shows, against the engine: every position's boards, offers, story and guide."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from muniment.core.dice import RandomStream, seed_from_text
from muniment.core.match import Match
from muniment.core.words import listed, signed
from muniment.games.siege import Siege
from muniment.games.siege.actions import SiegeAction
from muniment.games.siege.outcomes import SiegeOutcome
from muniment.games.siege.printed import event_sentences, order_sentence
from muniment.games.siege.state import SiegeState
from muniment.games.siege.view import SiegeView
from muniment.tables.values import LogLine
from muniment.web.boards.dice import die
from muniment.web.siege_guide import guide_of, lessons
from muniment.web.siege_scene import SiegeScene, siege_scene
from muniment.web.siege_story import course_of, dice_of, story_of

GAME = Siege()
SiegeMatch = Match[SiegeState, SiegeAction, SiegeOutcome, SiegeView]


def lines_of(match: SiegeMatch) -> list[LogLine]:
    return [LogLine(n, GAME.tell(e), e.rule, e.to_json()) for n, e in enumerate(match.events(None))]


def games(number: int) -> list[tuple[SiegeMatch, list[SiegeView]]]:
    """Whole games at random, with every view that a page would have shown."""
    played = []
    for seed in range(number):
        match: SiegeMatch = Match(GAME, ["Ada"], seed=seed_from_text(str(seed)))
        source = RandomStream.labelled(seed_from_text("pages"), seed)
        views = [match.view(0)]
        while match.over is None:
            match.act(0, source.choice(match.legal_actions(0)))
            views.append(match.view(0))
        played.append((match, views))
    return played


PLAYED = games(12)
SCENES: list[SiegeScene] = [siege_scene(GAME, view, may_act=True) for _, views in PLAYED for view in views]


def test_boards_are_well_formed() -> None:
    for scene in SCENES[::5]:
        for drawn in (scene.enemy, scene.status):
            assert ET.fromstring(str(drawn)).tag == "svg"
    for face in range(1, 7):
        assert str(die(face)).count('class="pip"') == face


def test_offers_are_the_engines() -> None:
    for scene in SCENES:
        state = GAME.redeal(scene.view, RandomStream(b"0" * 32))
        legal = set(GAME.legal_actions(state))
        assert {offer.action for offer in scene.legal} == legal
        for offer in scene.refused:
            assert offer.refusal == GAME.refusal(state, offer.action)
        for offer in scene.legal:
            assert offer.odds == GAME.odds(scene.view, offer.action)
            assert offer.spot is not None or offer.notation == "end"


def test_every_possible_action_is_on_the_board_at_a_place_of_its_own() -> None:
    for scene in SCENES:
        spots = [offer.spot for offer in (*scene.enemy_buttons, *scene.status_buttons)]
        assert len(spots) == len(set(spots))
        assert len(spots) == len([offer for offer in scene.legal if offer.notation != "end"])


def test_pieces_say_where_they_stand() -> None:
    for scene in SCENES:
        assert len(scene.in_words) >= 8
        for piece in scene.pieces:
            assert piece.where
            assert "None" not in piece.where


def test_the_story_leaves_nothing_out() -> None:
    for match, _ in PLAYED:
        lines = lines_of(match)
        story = story_of(lines)
        told = sorted(entry.line.number for turn in story.turns for entry in turn.entries)
        assert told == [line.number for line in lines]
        numbers = [(turn.day, turn.number) for turn in reversed(story.turns)]
        assert numbers == sorted(numbers)
        assert numbers[0] == (1, 1)
        for turn in story.turns:
            assert sum(entry.kind == "card" for entry in turn.entries) == 1
            assert 1 <= turn.number <= 7


def test_rolls_tell_what_came_of_every_die() -> None:
    for match, _ in PLAYED:
        for roll in story_of(lines_of(match)).rolls:
            assert roll.verdict
            if roll.total is not None:
                assert roll.added == ("" if roll.total == roll.face else signed(roll.total - roll.face))


def test_figures_of_a_game() -> None:
    for match, views in PLAYED:
        names, series = course_of(views)
        assert all(len(line.values) == len(names) for line in series)
        assert series[0].values[-1] == views[-1].status[0]
        dice = dice_of(lines_of(match))
        assert dice.rolled == sum(entry.notation.startswith("roll") for entry in match.entries)


def test_each_lesson_comes_once_and_when_it_first_matters() -> None:
    for match, _ in PLAYED[:4]:
        lines = lines_of(match)
        seen: set[str] = set()
        starts = [0, *(line.number for line in lines if line.event["event"] == "action"), len(lines)]
        for end in starts[1:]:
            guide = guide_of(lines[:end])
            titles = {lesson.title for lesson in guide.now}
            assert not titles & seen
            seen |= titles
            assert len(guide.now) + len(guide.before) + guide.left == len(lessons())


def test_every_lesson_names_a_rule() -> None:
    for lesson in lessons():
        assert lesson.rule in GAME.rulebook()


def test_cards_in_words() -> None:
    for card in GAME.edition.cards:
        for division in card.divisions:
            assert event_sentences(division)
            assert order_sentence(division).endswith("dvance.") or order_sentence(division).endswith("dvances.")
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed([]) == ""
