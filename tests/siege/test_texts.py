"""Actions, outcomes, odds, events, views and the rulebook in words and JSON."""

import copy
import pickle
from fractions import Fraction
from typing import Any

import pytest

from muniment.core.dice import RandomStream
from muniment.core.errors import NotationError
from muniment.core.events import Event
from muniment.core.game import Awaited
from muniment.core.refusal import Refused
from muniment.games.siege import Siege
from muniment.games.siege.actions import ACTIONS, action_from_json, parse_action
from muniment.games.siege.outcomes import D6, SiegeOutcome, parse_outcome
from tests.siege.positions import STANDARD, Play, at, before_card, drm, last_turn, with_card, with_options

IN = "close combat"


def test_the_actions() -> None:
    """9.1, 9.2: eight kinds of action that cost a point, and what costs none."""
    assert [action.notation for action in ACTIONS if action.costs_point] == [
        "archers ladders", "archers battering-ram", "archers siege-tower",
        "water ladders", "water battering-ram", "water siege-tower",
        "fight ladders", "fight battering-ram", "fight siege-tower", "fight all",
        "coupure", "rally", "rally supply", "enter", "fast castle", "fast lines", "raid", "sabotage",
    ]  # fmt: skip
    assert [action.notation for action in ACTIONS if not action.costs_point] == [
        "free castle", "free lines", "extra morale", "extra supplies", "end",
    ]  # fmt: skip
    assert [action.index for action in ACTIONS] == list(range(23))


@pytest.mark.parametrize("action", ACTIONS, ids=str)
def test_an_action_in_every_form(action: Any) -> None:
    """Notation, JSON, repr and pickle give back the one object; its rule is one of the rulebook."""
    assert parse_action(action.notation) is action
    assert parse_action(f"  {action.notation.replace(' ', '   ')} ") is action
    assert action_from_json(action.to_json()) is action
    assert eval(repr(action), {"parse_action": parse_action}) is action
    assert pickle.loads(pickle.dumps(action)) is action
    assert copy.deepcopy(action) is action
    assert action.rule in Siege.rulebook()
    assert STANDARD.sentence(action) == action.sentence
    assert STANDARD.parse_action(action.notation) is STANDARD.action_from_json(action.to_json()) is action


def test_action_json() -> None:
    assert parse_action("archers battering-ram").to_json() == {"action": "archers", "target": "battering-ram"}
    assert parse_action("end").to_json() == {"action": "end"}


@pytest.mark.parametrize("text", ["", "dance", "archers", "archers  tower", "END", "fight all all"])
def test_no_such_action(text: str) -> None:
    with pytest.raises(NotationError, match="is not an action; they are: archers ladders, "):
        parse_action(text)


@pytest.mark.parametrize("value", [None, {}, [], "end", {"action": "archers"}, {"action": "end", "target": ""}, 3])
def test_no_such_action_in_json(value: object) -> None:
    with pytest.raises(NotationError, match="is not an action of the siege game"):
        action_from_json(value)


def test_outcomes() -> None:
    """S2: one natural die of six faces, or a card by its printed number."""
    assert [outcome.notation for outcome in D6] == [f"roll {face}" for face in range(1, 7)]
    assert [parse_outcome(f" roll {face} ") for face in range(1, 7)] == list(D6)
    for number in (1, 9, 10, 99):
        assert parse_outcome(f"draw {number}") == SiegeOutcome(True, number)
        assert parse_outcome(SiegeOutcome(True, number).notation) == SiegeOutcome(True, number)
    assert STANDARD.parse_outcome("roll 6") == D6[5]


@pytest.mark.parametrize(
    "text",
    ["", "roll", "roll 0", "roll 7", "roll -1", "roll x", "roll ²", "roll 10", "roll 05", "draw", "draw 0", "draw 100",
     "flip 1", "roll 1 2", "draw " + "1" * 5000],
)  # fmt: skip
def test_no_such_outcome(text: str) -> None:
    with pytest.raises(NotationError, match="is not an outcome"):
        parse_outcome(text)


