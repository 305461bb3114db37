"""Anybody's own cards: 1 to 9 of them, every kind of event; every kind of fault, with file, place and reason."""

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from muniment.core.errors import EditionError
from muniment.core.match import Match
from muniment.core.record import Record
from muniment.games.siege import Siege, load_edition
from muniment.games.siege.edition import (
    ACTION_NAMES,
    DRM_TARGETS,
    Collapse,
    Drm,
    Only,
    StatusChange,
    TrebuchetAttack,
    TrebuchetChange,
)
from muniment.games.siege.terms import MORALE
from tests.siege.positions import Play, before_card

HEAD = """
name = "mine"
[strength]
ladders = 1
battering_ram = 2
siege_tower = 6
close_combat = 3
[start]
trebuchets = 2
wall = 1
morale = 2
supplies = 3
[raise_at_least]
wall = 4
morale = 6
"""
QUIET = 'title = "Quiet", actions = 1, orders = [], events = []'


def card(number: int, *days: str) -> str:
    lines = [f"day{day} = {{ {text} }}" for day, text in enumerate(days or (QUIET,) * 3, 1)]
    return "\n".join(["[[card]]", f"number = {number}", *lines, ""])


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    def written(text: str) -> Path:
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def test_one_card(write: Callable[[str], Path]) -> None:
    """2.1, 4.0: one card makes days of one turn; the figures of the track cards are the file's own."""
    game = Siege(load_edition(write(HEAD + card(42))))
    play = Play(game, game.initial())
    assert (play.trebuchets, play.status) == (2, (1, 2, 3))
    for day in (1, 2, 3):
        assert play.day == day
        play.draw(42).do("end")
    assert (play.result, play.supplies) == ("supplies-0", 0)
    assert game.edition_name == "mine"


def test_its_own_strengths(write: Callable[[str], Path]) -> None:
    """2.2.1, 9.1.1, 9.1.3, 9.1.4, 9.1.5: a roll is compared with the file's figures."""
    game = Siege(load_edition(write(HEAD + card(1) + card(2))))
    play = before_card(
        1, game=game, more=[2], ladders=3, battering_ram=1, siege_tower=1, wall=1, morale=2
    ).draw(1)  # fmt: skip
    assert play.hits("archers ladders") == [2, 3, 4, 5, 6]
    assert play.hits("archers battering-ram") == [3, 4, 5, 6]
    assert play.hits("archers siege-tower") == []
    assert play.hits("water siege-tower") == [6]
    assert play.hits("coupure") == [4, 5, 6]
    assert play.hits("rally") == [6]
    play = before_card(1, game=game, more=[2], ladders="close combat").draw(1)
    assert play.hits("fight ladders") == [4, 5, 6]


def test_nine_cards(write: Callable[[str], Path]) -> None:
    """2.1, 4.0: nine cards make days of nine turns; a match of them is recorded and replays."""
    text = HEAD.replace("supplies = 3", "supplies = 4") + "".join(card(number) for number in range(91, 100))
    game = Siege(load_edition(write(text)))
    match = Match(game, ["Ada"], seed=bytes(32))
    turns = 0
    while match.over is None:
        match.act(0, game.parse_action("end"))
        turns += 1
    assert (turns, match.over.reason) == (27, "won")
    again = Match.from_record(game, Record.read(match.record().write()))
    assert again.state() == match.state()
    assert {str(entry) for entry in match.entries} == {"0 end", *(f"* draw {number}" for number in range(91, 100))}


