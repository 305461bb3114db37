"""What never changes in a game is built once, and comes through pickling and copying whole."""

import copy
import pickle

import pytest

from muniment.games.king import King, KingOptions, box, tiles
from muniment.games.king.box import Box
from muniment.games.king.tiles import KingEdition

GAME = King(options=KingOptions(edition="counters", terrain_bonus=True, turn_limit=3))


def content(thing: KingEdition | Box) -> dict[str, object]:
    """All its attributes; of a box without the edition, which is compared for itself."""
    return {name: getattr(thing, name) for name in type(thing).__slots__ if name != "edition"}


def test_a_copy_is_the_thing_itself() -> None:
    game = King()  # of now: only the last sixteen are remembered
    for thing in (game.edition, game.box):
        assert copy.copy(thing) is thing
        assert copy.deepcopy(thing) is thing
        assert pickle.loads(pickle.dumps(thing)) is thing


def test_another_process_builds_the_same_once(monkeypatch: pytest.MonkeyPatch) -> None:
    state = GAME.initial(3)
    written = pickle.dumps((GAME, state, GAME.view(state, 1)))
    monkeypatch.setattr(tiles, "_edition", tiles._edition.__wrapped__)  # nothing is remembered there
    monkeypatch.setattr(box, "box_of", box.box_of.__wrapped__)
    game, there, view = pickle.loads(written)
    assert game.box is there.box is view.box is not GAME.box
    assert game.edition is game.box.edition is not GAME.edition
    assert content(game.edition) == content(GAME.edition)
    assert content(game.box) == content(GAME.box)
    assert (there.key(), view.seat, view.tiles) == (state.key(), 1, GAME.view(state, 1).tiles)
