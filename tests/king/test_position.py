"""Positions as JSON, and what makes one impossible (K2, K3, K8, K14, K17, K18)."""

import json
from typing import Any

import pytest

from muniment.core.errors import PositionError
from tests.king.scripts import Random, Table, king, part, player
from tests.king.test_war import joined, send_all, war


def faults(value: object) -> tuple[str, ...]:
    """Every violation of a position."""
    with pytest.raises(PositionError) as caught:
        king().state_from_json(value)
    return caught.value.violations


def seats(one: dict[str, Any], two: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    return [one, two or player("swamp-1")]


@pytest.mark.parametrize(
    ("position", "fault"),
    [
        ({"players": seats(player("forest-1:4 forest-2:4"))}, "player 0 has two Gran Muniments"),
        ({"players": seats(player("forest-1", gold=-1))}, "player 0, gold must be from 0 to 1000000, not -1"),
        (
            {"players": seats(player("forest-1", army="sphinx-m4"))},
            "player 0: sphinx-m4 is in the army without its terrain",
        ),
        ({"players": seats(player("forest-1", army="city"))}, "player 0: city cannot be in an army"),
        ({"players": seats(player("forest-1", hand="chest chest"))}, "chest is in two places"),
        (
            {"players": seats(player("forest-1", hand="elves-2"), player("swamp-1", hand="elves-2"))},
            "elves-2 is in two places",
        ),
        (
            {"players": seats(player("forest-1", hand=" ".join(["ghosts-f1"] * 5)))},
            "there are more ghosts-f1 than the game has",
        ),
        ({"players": seats(player("forest-1", hand="ghosts-f1#9"))}, "there is no tile 'ghosts-f1#9'"),
        ({"players": seats(player("forest-9"))}, "player 0: there is no land 'forest-9'"),
        ({"players": seats(player("forest-1"), player("forest-1"))}, "forest-1 is in two places"),
        ({"players": seats(player("forest-1:0:gold-mine"))}, "forest-1: a mine stands on mountain only"),
        ({"players": seats(player("forest-1:0:chest"))}, "chest cannot stand on a land"),
        ({"players": seats(player("forest-1", hand="arch-mage"))}, "arch-mage cannot be in a hand"),
        ({"players": seats(player(""))}, "player 0 has no land, and is not out"),
        ({"players": seats(player("forest-1", out=True))}, "player 0 is out, and yet has something"),
        (
            {"players": seats(player(" ".join(f"forest-{n}:4" for n in range(1, 6))))},
            "there are more Gran Muniment tiles on the table than the game has",
        ),
        ({"players": [player("forest-1")]}, "seats must be from 2 to 4, not 1"),
        ({"players": 1.5}, "seats must be from 2 to 4, not 0"),
        (
            {"players": seats(player("forest-1")), "frames": [["turn-end", -1], ["part", -1]]},
            "there is no frame 'part' of seat -1",
        ),
        (
            {"players": seats(player("forest-1")), "frames": [["turn", 1]]},
            "there is no frame 'turn' of seat 1",
        ),
        ({"players": seats(player("forest-1", army="golem"))}, "player 0: the golem is in an army only during a war"),
        ({"players": seats(player("forest-1")), "dispelled": 1}, "somebody is dispelled without the scroll"),
        (
            {"players": seats(player("forest-1")), "field": ["elves-2"]},
            "tiles are in the field, or dead, without a war or a fight",
        ),
        (
            {"players": seats(player("forest-1", army="elves-2")), "line_up": {"elves-2": "swamp-1"}},
            "elves-2 is lined up without a war",
        ),
        (
            {"players": seats(player("forest-1")), "war": {"attacker": 1, "defender": 1}},
            "a war is between two players who are in the game",
        ),
        ({"players": seats(player("forest-1")), "frames": []}, "frames must be a list, not empty"),
        (
            {"players": seats(player("forest-1")), "frames": [["build"]]},
            "a frame is [kind, seat, data...], not ['build']",
        ),
        ({"players": seats(player("forest-1")), "frames": [["nap", 0]]}, "there is no frame 'nap' of seat 0"),
        ({"players": seats(player("forest-1")), "frames": [["build", 3]]}, "there is no frame 'build' of seat 3"),
        (
            {"players": seats(player("forest-1")), "frames": [["build", 0, 1]]},
            "frame ['build', 0, 1] must have data of the form ''",
        ),
        (
            {"players": seats(player("forest-1")), "frames": [["hit", 0, 0]]},
            "the frame hit cannot be the next thing here",
        ),
        (
            {"players": seats(player("forest-1")), "frames": [["roll", -1, "nap", 2]]},
            "there is no frame 'roll' of seat -1",
        ),
        ({"players": seats(player("forest-1")), "mood": 1}, "the position: 'mood' is not known here"),
        ({"players": seats(player("forest-1", mood=1))}, "player 0: 'mood' is not known here"),
        ({"players": seats(player("forest-1")), "game": "siege"}, "this is a position of 'siege'"),
        ({"players": seats(player("forest-1")), "history": {"clock": 1}}, "history is malformed: 'fill'"),
        ({"players": seats({**player("forest-1"), "lands": 3})}, "player 0, lands must be a list, not 3"),
        ({"players": seats(player("forest-1")), "built": None}, "built must be a list, not None"),
        ({"players": seats(player("forest-1")), "dead": 7}, "dead must be a list, not 7"),
        ({"players": seats(player("forest-1")), "line_up": ["city"]}, "line_up must be an object, not ['city']"),
        ({"players": seats(player("forest-1")), "barred": 4}, "barred must be from 0 to 3, not 4"),
        ({"players": seats(player("forest-1")), "roll": [-1]}, "roll must be from 0 to 1000, not -1"),
        ({"players": seats(player("forest-1")), "tally": [0, 13]}, "tally must be from 0 to 12, not 13"),
        ({"players": seats(player("forest-1")), "tally": []}, "tally must have a number for each seat, not 0"),
        (
            {"players": seats(player("forest-1")), "war": {"attacker": 0, "defender": 1, "higher": 2}},
            "war, higher must be from -1 to 1, not 2",
        ),
        (
            {"players": seats(player("forest-1")), "frames": [["turn", -1], ["charge", 0, 2]]},
            "frame ['charge', 0, 2]: a side is 0, the attacker, or 1, the defender",
        ),
        (
            {"players": seats(player("forest-1")), "frames": [["turn", -1], ["offer", 0, 1, 0, 0, 0, 4, 5000]]},
            "frame ['offer', 0, 1, 0, 0, 0, 4, 5000]: 5000 is no code of a land or tile",
        ),
        ({"players": seats(player("forest-1")), "dead": [["city"]]}, "city cannot be sent out"),
        ({"players": seats(player("forest-1")), "field": ["chest"]}, "chest cannot be sent out"),
        (
            {"players": seats(player("forest-1")), "field": ["cyclops-5"], "war": {"attacker": 0, "defender": 1}},
            "cyclops-5 is in the field without its terrain",
        ),
        (
            {
                "players": seats(player("forest-1")),
                "field": ["golem"],
                "battle": {"land": "forest-2", "attacker": 0, "defender": 1, "fight": 1},
            },
            "golem is in the field only during a war",
        ),
        ({"players": seats(player("forest-1")), "turn": 2, "phase": 0}, "phase 0 is the set-up, before the first turn"),
        (
            {"players": seats(player("forest-1")), "over": {"reason": "boredom", "winners": [0]}},
            "no game ends by 'boredom'",
        ),
        (
            {"players": seats(player("forest-1")), "over": {"reason": "king", "winners": [4]}},
            "a game that is over has winners among the seats",
        ),
        (
            {"players": seats(player("forest-1")), "over": {"reason": "king", "winners": [0]}},
            "a game that is over has the frame over on top",
        ),
        (
            {"players": seats(player("forest-1")), "frames": [["over", -1]]},
            "the frame over is on top of a game that is not",
        ),
        (
            {"players": seats(player("forest-1")), "aside": ["forest-2"]},
            "forest-2 lies on the table, and nothing brings it back",
        ),
        (
            {"players": seats(player("forest-1")), "aside": ["land-fight#1"]},
            "land-fight lies on the table, and nothing brings it back",
        ),
        (
            {"players": seats(player("forest-1")), "aside": ["wall-of-fire"]},
            "wall-of-fire lies on the table only during a war",
        ),
        (
            {"players": seats(player("forest-1")), "aside": ["dispell-magic"]},
            "the scroll lies on the table, and nobody is dispelled",
        ),
        (
            {"players": seats(player("forest-1")), "frames": [["build", 0]]},
            "the first of the frames, the last thing to be done, must be turn or turn-end",
        ),
        (
            {"players": seats(player("forest-1")), "frames": [["turn-end", -1], ["ask", -1, "why"]]},
            "the frame ask knows no 'why'",
        ),
        (
            {"players": seats(player("forest-1")), "frames": [["turn-end", -1], ["stop", 0, "paid"]]},
            "a stop lies on the frame stops",
        ),
        (
            {
                "players": seats(player("forest-1")),
                "war": {"attacker": 0, "defender": 1},
                "frames": [["turn-end", -1], ["build", 0]],
            },
            "a war ends with the frame homecoming",
        ),
        (
            {
                "players": seats(player("forest-1")),
                "battle": {"land": "forest-2", "attacker": 0, "defender": 1, "fight": 1},
                "frames": [["turn-end", -1], ["build", 0]],
            },
            "a battle ends with the frame battle-over, a fight with fight-over",
        ),
        ([], "a position is an object, not []"),
    ],
)
def test_impossible_positions(position: object, fault: str) -> None:
    """K2, K3, K8, K14, K17, K18: each violation is named."""
    assert fault in faults(position)


def test_every_violation_is_named() -> None:
    """design.md: all reasons at once."""
    found = faults({"players": seats(player("forest-1:4 forest-2:4", army="sphinx-m4", gold=-3))})
    assert len(found) == 3


def test_a_bare_position_is_the_beginning_of_a_turn() -> None:
    """K2: only the players are needed."""
    s = king().state_from_json({"players": seats(player("forest-1"))})
    assert s.turn == 1
    assert s.frames[-1].kind == "special"


@pytest.mark.parametrize("options", [{}, {"army_reserves": True, "trading": True}])
def test_positions_round_trip_at_any_decision(options: dict[str, object]) -> None:
    """design.md: a position can be written and read back anywhere, mid-battle included, and equals the state."""
    game = king(turn_limit=30, **options)
    kinds: set[str] = set()
    for seed in range(6):
        s, players = game.initial(2 + seed % 3), Random(f"json {seed}{options}")
        for step in range(1500):
            if s.over is not None:
                break
            players.step(game, s)
            if step % 5 == 0 or s.battle is not None:
                kinds.add(s.frames[-1].kind)
                again = game.state_from_json(json.loads(json.dumps(game.state_to_json(s))))
                assert again == s
                assert again.key() == s.key()
    assert {"muster", "build", "send", "line", "volley-dice", "hit"} <= kinds


def test_a_battle_can_be_written_down_by_hand() -> None:
    """K37: a puzzle in the middle of a battle: two hits on three characters."""
    table = Table(
        player("desert-1", gold=1),
        player("forest-1 plains-1", army="elves-2 bear-2 pixies-f1"),
        phase=4,
        field=["sand-worm-3"],
        war={"attacker": 0, "defender": 1, "higher": 0, "lined": 3, "fought": 256},
        line_up={"sand-worm-3": "forest-1", "elves-2": "forest-1", "bear-2": "forest-1", "pixies-f1": "forest-1"},
        battle={
            "land": "forest-1",
            "attacker": 0,
            "defender": 1,
            "sides": [["sand-worm-3"], ["elves-2", "bear-2", "pixies-f1"]],
            "stage": 1,
            "rolled": 3,
            "hits": [0, 2],
        },
        frames=[["turn-end", -1], ["homecoming", 0], ["battles", 0], ["battle-over", 0], ["losses", 1, 1]],
    )
    assert table.asks == ("hit", 1)
    assert table.legal() == ["hit elves-2", "hit bear-2"]
    table.do("hit bear-2").roll(2)
    assert table.army(1) == ["elves-2", "pixies-f1"]


def test_copies_are_independent_and_equal() -> None:
    """core.game.State: copy, key, comparison."""
    table = joined("cyclops-5", "bear-2")
    other = table.state.copy()
    assert other == table.state
    key = table.state.key()
    table.roll(6, 1, 1, 1, 1)
    assert other != table.state
    assert other.key() == key
    assert hash(key) == hash(other.key())


def test_war_positions_hold_reserves_and_dead() -> None:
    """K40, K52: what lies aside is written, too."""
    table = war(
        player("desert-1", army="sand-worm-3 arch-mage", gold=9),
        player("forest-1 plains-1", army="elves-2"),
        options={"army_reserves": True},
    ).do("attack 1")
    send_all(table)
    table.do("reserve arch-mage", "done")
    value = table.game.state_to_json(table.state)
    assert value["line_up"] == {"arch-mage": "reserve"}
    assert table.game.state_from_json(value) == table.state
    assert part(0) == []


@pytest.mark.parametrize("place", [["desert-1"], {"land": "desert-1"}, 3, None])
def test_a_place_in_a_line_up_is_a_name(place: object) -> None:
    """K30: whatever else stands there is a fault, never a crash."""
    position = {"players": seats(player("forest-1", army="elves-2")), "line_up": {"elves-2": place}}
    assert faults(position)


def test_a_roll_that_contradicts_its_battle_is_refused() -> None:
    """A charge die is thrown, but nobody who charges is in the battle (K34)."""
    table = joined("black-knight-c4", "bear-2")
    assert table.rolls == "charge-dice"
    position = king().state_to_json(table.state)
    assert king().state_from_json(position) == table.state
    position["battle"]["sides"][0] = []
    assert any("does not fit the rest" in fault for fault in faults(position))


def test_there_are_four_phases() -> None:
    position = {"players": seats(player("forest-1")), "frames": [["turn-end", -1], ["phase", -1, 5], ["build", 0]]}
    assert faults(position) == ("there is no phase 5",)