def test_every_kind_of_event(write: Callable[[str], Path]) -> None:
    """7.0, 7.1, 7.2: the effects of the schema."""
    day1 = (
        'title = "All", actions = 6, orders = ["siege_tower", "ladders"], events = ['
        '{ status = "morale", change = -1 }, { trebuchets = -1 }, { drm = 5, on = "siege_tower" },'
        '{ only = ["archers", "coupure"] }, { collapse = "battering_ram" }]'
    )
    day2 = 'title = "Slow", actions = 0, orders = ["slowest"], events = []'
    day3 = 'title = "Fire", actions = 3, orders = [], events = [{ trebuchet_attack = true }]'
    edition = load_edition(write(HEAD + card(7, day1, day2, day3)))
    one, two, three = edition.cards[0].divisions
    assert one.events == (
        StatusChange(MORALE, -1), TrebuchetChange(-1), Drm("siege_tower", 5), Only(("archers", "coupure")), Collapse(1),
    )  # fmt: skip
    assert (one.orders, one.slowest, one.actions) == ((0, 2), False, 6), "orders stand in the order of S10"
    assert (two.orders, two.slowest, two.actions) == ((), True, 0)
    assert three.events == (TrebuchetAttack(),)
    game = Siege(edition)
    play = Play(game, game.initial()).draw(7)
    assert (play.morale, play.trebuchets, play.units) == (1, 1, (3, "removed", 3))
    assert play.legal == {"archers ladders", "archers siege-tower", "coupure", "extra morale", "extra supplies", "end"}
    assert play.do("archers siege-tower", 2).units[2] == "start", "2 + 5 beats 6"


GOOD = HEAD + card(1) + card(2)
STRENGTH = ("ladders", "battering_ram", "siege_tower", "close_combat")


@pytest.mark.parametrize(
    ("old", "new", "place", "reason"),
    [
        ('name = "mine"\n', "", "", "'name' is missing"),
        ('name = "mine"', "name = 3", "", "name must be a line of text, not 3"),
        ('name = "mine"', 'name = " "', "", "name must be a line of text, not ' '"),
        ('name = "mine"', 'name = "a\\nb"', "", "name must be a line of text, not 'a\\nb'"),
        ('name = "mine"', 'name = "a\\u0007"', "", "name must be a line of text, not 'a\\x07'"),
        ('name = "mine"', 'name = "mine"\nreleased = 2017-12-17', "",
         "'released' is not known here; expected: card, name, raise_at_least, start, strength"),
        ("[strength]", "[power]", "", "'strength' is missing"),
        ("[start]\n", "[[start]]\n", "",
         "start must be a table, not [{'trebuchets': 2, 'wall': 1, 'morale': 2, 'supplies': 3}]"),
        ("ladders = 1", "ladders = 7", ", strength", "ladders must be a whole number from 0 to 6, not 7"),
        ("ladders = 1", "ladders = -1", ", strength", "ladders must be a whole number from 0 to 6, not -1"),
        ("ladders = 1", "ladders = true", ", strength", "ladders must be a whole number from 0 to 6, not True"),
        ("ladders = 1", "ladders = 1.0", ", strength", "ladders must be a whole number from 0 to 6, not 1.0"),
        ("battering_ram = 2", "battering_ram = 7", ", strength",
         "battering_ram must be a whole number from 0 to 6, not 7"),
        ("siege_tower = 6", "siege_tower = 7", ", strength", "siege_tower must be a whole number from 0 to 6, not 7"),
        ("close_combat = 3", "close_combat = 7", ", strength",
         "close_combat must be a whole number from 0 to 6, not 7"),
        ("close_combat = 3", "close_combat = 3\ncatapult = 1", ", strength",
         "'catapult' is not known here; expected: battering_ram, close_combat, ladders, siege_tower"),
        ("trebuchets = 2", "trebuchets = 4", ", start", "trebuchets must be a whole number from 0 to 3, not 4"),
        ("wall = 1", "wall = 0", ", start", "wall must be a whole number from 1 to 4, not 0"),
        ("morale = 2", "morale = 5", ", start", "morale must be a whole number from 1 to 4, not 5"),
        ("supplies = 3", "supplies = 0", ", start", "supplies must be a whole number from 1 to 4, not 0"),
        ("supplies = 3", "supplies = 3\ngold = 3", ", start",
         "'gold' is not known here; expected: morale, supplies, trebuchets, wall"),
        ("wall = 4", "wall = 8", ", raise_at_least", "wall must be a whole number from 1 to 7, not 8"),
        ("morale = 6", "morale = 0", ", raise_at_least", "morale must be a whole number from 1 to 7, not 0"),
        ("morale = 6", "morale = 6\nsupplies = 5", ", raise_at_least",
         "'supplies' is not known here; expected: morale, wall"),
        ("number = 2", "number = 1", "", "two cards have the same number"),
        ("number = 2", "number = 100", ", card 2", "number must be a whole number from 1 to 99, not 100"),
        ("number = 2", "number = 0", ", card 2", "number must be a whole number from 1 to 99, not 0"),
        ("number = 2", "number = 2\nday4 = {}", ", card 2",
         "'day4' is not known here; expected: day1, day2, day3, number"),
        ("number = 2", "", ", card 2", "'number' is missing"),
    ],
)  # fmt: skip
def test_a_fault_in_the_figures(write: Callable[[str], Path], old: str, new: str, place: str, reason: str) -> None:
    """Refused with file, place and reason, in one line."""
    assert old in GOOD
    head, _, tail = GOOD.rpartition(old) if old.startswith("number") else GOOD.partition(old)
    path = write(head + new + tail)
    with pytest.raises(EditionError) as caught:
        load_edition(path)
    assert str(caught.value) == f"{path}{place}: {reason}"