def odds_of(
    play: Play, action: str
) -> tuple[tuple[str, ...], list[tuple[str, Fraction, tuple[int, ...], tuple[str, ...]]]]:
    odds = play.game.odds(play.game.view(play.state, 0), parse_action(action))
    assert sum(case.probability for case in odds.cases) == 1
    assert odds.success == sum(
        (case.probability for case in odds.cases if case.label in ("success", "certain")), Fraction(0)
    )
    return odds.price, [(case.label, case.probability, case.faces, case.effects) for case in odds.cases]


def test_the_odds_of_an_attack() -> None:
    """9.1.1, 9.1.2: price, exact chances by face, and what each costs."""
    play = at(ladders=1)
    assert odds_of(play, "archers ladders") == (
        ("1 AP",),
        [
            ("success", Fraction(2, 3), (3, 4, 5, 6), ("ladders to 2",)),
            ("failure", Fraction(1, 3), (1, 2), ()),
        ],
    )
    assert odds_of(play, "water ladders") == (
        ("1 AP",),
        [
            ("success", Fraction(5, 6), (2, 3, 4, 5, 6), ("ladders to 2",)),
            ("failure", Fraction(1, 6), (1,), ("morale -1",)),
        ],
    )


def test_odds_as_json() -> None:
    """9.1.1: exact, as texts."""
    odds = STANDARD.odds(STANDARD.view(at(ladders=1).state, 0), parse_action("water ladders"))
    assert odds.success == Fraction(5, 6)
    assert odds.to_json() == {
        "price": ["1 AP"],
        "success": "5/6",
        "cases": [
            {"label": "success", "probability": "5/6", "faces": [2, 3, 4, 5, 6], "effects": ["ladders to 2"]},
            {"label": "failure", "probability": "1/6", "faces": [1], "effects": ["morale -1"]},
        ],
    }


def test_the_odds_of_a_raid() -> None:
    """9.1.7, 12.0: two ways to succeed, failure, and capture."""
    assert odds_of(at(soldiers="enemy lines", raided=0), "raid") == (
        ("1 AP",),
        [
            ("success", Fraction(1, 2), (3, 4, 5), ("raided supplies +1",)),
            ("success", Fraction(1, 6), (6,), ("raided supplies +2",)),
            ("failure", Fraction(1, 6), (2,), ()),
            ("captured", Fraction(1, 6), (1,), ("morale -1", "soldiers to castle")),
        ],
    )
    assert odds_of(at(soldiers="enemy lines", raided=1), "raid")[1][-1][3] == (
        "morale -1", "soldiers to castle", "raided supplies -1",
    )  # fmt: skip


def test_the_odds_of_what_is_certain() -> None:
    """9.1.5, 9.1.6, 9.2, 10.0: no die, or a price paid before it."""
    certain = [("certain", Fraction(1), ())]
    assert odds_of(at(), "enter") == (("1 AP",), [(*certain[0], ("soldiers to near tunnel",))])
    assert odds_of(at(), "extra morale") == ((), [(*certain[0], ("AP +1", "morale -1"))])
    assert odds_of(at(), "extra supplies") == ((), [(*certain[0], ("AP +1", "supplies -1"))])
    assert odds_of(at(), "end") == ((), [(*certain[0], ())])
    assert odds_of(at(soldiers="near tunnel", raided=1, supplies=1), "free castle") == (
        (), [(*certain[0], ("supplies +1", "soldiers to castle", "raided supplies -1"))],
    )  # fmt: skip
    assert odds_of(last_turn(soldiers="enemy lines", raided=1), "end")[1] == [
        (*certain[0], ("morale -1", "supplies -1", "soldiers to castle", "raided supplies -1")),
    ]
    assert odds_of(at(wall=0), "end") == ((), [(*certain[0], ("the wall was at 0 at the end of a turn",))])
    price, cases = odds_of(at(morale=2), "rally supply")
    assert price == ("1 AP", "supplies -1")
    assert [(case[0], case[1]) for case in cases] == [("success", Fraction(1, 2)), ("failure", Fraction(1, 2))]


def test_the_odds_name_a_loss() -> None:
    """S26, 10.0: where a face ends the game, its case says so; equal effects make one case."""
    cases = odds_of(at(ladders=IN, morale=1, wall=0), "fight ladders")[1]
    assert cases[1:] == [
        ("failure", Fraction(1, 6), (1,), ("morale -1", "collapse: a second status track fell to 0")),
        ("failure", Fraction(1, 2), (2, 3, 4), ()),
    ]
    assert odds_of(at(soldiers="enemy lines"), "sabotage")[1][0][3] == ("trebuchets -1",)


