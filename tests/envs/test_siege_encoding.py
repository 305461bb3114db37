"""The encoding of the siege game: stable numbers, fields that are the view's, and back."""

import numpy as np
import pytest

from muniment.core.dice import RandomStream
from muniment.core.errors import MunimentError
from muniment.envs.siege_encoding import (
    ACTION_COUNT,
    ENCODING_VERSION,
    FIELDS,
    HIGH,
    LOW,
    OBSERVATION_SIZE,
    PLACES,
    RESULT_NUMBERS,
    RESULTS,
    action_mask,
    action_of,
    decode,
    encode,
    named,
)
from muniment.games.siege import Siege
from muniment.games.siege.state import OVER
from tests.siege.positions import at
from tests.siege.random_games import OPTIONS, wild_game


def test_the_encoding_of_version_1_stays_as_it_is() -> None:
    """What a trained agent relies on: change any of this, and ENCODING_VERSION with it."""
    assert ENCODING_VERSION == 1
    assert [action_of(number).notation for number in range(ACTION_COUNT)] == [
        "archers ladders", "archers battering-ram", "archers siege-tower",
        "water ladders", "water battering-ram", "water siege-tower",
        "fight ladders", "fight battering-ram", "fight siege-tower", "fight all",
        "coupure", "rally", "rally supply", "enter", "fast castle", "fast lines", "raid", "sabotage",
        "free castle", "free lines", "extra morale", "extra supplies", "end",
    ]  # fmt: skip
    assert RESULTS == (
        "", "won", "overrun", "collapse", "close-combat-held", "wall-0", "morale-0", "supplies-0"
    )  # fmt: skip
    assert [(field.name, field.size, field.low, field.high) for field in FIELDS] == [
        ("units", 3, -1, 4), ("status", 3, 0, 4), ("trebuchets", 1, 0, 3), ("soldiers", 1, 0, 3), ("raided", 1, 0, 2),
        ("day", 1, 1, 3), ("deck", 9, 0, 1), ("card", 1, -1, 8), ("step", 1, 0, 5), ("points", 1, 0, 7),
        ("extra_used", 1, 0, 1), ("free_move", 1, 0, 2), ("boiled", 1, 0, 1), ("rolling", 1, -1, 22),
        ("result", 1, 0, 7),
    ]  # fmt: skip
    assert (OBSERVATION_SIZE, PLACES["deck"], PLACES["result"]) == (27, slice(10, 19), slice(26, 27))


def test_a_position_worked_out_by_hand() -> None:
    """Card 4 of day 2, cards 1 and 7 left: ladders on the circle, the ram in close combat, the tower gone."""
    play = at(
        day=2, card=4, deck=[1, 7], ladders=1, battering_ram="close combat", siege_tower="removed", trebuchets=2,
        wall=3, morale=1, supplies=0, soldiers="far tunnel", raided=2, points=1, extra_used=True, free_move="used",
        boiling_water_used=True,
    )  # fmt: skip
    assert encode(play.game.view(play.state, 0)).tolist() == [
        1, 0, -1, 3, 1, 0, 2, 2, 2, 2, *(1, 0, 0, 0, 0, 0, 1, 0, 0), 3, 3, 1, 1, 1, 1, -1, 0,
    ]  # fmt: skip


@pytest.mark.parametrize("number", range(8))
def test_an_observation_is_the_named_view_and_leads_back_to_it(number: int) -> None:
    """All steps of random games, of printed and wild cards, under every option."""
    source = RandomStream.labelled(bytes(32), "encoding", number)
    options = OPTIONS[number]
    for game in (Siege(options=options), *(wild_game(source, options) for _ in range(4))):
        state = game.initial()
        while True:
            view = game.view(state, 0)
            seen = encode(view)
            assert seen.shape == (OBSERVATION_SIZE,)
            assert seen.dtype == np.int8
            assert (seen >= LOW).all()
            assert (seen <= HIGH).all()
            fields = named(seen)
            for field in FIELDS:
                is_ = getattr(view, field.name)
                if field.name == "deck":
                    is_ = [is_ >> index & 1 for index in range(9)]
                elif field.name == "result":
                    is_ = RESULT_NUMBERS[is_]
                assert fields[field.name] == (list(is_) if field.size > 1 else [is_])
            assert decode(seen, game) == view
            legal = game.legal_actions(state)
            assert np.flatnonzero(action_mask(legal)).tolist() == [action.index for action in legal]
            if state.step == OVER:
                break
            if legal:
                game.apply(state, legal[source.below(len(legal))])
            else:
                game.apply_outcome(state, game.sample(state, source))


def test_what_is_no_observation_is_refused() -> None:
    game = Siege()
    seen = encode(game.view(game.initial(), 0))
    with pytest.raises(MunimentError, match=r"shape \(27,\), not \(26,\)"):
        named(seen[1:])
    seen[PLACES["day"]] = 4
    with pytest.raises(MunimentError, match="day is a number from 1 to 3, not 4"):
        decode(seen, game)
    seen[PLACES["day"]] = 3
    seen[PLACES["deck"]] = 1
    with pytest.raises(MunimentError, match="the edition standard has 7 cards"):
        decode(seen, game)
    with pytest.raises(MunimentError, match="action 23: the actions of the siege game are 0 to 22"):
        action_of(23)
    with pytest.raises(MunimentError, match="action -1"):
        action_of(-1)