EVENT_KINDS = "an event has exactly one of trebuchet_attack, status, trebuchets, drm, only, collapse"


@pytest.mark.parametrize(
    ("division", "place", "reason"),
    [
        ('actions = 1, orders = [], events = []', "", "'title' is missing"),
        ('title = "T", orders = [], events = []', "", "'actions' is missing"),
        ('title = "T", actions = 1, events = []', "", "'orders' is missing"),
        ('title = "T", actions = 1, orders = []', "", "'events' is missing"),
        (QUIET + ", colour = 1", "", "'colour' is not known here; expected: actions, events, orders, title"),
        ('title = "", actions = 1, orders = [], events = []', "", "title must be a line of text, not ''"),
        ('title = "T", actions = 7, orders = [], events = []', "", "actions must be a whole number from 0 to 6, not 7"),
        ('title = "T", actions = -1, orders = [], events = []', "",
         "actions must be a whole number from 0 to 6, not -1"),
        ('title = "T", actions = 1, orders = "none", events = []', "", "orders must be a list, not 'none'"),
        ('title = "T", actions = 1, orders = ["none"], events = []', "",
         "orders must be of ladders, battering_ram, siege_tower, slowest, not 'none'"),
        ('title = "T", actions = 1, orders = [[1]], events = []', "",
         "orders must be of ladders, battering_ram, siege_tower, slowest, not [1]"),
        ('title = "T", actions = 1, orders = ["ladders", "ladders"], events = []', "", "orders names something twice"),
        ('title = "T", actions = 1, orders = ["ladders", "slowest"], events = []', "",
         '"slowest" is an order of its own'),
        ('title = "T", actions = 1, orders = [], events = 3', "", "events must be a list of tables, not 3"),
        ('title = "T", actions = 1, orders = [], events = ["x"]', "", "events must be a list of tables, not ['x']"),
        ('title = "T", actions = 1, orders = [], events = [' + "{ trebuchets = 1 }," * 9 + "]", "",
         "there must be 0 to 8 of events, not 9"),
    ],
)  # fmt: skip
def test_a_fault_in_a_division(write: Callable[[str], Path], division: str, place: str, reason: str) -> None:
    """2.1.3: refused with the card and the day."""
    path = write(HEAD + card(1) + card(2, QUIET, division, QUIET))
    with pytest.raises(EditionError) as caught:
        load_edition(path)
    assert str(caught.value) == f"{path}, card 2, day2{place}: {reason}"


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ("{}", EVENT_KINDS),
        ("{ plague = true }", EVENT_KINDS),
        ("{ trebuchets = 1, drm = 1 }", EVENT_KINDS),
        ("{ trebuchet_attack = false }", "trebuchet_attack can only be true, not False"),
        ("{ trebuchet_attack = 1 }", "trebuchet_attack can only be true, not 1"),
        ('{ status = "gold", change = 1 }', "status must be one of wall, morale, supplies, not 'gold'"),
        ('{ status = "wall" }', "'change' is missing"),
        ('{ status = "wall", change = 5 }', "change must be a whole number from -4 to 4, not 5"),
        ('{ status = "wall", change = -5 }', "change must be a whole number from -4 to 4, not -5"),
        ("{ trebuchets = 4 }", "trebuchets must be a whole number from -3 to 3, not 4"),
        ("{ drm = 1 }", "'on' is missing"),
        ('{ drm = 1, on = "wall" }',
         f"on must be one of {', '.join(DRM_TARGETS)}, not 'wall'"),
        ('{ drm = 6, on = "rally" }', "drm must be a whole number from -5 to 5, not 6"),
        ('{ only = ["sleep"] }',
         f"only must be of {', '.join(ACTION_NAMES)}, not 'sleep'"),
        ('{ only = "raid" }', "only must be a list, not 'raid'"),
        ('{ collapse = "wall" }', "collapse must be one of ladders, battering_ram, siege_tower, not 'wall'"),
        ("{ trebuchets = 1, note = 2 }", "'note' is not known here; expected: trebuchets"),
    ],
)  # fmt: skip
def test_a_fault_in_an_event(write: Callable[[str], Path], event: str, reason: str) -> None:
    """7.0: refused with the card, the day and the number of the event."""
    events = f'title = "T", actions = 1, orders = [], events = [{{ trebuchets = 1 }}, {event}]'
    path = write(HEAD + card(1) + card(2, QUIET, QUIET, events))
    with pytest.raises(EditionError) as caught:
        load_edition(path)
    assert str(caught.value) == f"{path}, card 2, day3, events 2: {reason}"


