"""The words for people: number, articles and names in every sentence that random games bring up."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from muniment.core.dice import RandomStream, seed_from_text
from muniment.core.events import Event, EventLog, Fact
from muniment.core.game import Decision, Over
from muniment.games.king import King, KingOptions
from muniment.games.king.magic import STOPS
from muniment.games.king.tell import STOP_WORDS, charm_effect
from muniment.terminal.king.choices import choices_of, question
from muniment.terminal.king.face import KingFace
from tests.king.random_games import options_of
from tests.king.scripts import Table, king, part, player

FAULTS = {
    "an article before a name with its own": re.compile(r"\bthe the\b", re.IGNORECASE),
    "one of many": re.compile(r"\b1 (?!is\b|as\b|becomes\b)[a-z]+s\b"),
    "many of one": re.compile(r"\b(?:[02-9]|\d\d+) (?:tile|character|land|level|owner|deal|hit|player)\b(?!,)"),
    "two spaces": re.compile(r"  "),
    "a before a vowel": re.compile(r"\b[Aa] [aeiouAEIOU]"),
    "an before a consonant": re.compile(r"\b[Aa]n [^aeiouAEIOU]"),
    "a word twice": re.compile(r"\b([a-z]+) \1\b", re.IGNORECASE),
    "a space before a stop": re.compile(r" [,.;]|\(\)|: \.|: $"),
    "a name of the program": re.compile(r"[{}_]|\bNone\b|[a-z]-[0-9]"),
}


NUMBERED = re.compile(r"\b(?:player|turn|desert|forest|mountain|plains|swamp) \d+", re.IGNORECASE)


def faults(text: str) -> list[str]:
    """What is wrong with it; players, turns and lands have numbers that count nothing."""
    text = NUMBERED.sub("XY", text)
    return [name for name, pattern in FAULTS.items() if pattern.search(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Give the The Mist to Ben", "1 characters", "Buy 1 tiles", "2 tile", "call  it", "a Elf", "an City", "to to",
        "at , 3", "forest-2", "Rolls {dice}.",
    ],
)  # fmt: skip
def test_each_fault_is_found(text: str) -> None:
    assert faults(text)


def sentences(number: int) -> Iterator[str]:
    """Everything that a random game has to say: actions, refusals, events, questions, choices."""
    game, seats = king(**options_of(number)), 2 + number % 3
    face = KingFace(game, ["Ada", "Ben", "Cyd", "Dan"][:seats])
    s, stream = game.initial(seats), RandomStream(seed_from_text(f"words {number}"))
    for step in range(900):
        log = EventLog()
        pending = game.pending(s)
        if isinstance(pending, Over):
            break
        if isinstance(pending, Decision):
            seat = pending.seats[0]
            legal = game.legal_actions(s, seat)
            yield from (game.sentence(action) for action in legal)
            if step % 8 == 0:
                view = game.view(s, seat)
                yield question(view, face.names)
                yield from (
                    choice.note for choice in choices_of(view, face.names, legal) if choice.action.word != "battle"
                )
                refused = [game.refusal(s, action, seat) for action in face.known_actions(view)]
                yield from (refusal.sentence for refusal in refused if refusal is not None)
            game.apply(s, stream.choice(legal), seat, log)
        else:
            game.apply_outcome(s, game.sample(s, stream), log)
        for event in log:
            yield game.tell(event)
            if event.kind not in ("roll", "volley"):
                yield from face.log([event])


@pytest.mark.parametrize("first", range(0, 12, 4))
def test_no_sentence_has_a_fault(first: int) -> None:
    for number in range(first, first + 4):
        for text in set(sentences(number)):
            assert not faults(text), text


def test_a_stop_has_words_of_its_own() -> None:
    """K10: every stop, the one after the tiles of a fight are revealed included."""
    assert set(STOP_WORDS) == set(STOPS)
    assert len(set(STOP_WORDS.values())) == len(STOPS)


@pytest.mark.parametrize(
    ("notation", "said"),
    [
        ("give the-mist 1", "Give The Mist to player 2"),
        ("give golem 1", "Give the Golem to player 2"),
        ("purchase 0", "Buy no tiles"),
        ("purchase 1", "Buy 1 tile"),
        ("purchase 2", "Buy 2 tiles"),
        ("charm -1 2", "Use the lucky charm: −1 at 2"),
        ("dust fight", "Blow the dust of defense at the attackers in the fight"),
        ("dust swamp-1", "Blow the dust of defense at the attackers of Swamp 1"),
        ("standing dispell never", "Never ask me for the scroll of dispell magic"),
        ("seek guilliame-tell", "Try for Guilliame Tell"),
        ("shoot elves-r2+sword+bow", "Let Elves R2 with sword and bow shoot with the bow"),
    ],
)
def test_an_action_in_words(notation: str, said: str) -> None:
    game = king()
    assert game.sentence(game.parse_action(notation)) == said


def told(kind: str, rule: str = "K1", **facts: Fact) -> str:
    return king().tell(Event(kind, rule, tuple(facts.items())))


def test_events_in_words() -> None:
    assert told("hits", seat=0, hits=0, absorbed=0) == "Player 1 scores no hits."
    assert told("hits", seat=0, hits=1, absorbed=1) == "Player 1 scores 1 hit, 1 of them absorbed by forts."
    assert told("lined-up", seat=1, lands=("swamp-1", "plains-2"), tiles=(3, 1)) == (
        "Player 2 lines up 3 at Swamp 1, 1 at Plains 2."
    )
    assert told("magic", seat=1, item="the-mist", on=()) == "Player 2 plays The Mist."
    assert told("magic", seat=1, item="golem", on=(0,)) == "Player 2 plays the Golem on player 1."
    assert told("magic", seat=1, item="wall-of-fire", on=("swamp-1",)) == "Player 2 plays the Wall of Fire on Swamp 1."
    assert told("magic", seat=1, item="lucky-charm", change="-1", die=2) == "Player 2 plays the Lucky Charm: −1 at 2."
    assert told("deed", "specials.master-thief", seat=0, victim=1, result="killed") == (
        "The Master Thief whom player 1 sent to player 2 is killed."
    )
    assert told("deal", seat=0, partner=1, answer="counter") == "Player 1 counters the offer of player 2."
    assert told("over", reason="turn-limit", winners=(0, 2)) == (
        "The game is over: the last turn has been played, and player 1 and player 3 won."
    )
    assert told("over", reason="nobody", winners=()) == "The game is over: nobody has land left."
    offer: dict[str, Any] = {"seat": 0, "gold": 0, "asked": 5, "lands": ("swamp-1",), "tiles": ("golem",)}
    assert told("offer", **offer, asked_lands=(), asked_specials=()) == "Player 1 offers Swamp 1, Golem for 5 gold."
    offer |= {"gold": 2, "asked": 0, "lands": (), "tiles": ()}
    assert told("offer", **offer, asked_lands=(), asked_specials=()) == "Player 1 offers 2 gold for nothing."


def test_k42_what_the_charm_does_to_the_roll() -> None:
    """One die of the roll just made, told as what it shows and would show (K42)."""
    t = Table(
        player("swamp-1", hand="lucky-charm", standing=2), player("plains-1"),
        frames=part(1, ["special", 0]),
    )  # fmt: skip
    t.do("seek elf-lord").roll(5, 2)
    assert t.asks == ("charm", 0)
    view = t.game.view(t.state, 0)
    assert charm_effect(view, t.game.parse_action("charm +1 2")) == "die 2: 2 becomes 3"
    assert charm_effect(view, t.game.parse_action("charm -1 1")) == "die 1: 5 becomes 4"


def test_the_designers() -> None:
    assert King.facts.designers == "Tom Wham and Robert Kuntz"
    assert KingOptions().edition == "rulebook"