def test_no_odds_for_what_is_not_allowed() -> None:
    with pytest.raises(Refused, match=r"'coupure' is not allowed: the wall is at 4 already \(S15\)"):
        odds_of(at(), "coupure")


def test_asking_for_odds_changes_nothing() -> None:
    play = at(ladders=1, soldiers="enemy lines", wall=2)
    before = play.state.key()
    for action in play.legal:
        odds_of(play, action)
    assert play.state.key() == before


def test_modifiers() -> None:
    """S2, 9.1.2: the sum of all DRMs, and whether an event gives a positive one."""
    state = at(day=3, card=3, ladders=1, battering_ram=2).state
    assert STANDARD.modifiers(state, parse_action("water ladders")) == (3, True)
    assert STANDARD.modifiers(state, parse_action("archers ladders")) == (2, True)
    assert STANDARD.modifiers(state, parse_action("archers battering-ram")) == (0, False)
    plain = at(siege_tower=1).state
    assert STANDARD.modifiers(plain, parse_action("water siege-tower")) == (1, False)
    assert STANDARD.modifiers(plain, parse_action("rally supply")) == (1, False)
    game = with_card(*drm(rally=-2))
    assert game.modifiers(at(game).state, parse_action("rally")) == (-2, False)


SCRIPTS: list[tuple[Play, tuple[str | int, ...], list[str]]] = [
    (at(ladders=3), ("archers ladders", 3), [
        "Archers shoot at the ladders.", "The die shows 3.", "A total of 3: success.",
        "The ladders fall back to start.",
    ]),
    (at(battering_ram=1), ("water battering-ram", 1), [
        "Boiling water on the battering ram.", "The die shows 1.", "A total of 2: no success.",
        "Morale falls by 1 to 3.",
    ]),
    (at(battering_ram=IN), ("fight battering-ram", 5), [
        "Close combat against the battering ram.", "The die shows 5.", "A total of 5: success.",
        "The battering ram falls back to 1.",
    ]),
    (at(wall=2), ("coupure", 6), [
        "Coupure: repair the wall.", "The die shows 6.", "A total of 6: success.", "Wall rises by 1 to 3.",
    ]),
    (at(soldiers="near tunnel", raided=1), ("fast castle",), [
        "Fast movement through the tunnel to the castle.", "Soldiers: castle.", "Supplies: full at 4.",
    ]),
    (at(soldiers="enemy lines"), ("raid", 3, "raid", 6), [
        "Raid the enemy's supplies.", "The die shows 3.", "A total of 3: success.",
        "The soldiers carry 1 raided supply.",
        "Raid the enemy's supplies.", "The die shows 6.", "A total of 6: success.",
        "The soldiers carry 2 raided supplies.",
    ]),
    (at(soldiers="enemy lines", raided=1), ("sabotage", 6, "raid", 1), [
        "Sabotage a trebuchet.", "The die shows 6.", "A total of 6: success.", "Trebuchets: 2.",
        "Raid the enemy's supplies.", "The die shows 1.", "A total of 1: no success.",
        "The soldiers are captured with 1 raided supply.", "Morale falls by 1 to 3.",
    ]),
    (last_turn(soldiers="enemy lines", morale=1), ("end",), [
        "End the turn.", "Day 1 ends.", "Supplies fall by 1 to 3.", "The soldiers are captured.",
        "Morale falls by 1 to 0.",
    ]),
    (before_card(4, step="line check", soldiers="enemy lines", raided=2), (1,), [
        "The die shows 1.", "The soldiers are captured with 2 raided supplies.", "Morale falls by 1 to 3.",
    ]),
    (at(morale=2), ("rally supply", 4), [
        "Rally the troops with an extra supply.", "Supplies fall by 1 to 3.", "The die shows 4.",
        "A total of 5: success.", "Morale rises by 1 to 3.",
    ]),
    (at(wall=0, morale=1), ("extra morale",), [
        "Additional action for 1 morale.", "Morale falls by 1 to 0.",
        "Defeat: collapse: a second status track fell to 0.",
    ]),
    (at(soldiers="castle"), ("enter", "fast lines"), [
        "Soldiers enter the tunnel.", "Soldiers: near tunnel.",
        "Fast movement through the tunnel to the enemy lines.", "Soldiers: enemy lines.",
    ]),
    (at(soldiers="far tunnel", supplies=1), ("extra supplies", "free castle"), [
        "Additional action for 1 supply.", "Supplies fall by 1 to 0.",
        "Free movement one space towards the castle.", "Soldiers: near tunnel.",
    ]),
    (last_turn(soldiers="far tunnel", raided=2, supplies=1), ("end",), [
        "End the turn.", "Day 1 ends.", "Supplies fall by 1 to 0.", "Soldiers: castle.", "Supplies rise by 2 to 2.",
    ]),
    (last_turn(day=3, card=4), ("end",), [
        "End the turn.", "Day 3 ends.", "Supplies fall by 1 to 3.",
        "Victory: the relief army arrives: the fortress has held for three days.",
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("play", "script", "told"), SCRIPTS)
def test_what_happens_is_told(play: Play, script: tuple[str | int, ...], told: list[str]) -> None:
    """Every event of a turn in a sentence, in the order in which it happens."""
    play = play.again().do(*script)
    assert [STANDARD.tell(event) for event in play.log] == told
    assert all(event.rule in STANDARD.rulebook() for event in play.log)


CARDS: list[tuple[Play, int, list[str]]] = [
    (before_card(1), 1, ["Day 1, card 1: Trebuchet Attack.", "The trebuchets fire: 3.", "Wall falls by 1 to 3.",
                         "Wall falls by 1 to 2."]),
    (before_card(1, trebuchets=0), 1, ["Day 1, card 1: Trebuchet Attack.", "No trebuchet is left to fire."]),
    (before_card(2, morale=0), 2, ["Day 1, card 2: Illness.", "Morale stays on 0.",
                                   "Supplies fall by 1 to 3.", "The siege tower advances to 3."]),
    (before_card(3, deck=[1, 2, 3, 4, 5, 6, 7], day=2, supplies=0), 3, ["Day 2, card 3: Bad Weather."]),
    (before_card(4, day=2, ladders=IN), 4, ["Day 2, card 4: Gate Fortified.", "The order to the ladders has no effect.",
                                            "The battering ram advances to 3."]),
    (before_card(5, day=2), 5, ["Day 2, card 5: Collapsed!.", "The siege tower collapses and must leave the game.",
                                "The ladders advance to 3.", "The battering ram advances to 3."]),
    (before_card(5, day=2, siege_tower=1), 5, ["Day 2, card 5: Collapsed!.",
                                               "The siege tower stays in the game: not on the start.",
                                               "The ladders advance to 3.", "The battering ram advances to 3."]),
    (before_card(6, day=3, battering_ram=1, siege_tower="removed"), 6, [
        "Day 3, card 6: Rally!.", "The battering ram advances to close combat.", "Morale falls by 1 to 3.",
        "The order to the siege tower has no effect."]),
    (before_card(5, day=3, trebuchets=3), 5, ["Day 3, card 5: Repaired Trebuchet.", "Trebuchets: 3.",
                                              "The ladders advance to 3."]),
]  # fmt: skip


@pytest.mark.parametrize(("play", "number", "told"), CARDS)
def test_what_a_card_does_is_told(play: Play, number: int, told: list[str]) -> None:
    """6.0, 7.0, 8.0: card, events and movement in sentences."""
    play = play.again().draw(number)
    assert [STANDARD.tell(event) for event in play.log] == told
    assert all(event.rule in STANDARD.rulebook() for event in play.log)


def test_the_rest_is_told_too() -> None:
    """5.1, 7.2: the line check and the single trebuchet; status tracks in the plural."""
    play = before_card(1, step="line check", soldiers="enemy lines", trebuchets=1).do(2).draw(1).do(3)
    assert [STANDARD.tell(event) for event in play.log] == [
        "The die shows 2.", "The soldiers in the enemy lines stay undetected.", "Day 1, card 1: Trebuchet Attack.",
        "The trebuchets fire: 1.", "The die shows 3.", "The trebuchet misses the wall.",
    ]  # fmt: skip
    ignored = Event("status-ignored", "S5", (("track", "supplies"),))
    assert STANDARD.tell(ignored) == "Supplies stay on 0."
    with pytest.raises(KeyError):
        STANDARD.tell(Event("earthquake", "S1"))


def test_events_carry_their_facts() -> None:
    """For statistics and animation: who, where, and by which rule."""
    play = at(ladders=1, soldiers="enemy lines").do("archers ladders", 4, "raid", 6)
    assert [event.to_json() for event in play.log] == [
        {"event": "action", "rule": "9.1.1", "action": "archers ladders"},
        {"event": "die", "rule": "9.1.1", "face": 4},
        {"event": "judged", "rule": "9.1.1", "action": "archers ladders", "total": 4, "success": True},
        {"event": "driven-back", "rule": "9.1", "unit": "ladders", "now": "2"},
        {"event": "action", "rule": "9.1.7", "action": "raid"},
        {"event": "die", "rule": "9.1.7", "face": 6},
        {"event": "judged", "rule": "9.1.7", "action": "raid", "total": 6, "success": True},
        {"event": "raided", "rule": "9.1.7", "now": 2},
    ]
    assert all(event.audience is None for event in play.log)


HAPPENINGS: list[tuple[Play, tuple[str | int, ...], list[dict[str, object]]]] = [
    (before_card(5, day=3, trebuchets=1), ("draw 5",), [
        {"event": "card", "rule": "6.0", "number": 5, "title": "Repaired Trebuchet", "day": 3},
        {"event": "trebuchets", "rule": "7.1", "change": 1, "now": 2},
        {"event": "advance", "rule": "8.1", "unit": "ladders", "now": "3"},
    ]),
    (before_card(6, day=3, battering_ram=IN, siege_tower="removed"), ("draw 6",), [
        {"event": "card", "rule": "6.0", "number": 6, "title": "Rally!", "day": 3},
        {"event": "order-ignored", "rule": "S9", "unit": "battering ram"},
        {"event": "order-ignored", "rule": "S7", "unit": "siege tower"},
    ]),
    (before_card(5, day=2), ("draw 5",), [
        {"event": "card", "rule": "6.0", "number": 5, "title": "Collapsed!", "day": 2},
        {"event": "removed", "rule": "S7", "unit": "siege tower"},
        {"event": "advance", "rule": "8.1", "unit": "ladders", "now": "3"},
        {"event": "advance", "rule": "8.1", "unit": "battering ram", "now": "3"},
    ]),
    (before_card(1, day=1), ("draw 1",), [
        {"event": "card", "rule": "6.0", "number": 1, "title": "Trebuchet Attack", "day": 1},
        {"event": "trebuchets-fire", "rule": "7.2", "count": 3},
        {"event": "status", "rule": "7.2", "track": "wall", "change": -1, "now": 3},
        {"event": "status", "rule": "7.2", "track": "wall", "change": -1, "now": 2},
    ]),
    (before_card(4, day=1, morale=0, ladders=1), ("draw 4",), [
        {"event": "card", "rule": "6.0", "number": 4, "title": "Death of a Leader", "day": 1},
        {"event": "status-ignored", "rule": "S5", "track": "morale"},
        {"event": "advance", "rule": "8.1", "unit": "ladders", "now": "close combat"},
        {"event": "status-ignored", "rule": "8.4", "track": "morale"},
        {"event": "advance", "rule": "8.1", "unit": "siege tower", "now": "3"},
    ]),
    (at(soldiers="enemy lines", raided=1, morale=0), ("sabotage", 1), [
        {"event": "action", "rule": "9.1.8", "action": "sabotage"},
        {"event": "die", "rule": "9.1.8", "face": 1},
        {"event": "judged", "rule": "9.1.8", "action": "sabotage", "total": 1, "success": False},
        {"event": "captured", "rule": "12.0", "lost": 1},
        {"event": "status-ignored", "rule": "12.0", "track": "morale"},
    ]),
    (at(soldiers="enemy lines"), ("sabotage", 5), [
        {"event": "action", "rule": "9.1.8", "action": "sabotage"},
        {"event": "die", "rule": "9.1.8", "face": 5},
        {"event": "judged", "rule": "9.1.8", "action": "sabotage", "total": 5, "success": True},
        {"event": "trebuchets", "rule": "9.1.8", "change": -1, "now": 2},
    ]),
    (at(wall=2, morale=2), ("coupure", 5, "rally supply", 4), [
        {"event": "action", "rule": "9.1.4", "action": "coupure"},
        {"event": "die", "rule": "9.1.4", "face": 5},
        {"event": "judged", "rule": "9.1.4", "action": "coupure", "total": 5, "success": True},
        {"event": "status", "rule": "9.1.4", "track": "wall", "change": 1, "now": 3},
        {"event": "action", "rule": "9.1.5", "action": "rally supply"},
        {"event": "status", "rule": "9.1.5", "track": "supplies", "change": -1, "now": 3},
        {"event": "die", "rule": "9.1.5", "face": 4},
        {"event": "judged", "rule": "9.1.5", "action": "rally supply", "total": 5, "success": True},
        {"event": "status", "rule": "9.1.5", "track": "morale", "change": 1, "now": 3},
    ]),
    (at(ladders=IN), ("fight ladders", 1, "fight ladders", 5), [
        {"event": "action", "rule": "9.1.3", "action": "fight ladders"},
        {"event": "die", "rule": "9.1.3", "face": 1},
        {"event": "judged", "rule": "9.1.3", "action": "fight ladders", "total": 1, "success": False},
        {"event": "status", "rule": "9.1.3", "track": "morale", "change": -1, "now": 3},
        {"event": "action", "rule": "9.1.3", "action": "fight ladders"},
        {"event": "die", "rule": "9.1.3", "face": 5},
        {"event": "judged", "rule": "9.1.3", "action": "fight ladders", "total": 5, "success": True},
        {"event": "driven-back", "rule": "9.1", "unit": "ladders", "now": "1"},
    ]),
    (at(extra_used=False), ("extra supplies", "enter", "fast lines"), [
        {"event": "action", "rule": "9.2", "action": "extra supplies"},
        {"event": "status", "rule": "9.2", "track": "supplies", "change": -1, "now": 3},
        {"event": "action", "rule": "9.1.6.1", "action": "enter"},
        {"event": "soldiers", "rule": "9.1.6.1", "now": "near tunnel"},
        {"event": "action", "rule": "9.1.6.2", "action": "fast lines"},
        {"event": "soldiers", "rule": "9.1.6.2", "now": "enemy lines"},
    ]),
    (at(soldiers="near tunnel", raided=2, supplies=1), ("free castle",), [
        {"event": "action", "rule": "9.1.6.2", "action": "free castle"},
        {"event": "soldiers", "rule": "9.1.6.2", "now": "castle"},
        {"event": "status", "rule": "13.0", "track": "supplies", "change": 2, "now": 3},
    ]),
    (last_turn(day=3, card=4, soldiers="far tunnel"), ("end",), [
        {"event": "action", "rule": "9.1", "action": "end"},
        {"event": "day-ends", "rule": "11.0", "day": 3},
        {"event": "status", "rule": "11.0", "track": "supplies", "change": -1, "now": 3},
        {"event": "soldiers", "rule": "9.1.6.2", "now": "castle"},
        {"event": "over", "rule": "11.0", "result": "won"},
    ]),
    (before_card(1, step="line check", soldiers="enemy lines", trebuchets=1), (2, "draw 1", 4), [
        {"event": "die", "rule": "5.1", "face": 2},
        {"event": "undetected", "rule": "5.1"},
        {"event": "card", "rule": "6.0", "number": 1, "title": "Trebuchet Attack", "day": 1},
        {"event": "trebuchets-fire", "rule": "7.2", "count": 1},
        {"event": "die", "rule": "7.2", "face": 4},
        {"event": "status", "rule": "7.2", "track": "wall", "change": -1, "now": 3},
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("play", "script", "events"), HAPPENINGS)
def test_events_name_rule_and_facts(play: Play, script: tuple[str | int, ...], events: list[dict[str, object]]) -> None:
    """7.0, 9.0: what programs read: kinds, rules and facts."""
    assert [event.to_json() for event in play.again().do(*script).log] == events


def test_the_same_happens_with_nobody_listening() -> None:
    """Events are built only for a listener, and never change what happens."""
    for play, script, _ in SCRIPTS:
        loud, quiet = play.again(), play.again()
        for step in script:
            loud.do(step)
            if isinstance(step, str):
                STANDARD.apply(quiet.state, parse_action(step))
            else:
                STANDARD.apply_outcome(quiet.state, D6[step - 1])
        assert quiet.state == loud.state
    for play, number, _ in CARDS:
        quiet = play.again()
        STANDARD.apply_outcome(quiet.state, SiegeOutcome(True, number))
        assert quiet.state == play.again().draw(number).state


def test_views() -> None:
    """S29: the view is the table, a value of its own; player and spectator differ only in who must answer."""
    play = at(ladders=1, soldiers="enemy lines")
    mine, theirs = STANDARD.view(play.state, 0), STANDARD.view(play.state)
    assert mine.awaited == Awaited("actions", "9.0", you=True, seats=(0,))
    assert theirs.awaited == Awaited("actions", "9.0", you=False, seats=(0,))
    assert mine.to_json()["awaited"] == {"kind": "actions", "rule": "9.0", "you": True}
    assert mine.division is STANDARD.division(play.state)
    assert STANDARD.redeal(mine, RandomStream(bytes(32))) == play.state
    play.do("archers ladders", 6, "end")
    assert mine.units == (1, 4, 4), "the view does not follow the state"
    waiting = STANDARD.view(play.state, 0)
    assert (waiting.awaited, waiting.division) == (Awaited("line-check", "5.1", you=False), None)
    assert STANDARD.view(at(wall=0).do("end").state, 0).awaited == Awaited("over", "10.0", you=False)


def test_states_are_values() -> None:
    """Equal positions are equal and have equal keys; copies are independent; states cannot be hashed."""
    one, other = at(ladders=2).state, at(ladders=2).state
    assert one == other
    assert one.key() == other.key()
    assert one != at(ladders=3).state
    assert one != "a state"
    copied = one.copy()
    copied.units[0] = 1
    copied.status[0] = 1
    assert one == other
    with pytest.raises(TypeError):
        hash(one)
    assert repr(one) == "<SiegeState day 1 units [2, 4, 4] status [4, 4, 4] step 3 >"


@pytest.mark.parametrize(("field", "value"), [
    ("units", [4, 4, 3]), ("status", [4, 4, 3]), ("trebuchets", 2), ("soldiers", 1), ("raided", 1), ("day", 2),
    ("deck", 1), ("card", 3), ("step", 5), ("points", 1), ("extra_used", True), ("free_move", 1), ("boiled", True),
    ("rolling", 0), ("result", "won"),
])  # fmt: skip
def test_a_key_holds_everything(field: str, value: object) -> None:
    """Every part of a state makes a difference to its key, and is copied."""
    one = at().state
    changed = one.copy()
    setattr(changed, field, value)
    assert changed != one
    assert changed.copy() == changed


def test_a_refusal_is_explained() -> None:
    """S14, S11: a refusal is a code, a sentence and a rule."""
    refusal = STANDARD.refusal(at(ladders=IN, siege_tower=IN).state, parse_action("end"))
    assert refusal is not None
    assert refusal.to_json() == {
        "code": "must-fight",
        "sentence": "with two units in close combat the turn cannot end while AP remain",
        "rule": "S14",
    }
    refusal = STANDARD.refusal(at().state, parse_action("archers ladders"))
    assert refusal is not None
    assert refusal.sentence == "the ladders are on the start and cannot be driven farther back"


def test_what_the_game_says_of_itself() -> None:
    """3.0: one player, nothing hidden; a bound on the decisions of a game."""
    facts = STANDARD.facts
    assert (facts.name, facts.title, facts.designers) == ("siege", "9 Card Siege", "Chris Hansen")
    assert (facts.seats, facts.hidden_information, facts.simultaneous) == ((1, 1), False, False)
    assert facts.max_decisions is not None
    assert facts.max_decisions >= 27 * (6 + 1 + 1 + 1 + 1), "9 cards, 6 AP, one bought, the purchase, a free move, end"
    assert STANDARD.option_values == {
        "ones": "natural", "close_combat_drives_back": "one", "bad_weather_free_movement": False,
    }  # fmt: skip
    assert dict(with_options(ones="event_bonus_cancels").option_values)["ones"] == "event_bonus_cancels"
    assert (STANDARD.edition_name, STANDARD.edition_digest) == ("standard", STANDARD.edition.digest)