@pytest.mark.parametrize(
    ("orders", "events", "reason"),
    [
        ("[]", "{ trebuchet_attack = true }, { trebuchets = 1 }",
         "a trebuchet attack is the only event of its division, and nobody is ordered (7.2, 8.3)"),
        ('["ladders"]', "{ trebuchet_attack = true }",
         "a trebuchet attack is the only event of its division, and nobody is ordered (7.2, 8.3)"),
        ('["slowest"]', "{ trebuchet_attack = true }",
         "a trebuchet attack is the only event of its division, and nobody is ordered (7.2, 8.3)"),
        ("[]", '{ only = ["rally"] }, { only = ["coupure"] }', 'at most one event can be an "only"'),
    ],
)  # fmt: skip
def test_events_that_do_not_go_together(write: Callable[[str], Path], orders: str, events: str, reason: str) -> None:
    """7.2, 8.3, S25: refused with the reason."""
    path = write(HEAD + card(1, f'title = "T", actions = 1, orders = {orders}, events = [{events}]', QUIET, QUIET))
    with pytest.raises(EditionError) as caught:
        load_edition(path)
    assert str(caught.value) == f"{path}, card 1, day1: {reason}"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (HEAD, "'card' is missing"),
        (HEAD + "".join(card(n) for n in range(1, 11)), "there must be 1 to 9 of card, not 10"),
        (GOOD + "=", "not valid TOML: Invalid statement (at line "),
        ("name = " + "1" * 5000, "not valid TOML: Exceeds the limit"),
        ("name = " + "[" * 5000, "not valid TOML: nested too deeply"),
        (b"\xff\xfe", "not a UTF-8 text file"),
        ("", "'name' is missing"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_edition(tmp_path: Path, content: str | bytes, reason: str) -> None:
    """Whatever the file holds, the message is one line that begins with its name."""
    path = tmp_path / "bad.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(EditionError) as caught:
        load_edition(path)
    assert str(caught.value).startswith(f"{path}: {reason}")
    assert len(str(caught.value).splitlines()) == 1


def test_no_card_at_all(write: Callable[[str], Path]) -> None:
    """2.1: one card at least."""
    path = write("card = []\n" + HEAD)
    with pytest.raises(EditionError, match="there must be 1 to 9 of card, not 0"):
        load_edition(path)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(EditionError, match=r"missing\.toml: No such file or directory"):
        load_edition(tmp_path / "missing.toml")
    with pytest.raises(EditionError, match="Is a directory"):
        load_edition(tmp_path)


def test_records_know_the_edition(write: Callable[[str], Path]) -> None:
    """The digest is of the content: comments do not matter, any figure does."""
    digest = load_edition(write(GOOD)).digest
    assert load_edition(write("# mine\n" + GOOD)).digest == digest
    assert load_edition(write(GOOD.replace("actions = 1", "actions = 2", 1))).digest != digest
    standard = files("muniment.games.siege").joinpath("cards.toml").read_text(encoding="utf-8")
    assert load_edition(write(standard)).digest == Siege().edition_digest
