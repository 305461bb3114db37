"""The engine behind the protocol: notation, refusals, chance, events, random games (design.md; K58, K59)."""

from collections import Counter
from fractions import Fraction

import pytest

from muniment.core.dice import RandomStream, seed_from_text
from muniment.core.errors import NotationError, OptionError
from muniment.core.events import EventLog
from muniment.core.game import Chance, Decision
from muniment.core.match import Match, verify
from muniment.games.king import King, KingOptions
from muniment.games.king.actions import KingAction
from muniment.games.king.schema import FRAME_DATA
from muniment.games.king.steps import CHANCES, CHOICES, FLOWS, ROLLS
from muniment.games.king.volley import fold_of, folds
from tests.king.scripts import Random, Table, king, part, player
from tests.king.test_war import joined


def test_records_replay_and_verify() -> None:
    """K59: a match of the king is recorded, replayed and verified like any other."""
    game = king(turn_limit=6, trading=True, army_reserves=True)
    match = Match(game, ["a", "b", "c"], seed=seed_from_text("match"))
    choices = RandomStream(b"choices")
    while match.over is None:
        pending = match.pending
        assert isinstance(pending, Decision)
        seat = pending.seats[0]
        match.act(seat, choices.choice(match.legal_actions(seat)))
    verify(game, match.record())


def test_every_notation_round_trips() -> None:
    """Actions and outcomes: notation and JSON both ways, a rule of the rulebook, and a sentence for each word."""
    game = king(turn_limit=40, army_reserves=True, trading=True)
    words: Counter[str] = Counter()
    rules = game.rulebook()
    for seed in range(12):
        s, players = game.initial(4), Random(f"words {seed}")
        while s.over is None:
            pending = game.pending(s)
            if isinstance(pending, Decision):
                for seat in range(4):
                    for action in game.legal_actions(s, seat):
                        if not words[action.word]:
                            assert action.rule in rules or action.word == "done"
                        if words[action.word] < 30:
                            assert game.parse_action(action.notation) == action
                            assert game.action_from_json(action.to_json()) == action
                            assert game.sentence(action)[0].isupper()
                        words[action.word] += 1
            elif isinstance(pending, Chance):
                assert pending.rule in rules
                outcome = game.sample(s, players.stream)
                assert game.parse_outcome(outcome.notation) == outcome
                assert game.admits(s, outcome)
            players.step(game, s)
    assert len(words) > 40, sorted(words)


@pytest.mark.parametrize(
    "text", ["", "dance", "muster", "muster dragon", "fort forest-9", "bid x", "attack 7", "bid 1 2"]
)
def test_unreadable_actions(text: str) -> None:
    """A notation that is none is refused, and quoted."""
    with pytest.raises(NotationError):
        king().parse_action(text)


@pytest.mark.parametrize(
    "text", ["", "dice", "dice 7", "dice x", "tile dragon", "fold 6 1", "fold 9 0 0 0 0", "card 1"]
)
def test_unreadable_outcomes(text: str) -> None:
    """Outcomes, too."""
    with pytest.raises(NotationError):
        king().parse_outcome(text)


@pytest.mark.parametrize(
    "value", [None, {}, {"action": "dance"}, {"action": "bid", "args": 3}, {"action": "bid", "args": [None]}]
)
def test_unreadable_json(value: object) -> None:
    """And JSON."""
    with pytest.raises(NotationError):
        king().action_from_json(value)


def test_options_are_read() -> None:
    """K1, K13, K35, K50 to K53, K60: every option by name."""
    with pytest.raises(OptionError):
        KingOptions.read({"homeless": "street"})
    assert KingOptions.read({"turn_limit": "50"}).turn_limit == 50
    assert {option.ruling for option in King.option_definitions} == {
        "K1",
        "K13",
        "K35",
        "K50",
        "K51",
        "K52",
        "K53",
        "K60",
    }


