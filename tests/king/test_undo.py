"""Undo does not cross what others have been shown (K2)."""

from collections.abc import Sequence
from typing import Any

import pytest

from muniment.core.game import Decision
from muniment.core.match import Match
from muniment.games.king.actions import KingAction, KingOutcome
from muniment.games.king.state import KingState
from muniment.games.king.views import KingView
from tests.king.scripts import Table, king, part, player

KingMatch = Match[KingState, KingAction, KingOutcome, KingView]
ALL: dict[str, object] = {"trading": True, "army_reserves": True}


def match_at(*players: dict[str, Any], phase: int = 4, step: str = "war") -> KingMatch:
    """A match that waits for the first seat's decision."""
    table = Table(*players, frames=part(phase, [step, 0]), turn=2, phase=phase, options=ALL)
    return Match(table.game, ["Ada", "Ben"][: len(players)], seed=bytes(32), position=table.state)


def act(match: KingMatch, actions: Sequence[str], seat: int = 0) -> None:
    for action in actions:
        match.act(seat, match.game.parse_action(action))


HELD = "lucky-charm golem ruby magic-sword city"
ONE = player("forest-1 forest-2", hand=HELD, army="pixies-f1 walking-tree-5", gold=30)
TWO = player("swamp-1 swamp-2", army="crocodile-2", gold=9)


@pytest.mark.parametrize(
    "actions",
    [
        pytest.param(["cash ruby"], id="a treasure"),
        pytest.param(["give golem 1"], id="a gift"),
        pytest.param(["arm magic-sword"], id="a sword among the army"),
        pytest.param(
            ["trade 1", "give-gold 0", "done", "give-tile city", "done", "ask-gold 0", "done", "done"], id="an offer"
        ),
    ],
)  # fmt: skip
def test_k2_what_others_have_seen_is_not_taken_back(actions: Sequence[str]) -> None:
    match = match_at(ONE, TWO)
    act(match, actions[:-1])
    assert len(actions) == 1 or match.undo_refusal(0) is None
    act(match, actions[-1:])
    refusal = match.undo_refusal(0)
    assert refusal is not None
    assert refusal.code == "nothing-to-undo"


def test_k52_reserves_are_taken_back_until_they_are_shown() -> None:
    match = match_at(player("forest-1", army="walking-tree-5 pixies-f1", gold=9), TWO)
    act(match, ["attack 1", "send walking-tree-5", "send pixies-f1", "done", "reserve pixies-f1"])
    assert match.undo_refusal(0) is None
    act(match, ["done"])
    assert match.undo_refusal(0) is not None


def test_k30_a_line_up_is_taken_back_tile_by_tile_until_it_is_shown() -> None:
    table = Table(
        player("forest-1", army="pixies-f1 walking-tree-5", gold=9),
        player("swamp-1 swamp-2", army="crocodile-2"),
        frames=part(4, ["war", 0]), turn=2, phase=4,
    )  # fmt: skip
    table.do("attack 1", "send walking-tree-5", "send pixies-f1", "done").roll(6, 1)
    assert table.asks == ("line", 0)
    match: KingMatch = Match(table.game, ["Ada", "Ben"], seed=bytes(32), position=table.state)
    first, second = _any_line(match)
    act(match, [first])
    assert match.undo_refusal(0) is None
    act(match, [second])
    assert match.undo_refusal(0) is not None


def _any_line(match: KingMatch) -> list[str]:
    state, game = match.state(), match.game
    found = []
    for _ in range(2):
        action = next(a for a in game.legal_actions(state, 0) if a.word == "line")
        game.apply(state, action, 0)
        found.append(action.notation)
    return found


def test_k45_played_magic_is_not_taken_back() -> None:
    """Nor anything before it, even if the scroll's reading waits for an answer (K43)."""
    match = match_at(
        player("forest-1", hand="the-mist", army="pixies-f1", gold=9),
        player("swamp-1", hand="dispell-magic", army="crocodile-2"),
    )
    act(match, ["attack 1", "send pixies-f1", "done"])
    assert match.view(0).stop == "paid"
    assert match.undo_refusal(0) is None
    act(match, ["mist"])
    assert isinstance(match.pending, Decision)
    assert match.undo_refusal(0) is not None


def test_k13_who_is_shown_to_be_homeless_stays_so() -> None:
    """A deal that takes a last land shows who leaves the army (K13, K53)."""
    table = Table(
        player("forest-1 swamp-2", army="pixies-f1"), player("swamp-1", gold=3), frames=part(4, ["war", 0]), turn=2,
        phase=4, options=ALL,
    )  # fmt: skip
    table.do("trade 1", "give-gold 0", "give-land forest-1", "done", "done", "ask-gold 3", "done", "done")
    match: KingMatch = Match(table.game, ["Ada", "Ben"], seed=bytes(32), position=table.state)
    act(match, ["accept"], seat=1)
    assert match.undo_refusal(1) is not None


def test_what_shows_nothing_can_be_taken_back() -> None:
    """What is built, how many muster, who is attacked: nobody has learnt what was hidden."""
    match = match_at(ONE, TWO, phase=1, step="build")
    act(match, ["fort forest-1", "fort forest-2"])
    match.undo(0)
    match.undo(0)
    assert match.entry_count == 0
    match = match_at(ONE, TWO)
    act(match, ["attack 1", "send pixies-f1"])
    match.undo(0)
    match.undo(0)
    assert match.entry_count == 0
    assert king().revealing >= {"revealed", "magic", "gift"}
