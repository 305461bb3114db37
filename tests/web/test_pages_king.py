"""What the King page shows, against the engine: every decision of random games can be answered from the page."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from contextlib import suppress

import pytest

from muniment.core.dice import RandomStream, seed_from_text
from muniment.core.game import Decision
from muniment.core.match import Match
from muniment.core.refusal import Refused
from muniment.games.king import King
from muniment.games.king.actions import KingAction, KingOutcome
from muniment.games.king.state import KingState
from muniment.games.king.views import KingView
from muniment.tables.values import Choice, LogLine, SeatInfo
from muniment.web.boards.king import face_of, land_picture
from muniment.web.king_guide import _lessons
from muniment.web.king_picks import hits_of, in_order
from muniment.web.king_scene import KingScene, king_scene
from muniment.web.king_story import king_story, prestige_of
from muniment.web.king_texts import ASKS, named, seat_names
from tests.king.scripts import player

GAME = King()
NAMES = ("Ada", "Ben", "Cleo", "Dan")
SEATS = tuple(SeatInfo(seat, "person", name) for seat, name in enumerate(NAMES))
KingMatch = Match[KingState, KingAction, KingOutcome, KingView]


def choices_of(actions: Sequence[KingAction]) -> tuple[Choice, ...]:
    return tuple(Choice(a, a.notation, GAME.sentence(a), a.rule) for a in actions)


def scene_of(match: KingMatch, seat: int) -> KingScene:
    return king_scene(GAME, match.view(seat), choices_of(match.legal_actions(seat)), SEATS, may_act=True)


def decisions(seed: int, most: int) -> Iterator[tuple[KingMatch, int]]:
    """A random game, stopped at every decision."""
    match: KingMatch = Match(GAME, NAMES, seed=seed_from_text(str(seed)))
    source = RandomStream.labelled(seed_from_text("king pages"), seed)
    for _ in range(most):
        pending = match.pending
        if not isinstance(pending, Decision):
            return
        seat = pending.seats[0]
        yield match, seat
        match.act(seat, source.choice(match.legal_actions(seat)))


@pytest.mark.parametrize("seed", range(2))
def test_every_decision_can_be_answered_from_the_page(seed: int) -> None:
    kinds = set()
    for match, seat in decisions(seed, 300):
        ask = scene_of(match, seat).ask
        assert ask.you
        kinds.add(ask.kind)
        assert ask.title
        shown = {option.notation for option in ask.singles}
        shown |= {option.notation for group in (*ask.groups, *ask.any_time) for option in group.options}
        shown |= {box.notation for box in ask.boxes} | ({ask.closing} if ask.boxes else set())
        shown |= {notation for place in ask.line for notation, _ in place.places}
        assert {action.notation for action in match.legal_actions(seat)} <= shown
        for place in ask.line:
            assert place.places
    assert {"muster", "special", "build", "purchase", "war"} <= kinds


def carried_out(state: KingState, seat: int, notations: Sequence[str]) -> None:
    for notation in notations:
        GAME.play(state, GAME.parse_action(notation), seat)


@pytest.mark.parametrize("seed", range(3))
def test_sequences_are_what_the_engine_takes(seed: int) -> None:
    tried = 0
    for match, seat in decisions(seed, 300):
        ask = scene_of(match, seat).ask
        view = match.view(seat)
        if ask.boxes and ask.kind == "muster":
            backwards = [ask.closing, *reversed([box.notation for box in ask.boxes])]
            carried_out(match.state(), seat, in_order(view, backwards))
            tried += 1
        elif ask.boxes:
            some = [box.notation for box in reversed(ask.boxes)][:2]
            with suppress(Refused):  # for want of gold, or with swords and bows alone
                carried_out(match.state(), seat, in_order(view, [*some, ask.closing]))
            tried += 1
        if ask.line:
            backwards = [place.places[-1 - number % len(place.places)][0] for number, place in enumerate(ask.line)]
            carried_out(match.state(), seat, in_order(view, backwards[::-1]))
            tried += 1
    assert tried > 3


ARMY = "elves-2 bear-2 pixies-f1 troll-4 dwarves-3 giant-r4 ghosts-f1"


def under_fire(hits: int, army: str = ARMY, stage: int = 1, **battle: object) -> KingState:
    """Seat 0 defends a land hand to hand, and has hits to place."""
    return GAME.state_from_json(
        {
            "phase": 4, "turn": 5, "acting": 1,
            "players": [player("forest-1 mountain-1", army=army), player("desert-1")],
            "field": ["sand-worm-3"],
            "war": {"attacker": 1, "defender": 0, "higher": 0, "lined": 3, "fought": 256},
            "line_up": dict.fromkeys(["sand-worm-3", *army.split()], "forest-1"),
            "battle": {
                "land": "forest-1", "attacker": 1, "defender": 0, "sides": [["sand-worm-3"], army.split()],
                "stage": stage, "rolled": 3, "hits": [0, hits], **battle,
            },
            "frames": [["turn-end", -1], ["homecoming", 1], ["battles", 1], ["battle-over", 1], ["losses", 0, 1]],
        }
    )  # fmt: skip


def test_k37_hits_are_placed_in_any_order_and_sent_as_one() -> None:
    """K37: each character takes one before anybody takes a second; five of seven choose themselves as they please."""
    state = under_fire(5)
    view = GAME.view(state, 0)
    hits = hits_of(view)
    assert hits is not None
    assert hits.left == 5
    assert [box.face.slug for box in hits.first] == ARMY.split()
    assert hits.second == ()
    wanted = ["hit ghosts-f1", "hit giant-r4", "hit dwarves-3", "hit bear-2", "hit elves-2"]
    # after bear, dwarves, giant and ghosts nothing may be passed over: the game takes those without asking
    assert in_order(view, wanted) == ["hit elves-2", "hit bear-2", "hit dwarves-3"]
    carried_out(state, 0, in_order(view, wanted))
    GAME.apply_outcome(state, GAME.parse_outcome("dice 1"))  # odd: the ghosts are not saved
    assert [GAME.box.slug[tile] for tile in state.army[0]] == ["pixies-f1", "troll-4"]


def test_k37_a_second_hit_and_hits_that_cannot_be_placed_so() -> None:
    """K37: the excess falls on flyers, one each; who is not yet hit once comes first, and the game says so."""
    state = under_fire(4, "elves-2 pixies-f1 ghosts-f1")
    view = GAME.view(state, 0)
    hits = hits_of(view)
    assert hits is None  # everybody takes one, and which flyer takes the fourth is a single choice
    assert in_order(view, ["hit ghosts-f1"]) == ["hit ghosts-f1"]
    view = GAME.view(under_fire(3), 0)
    assert in_order(view, ["hit elves-2", "hit pixies-f1", "hit pixies-f1"]) == [
        "hit elves-2", "hit pixies-f1", "hit pixies-f1",
    ]  # fmt: skip
    with pytest.raises(Refused):
        carried_out(under_fire(3), 0, ["hit elves-2", "hit pixies-f1", "hit pixies-f1"])
    assert hits_of(GAME.view(under_fire(3), 1)) is None


def test_a_view_shows_no_tile_that_the_seat_does_not_see() -> None:
    for match, seat in decisions(7, 150):
        other = (seat + 1) % 4
        state = match.state()
        mine = {tile.tile for tile in match.view(seat).tiles}
        scene = scene_of(match, seat)
        theirs = next(realm for realm in scene.realms if realm.seat == other)
        secret = {GAME.box.slug[tile] for tile in state.hand[other]} - mine
        known = {face.slug for face in (*theirs.shown, *theirs.known)}
        seen = {slug for hidden in match.view(seat).hidden for slug in (*hidden.known, *hidden.known_army)}
        assert not (known & secret) - seen
        assert not {face.slug for face in scene.hand} - mine


def test_realms_add_up() -> None:
    for match, seat in decisions(3, 200):
        for realm in scene_of(match, seat).realms:
            numbers = [int(part.split(" ")[0]) for part in realm.adds_up.split(", ")]
            assert sum(numbers) == realm.prestige
            assert numbers[3] == realm.gold // 10


def test_the_story_and_its_figures() -> None:
    views = []
    match = None
    for played, _ in decisions(5, 300):
        match = played
        views.append(match.view(None))
    assert match is not None
    for seat in (None, 0):
        lines = [LogLine(n, GAME.tell(e), e.rule, e.to_json()) for n, e in enumerate(match.events(seat))]
        story = king_story(lines, NAMES)
        assert story.left_out == 0
        assert [part.turn for part in story.parts] == sorted((part.turn for part in story.parts), reverse=True)
        text = " ".join(entry.text for part in story.parts for entry in part.entries)
        assert "Ada" in text
        assert "player 1" not in text.lower()
        assert ("You draw" in text or "draws 10 tiles: " in text) == (seat == 0)
        assert len(king_story(lines, NAMES, 2).parts) == 2
    titles, series = prestige_of(views, NAMES)
    assert [line.name for line in series] == list(NAMES)
    assert all(len(line.values) == len(titles) for line in series)


def test_pictures_are_well_formed() -> None:
    for match, seat in decisions(2, 60):
        for lands in match.view(seat).lands:
            for land in lands:
                assert ET.fromstring(str(land_picture(land))).tag == "svg"
    for kind in GAME.edition.kinds:
        if kind.sort < 6:
            assert face_of(GAME.edition, kind.slug).name == kind.name


def test_words() -> None:
    assert named("Player 2 attacks player 1.", NAMES) == "Ben attacks Ada."
    twins = tuple(SeatInfo(seat, "bot", "steward") for seat in range(2))
    assert seat_names(twins) == ("Steward 1", "Steward 2")
    assert all(title for title, _ in ASKS.values())
    for one in _lessons():
        assert one.lesson.rule in GAME.rulebook()
        assert not one.ask or one.ask in ASKS