def test_refusals_come_from_the_same_predicates() -> None:
    """What is legal is not refused, what is refused is not legal; every refusal names a rule of the rulebook."""
    game = king(turn_limit=30, trading=True)
    pool: dict[str, KingAction] = {}
    codes: set[str] = set()
    s, players = game.initial(3), Random("refusals")
    while s.over is None:
        if isinstance(game.pending(s), Decision):
            for seat in range(3):
                legal = game.legal_actions(s, seat)
                for action in legal:
                    if len(pool) < 400:
                        pool[action.notation] = action
                    assert game.refusal(s, action, seat) is None
                for at, action in enumerate(pool.values()):
                    if at % 37 == s.clock % 37 and action not in legal:
                        refusal = game.refusal(s, action, seat)
                        assert refusal is not None
                        assert refusal.rule in game.rulebook() or refusal.rule == "sequence"
                        assert refusal.code == refusal.code.lower()
                        codes.add(refusal.code)
        players.step(game, s)
    assert len(codes) > 11, codes


def test_other_refusals() -> None:
    """K9, K11, K14: no such seat, out of the game, the game is over."""
    table = Table(player("forest-1"), player("", out=True), player("swamp-1"), frames=part(1, ["build", 0]))
    assert table.refused("done", 1) == "out"
    assert table.refused("done", 2) == "not-asked"
    assert table.refused("done", 7) == "no-such-seat"
    assert table.refused("peace") == "not-now"


def test_folds_are_the_distribution_of_the_dice() -> None:
    """combat-dice, K34: the fold's probabilities are exact, and every roll of dice belongs to one fold."""
    groups = ((2, 6), (1, 5), (1, 4))
    node = folds(groups)
    assert node.total == 6**4
    counted: Counter[tuple[int, ...]] = Counter()
    for number in range(6**4):
        dice = tuple(number // 6**at % 6 + 1 for at in range(4))
        counted[tuple(fold_of(dice, groups))] += 1
    assert {outcome.args: weight for outcome, weight in zip(node.outcomes, node.weights, strict=True)} == counted
    chance = dict(node.probabilities())
    assert sum(chance.values()) == Fraction(1)


def test_a_battle_roll_may_come_as_a_fold() -> None:
    """K59: both kinds of outcome are accepted, and lead to the same position."""
    one, two = joined("cyclops-5", "bear-2"), joined("cyclops-5", "bear-2")
    one.roll(6, 5, 5, 1, 2)
    two.comes("fold 6 0 1 2 2")
    assert one.state == two.state


def test_events_are_told() -> None:
    """Every event of many games has a sentence and a rule of the rulebook."""
    game = king(turn_limit=40, army_reserves=True, trading=True)
    kinds: set[str] = set()
    for seed in range(8):
        s, players, log = game.initial(3), Random(f"tell {seed}"), EventLog()
        while s.over is None:
            pending = game.pending(s)
            if isinstance(pending, Decision):
                seat = pending.seats[0]
                game.apply(s, players.stream.choice(game.legal_actions(s, seat)), seat, log)
            else:
                game.apply_outcome(s, game.sample(s, players.stream), log)
        for event in log:
            assert event.rule in game.rulebook(), event
            if event.kind not in kinds:
                assert game.tell(event)
            kinds.add(event.kind)
    assert len(kinds) > 45


def test_events_do_not_change_the_game() -> None:
    """Events are built only if somebody listens; the game goes the same way."""
    game, ends = king(turn_limit=15), []
    for log in (None, EventLog()):
        s, players = game.initial(2), Random("quiet")
        while s.over is None:
            pending = game.pending(s)
            if isinstance(pending, Decision):
                seat = pending.seats[0]
                game.apply(s, players.stream.choice(game.legal_actions(s, seat)), seat, log)
            else:
                game.apply_outcome(s, game.sample(s, players.stream), log)
        ends.append(s.key())
    assert ends[0] == ends[1]


def test_frames_are_documented() -> None:
    """Every kind of frame and roll has its data described in the schema."""
    kinds = {*FLOWS, *CHOICES, *CHANCES, *ROLLS, "over"} - {"roll"}
    assert kinds == set(FRAME_DATA)
