"""Sessions of King of the Tabletop: several seats, the curtain, large choices, pages, real dice."""

from pathlib import Path
from typing import Any

import pytest

from muniment.core.errors import MunimentError
from muniment.core.match import Match
from muniment.core.record import CHANCE, Record
from muniment.games.king import King
from muniment.games.siege import Siege
from muniment.terminal.files import read_record
from muniment.terminal.session import save_record
from tests.king.scripts import part, player
from tests.terminal.conftest import WIPED, Script
from tests.terminal.king_person import RandomPerson, crowded_game, crowded_position, session_of

ALL_RULES: dict[str, Any] = {"trading": True, "army_reserves": True, "royal_influence": True, "terrain_bonus": True}


def rows(lines: list[str]) -> int:
    return sum(max(len(line) - 1, 0) // 80 + 1 for line in lines)


def fits(lines: list[str]) -> bool:
    kept = (" The record: ", "The game is kept in ")
    return rows(lines) <= 23 and all(len(line) <= 80 for line in lines if not line.startswith(kept))


def position(*seats: dict[str, Any], frames: Any = None, **rest: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"players": list(seats), "turn": 3, "phase": 4, **rest}
    return found if frames is None else {**found, "frames": frames}


def all_of(screen: Script) -> str:
    """All that was shown, as if it were one line."""
    return " ".join(" ".join(line for lines in screen.shown for line in lines).split())


def play(tmp_path: Path, *answers: str, seats: tuple[str, ...] = ("Ada", "Bo (random)"), **more: Any) -> Any:
    screen = Script(answers)
    session = session_of(tmp_path, screen, seats, **more)
    session.run()
    return session, screen


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("seats", "typed", "options"),
    [
        (("Ada", "Bo (steward)", "Cy (steward)", "Di (random)"), False, {}),
        (("Ada", "Bo"), False, ALL_RULES),
        (("Ada", "Bo", "Cy (random)"), True, ALL_RULES),
    ],
)
def test_whatever_is_typed_every_picture_fits(
    tmp_path: Path, seed: int, seats: tuple[str, ...], typed: bool, options: dict[str, Any]
) -> None:
    person = RandomPerson(seed, 250)
    session = session_of(tmp_path, person, seats, seed=str(seed), typed=typed, **options)
    person.session = session
    session.run()
    assert [lines for lines in person.shown if not fits(lines)] == []
    if not session.match.over:
        kept = Record.read_journal((tmp_path / "king.journal").read_text())
        people = [entry for entry in session.match.entries if entry.seat in session.people]
        assert [entry for entry in kept.entries if entry.seat in session.people] == people


def test_a_crowded_table_fits_with_its_choices(tmp_path: Path) -> None:
    game = crowded_game()
    _, screen = play(
        tmp_path, "more", "choices", "xyzzy", "fort", game=game, position=crowded_position(game),
        seats=("Ada", "Bo (random)", "Cy (random)", "Di (random)"),
    )  # fmt: skip
    assert all(fits(lines) for lines in screen.shown[:-1])


# -- the curtain


def secret_names(session: Any, seat: int) -> set[str]:
    """The tiles that only this seat holds, as the screen calls them."""
    state, names = session.match.state(), session.face.names
    slugs = [state.box.slug[tile] for tile in state.hand[seat]]
    mine = {slug for other in range(state.seats) if other != seat for slug in
            (state.box.slug[tile] for tile in (*state.hand[other], *state.army[other]))}  # fmt: skip
    return {names.tile(slug) for slug in slugs if slug not in mine}


def test_behind_the_curtain_nothing_of_the_other_is_left(tmp_path: Path) -> None:
    seats = ("Ada", "Bo", "Cy")
    session, screen = play(tmp_path, "", "mine", "all done", "", "mine", seats=seats)
    order = [
        session.match.entries[i].seat
        for i in range(len(session.match.entries))
        if session.match.entries[i].seat != CHANCE
    ]
    first = order[0]
    second = session._present
    assert second is not None
    assert second != first
    at = max(number for number, lines in enumerate(screen.shown) if any("Pass the device" in line for line in lines))
    assert screen.shown[at] == ["", f" Pass the device to {seats[second]}.", "", " Then press Enter."]
    assert screen.shown[at - 1] == screen.shown[at + 1] == [WIPED]
    before = "\n".join(line for lines in screen.shown[:at] for line in lines)
    after = "\n".join(line for lines in screen.shown[at:] for line in lines)
    assert [name for name in secret_names(session, first) if name not in before] == []
    assert [name for name in secret_names(session, first) if name in after] == []
    assert [name for name in secret_names(session, second) if name in before] == []
    assert [name for name in secret_names(session, second) if name not in after] == []


def test_one_person_alone_sees_no_curtain(tmp_path: Path) -> None:
    _, screen = play(tmp_path, "all done", "pass", "done", seats=("Ada", "Bo (random)", "Cy (random)"))
    assert not any("Pass the device" in line for lines in screen.shown for line in lines)


def test_a_stop_is_asked_of_its_holder_only(tmp_path: Path) -> None:
    table = position(
        player("forest-1", army="elves-r3", gold=9), player("swamp-1", hand="the-mist", army="ghosts-f1"),
        player("desert-1", hand="ruby"), frames=part(4, ["war", 0]),
    )  # fmt: skip
    _, screen = play(tmp_path, "", "attack Bo", "all done", "", "pass", seats=("Ada", "Bo", "Cy"), position=table)
    curtains = [line for lines in screen.shown for line in lines if "Pass the device" in line]
    assert curtains[:2] == [" Pass the device to Ada.", " Pass the device to Bo."]
    asked = next(lines for lines in screen.shown if any("Magic?" in line for line in lines))
    assert any("mist end the war" in line for line in asked)


def test_what_agents_do_is_told_without_their_secrets(tmp_path: Path) -> None:
    session, screen = play(tmp_path, "done", "pass", "done", seats=("Ada", "Bo (steward)"))
    told = all_of(screen)
    state = session.match.state()
    seen = {tile.tile for tile in session.match.view(0).tiles}
    hidden = {state.box.slug[tile] for tile in (*state.hand[1], *state.army[1])} - seen
    never = {slug for slug in hidden if f"draws {session.face.names.tile(slug)}" in told}
    assert hidden
    assert never == set()


# -- large choices


def test_mustering_in_any_order_and_taking_back(tmp_path: Path) -> None:
    table = position(
        player("forest-1 swamp-1", hand="elves-r3 bandits-2 ghosts-f1 ghosts-f1 city"), player("desert-1"),
        frames=[["turn-end", -1], ["muster", 0]],
    )  # fmt: skip
    answers = ("4", "elves, bandits", "-bandits", "elves", "goblins", "9", "all ghosts", "done")
    session, screen = play(tmp_path, *answers, position=table)
    told = all_of(screen)
    chosen = [entry.notation for entry in session.match.entries if entry.seat == 0]
    assert chosen[:4] == ["muster elves-r3", "muster ghosts-f1", "muster ghosts-f1", "done"]
    for words in ("2 tiles: Elves R3, Ghosts ∞1", "is picked already", "'goblins' is none of the tiles", "from 1 to 4"):
        assert words in told


WAR = position(
    player("forest-1", army="elves-r3 bandits-2 bear-2", gold=1), player("swamp-1 swamp-2", army="ghosts-f1", gold=3),
    frames=part(4, ["war", 0]),
)  # fmt: skip


def test_an_army_is_sent_as_one_or_not_at_all(tmp_path: Path) -> None:
    session, screen = play(tmp_path, "attack bo", "done", "all", "1 2 done", position=WAR)
    told = all_of(screen)
    assert "an army needs a character (K38)" in told
    assert "that is 3; it can be 2 at most" in told
    chosen = [entry.notation for entry in session.match.entries if entry.seat == 0]
    assert chosen[:4] == ["attack 1", "send elves-r3", "send bandits-2", "done"]


LINE = position(
    player("forest-1", army="elves-r3 bandits-2 bear-2", gold=9),
    player("swamp-1 swamp-2"), frames=part(4, ["war", 0]),
)  # fmt: skip


def test_a_line_up_by_numbers_names_and_the_rest(tmp_path: Path) -> None:
    answers = ("attack bo", "all done", "53", "1 s3", "bear s2", "done", "rest s1", "clear", "1-2 s2, bear s1", "done")
    session, screen = play(tmp_path, *answers, position=LINE, typed=True)
    told = all_of(screen)
    assert "say which tiles and which land" in told
    assert "2 tiles are not placed" in told
    assert "S1: Bear 2; S2: Elves R3, Bandits 2" in told
    lines = [entry.notation for entry in session.match.entries if entry.notation.startswith("line")]
    assert sorted(lines) == ["line bandits-2 swamp-2", "line bear-2 swamp-1", "line elves-r3 swamp-2"]


@pytest.mark.parametrize(
    ("picks", "placed"),
    [("3 1", ["elves-r3", "bear-2"]), ("2 1", ["elves-r3", "bandits-2"]), ("3 2", ["bandits-2"])],
)
def test_hits_are_placed_together(tmp_path: Path, picks: str, placed: list[str]) -> None:
    """K37: on whom they fall in any order; a last one that leaves no choice is placed by the game."""
    table = position(
        player("forest-1", army="elves-r3 bandits-2 bear-2", gold=9), player("swamp-1:2"), frames=part(4, ["war", 0])
    )
    answers = ("attack bo", "all done", "41", "all s1", "done", "111", "6666", "66", picks)
    session, screen = play(tmp_path, *answers, position=table, typed=True)
    hits = [entry.notation for entry in session.match.entries if entry.notation.startswith("hit")]
    assert hits == [f"hit {name}" for name in placed]
    assert any("0 of 2 hits: nobody" in line for lines in screen.shown for line in lines)
    assert "cannot be picked" not in all_of(screen)


def test_an_offer_is_made_as_one(tmp_path: Path) -> None:
    table = position(
        player("forest-1 forest-2", hand="ruby", army="elves-r3", gold=5), player("swamp-1 swamp-2", gold=7),
        frames=part(4, ["war", 0]),
    )  # fmt: skip
    answers = ("trade bo", "give 3, f2, elves; ask 7, s9", "give 3, f2, elves; ask 7, s2", "done")
    session, screen = play(tmp_path, *answers, position=table, trading=True)
    told = all_of(screen)
    assert "'s9' is nothing that can be asked" in told
    assert "you give 3 gold, Forest 2, Elves R3; you ask 7 gold, Swamp 2" in told
    chosen = [entry.notation for entry in session.match.entries if entry.seat == 0]
    assert chosen[:9] == [
        "trade 1", "give-gold 3", "give-land forest-2", "done", "give-tile elves-r3", "done", "ask-gold 7",
        "ask-land swamp-2", "done",
    ]  # fmt: skip


def test_an_offer_can_ask_for_what_was_seen_to_go_there(tmp_path: Path) -> None:
    """K53: the golem just given away is known to be in that hand; of equal tiles of one's own there are two."""
    table = position(
        player("forest-1 forest-2", hand="golem", army="pixies-f1 pixies-f1", gold=5),
        player("swamp-1 swamp-2", hand="city", army="crocodile-2", gold=7), frames=part(4, ["war", 0]),
    )  # fmt: skip
    answers = (
        "give golem bo",
        "trade bo",
        "choices",
        "give pixies, pixies; ask city",
        "give pixies, pixies; ask golem",
        "done",
    )
    session, screen = play(tmp_path, *answers, position=table, trading=True)
    told = all_of(screen)
    assert "give: 5 gold, F1, F2, 2×Pixies ∞1" in told
    assert "ask: 7 gold, S1, S2, Golem 9" in told
    assert "'city' is nothing that can be asked" in told
    chosen = [entry.notation for entry in session.match.entries if entry.seat == 0]
    assert chosen[1:] == [
        "trade 1", "give-gold 0", "done", "give-tile pixies-f1", "give-tile pixies-f1", "done", "ask-gold 0", "done",
        "ask-special golem", "done",
    ]  # fmt: skip


def test_odds_before_an_attack_is_sent(tmp_path: Path) -> None:
    """At the choice of war, with all that can be paid; while an army is picked, with what is picked so far."""
    table = position(
        player("forest-1", army="bear-2 walking-tree-5 pixies-f1", gold=1),
        player("swamp-1:1 swamp-2", army="master-thief"), player("plains-1", army="farmers-1"),
        frames=part(4, ["war", 0]),
    )  # fmt: skip
    answers = ("odds", "attack bo", "odds", "bear", "odds")
    _, screen = play(tmp_path, *answers, seats=("Ada", "Bo (random)", "Cy (random)"), position=table)
    shown = [" ".join("\n".join(lines).split()) for lines in screen.shown]
    assert all(rows(lines) <= 23 for lines in screen.shown)
    told = [text for text in shown if "if you attacked" in text]
    assert len(told) == 3
    assert "With all you can pay, Walking Tree 5, Bear 2: 1 gold." in told[0]
    assert "Bo S1 forts alone:" in told[0]
    assert "Cy P1 forts alone: capture 100%, losses 0.0 : 0.0; whole army met:" in told[0]
    assert "odds: all of that army lies open." in told[0]
    assert "an expectation over 40 ways" in told[0]
    assert "With all you can pay, Walking Tree 5, Bear 2: 1 gold." in told[1]
    assert "Cy" not in told[1]
    assert "With Bear 2: 1 gold." in told[2]
    assert "S1 forts alone: capture 25%, losses 0.2 : 0.0; whole army met: capture 1%" in told[2]


def test_no_odds_where_no_attack_can_be_paid(tmp_path: Path) -> None:
    table = position(player("forest-1", army="bear-2"), player("swamp-1"), frames=part(4, ["war", 0]))
    _, screen = play(tmp_path, "odds", position=table)
    assert "no attack to decide on" in all_of(screen)


@pytest.mark.parametrize(
    ("choose", "told"),
    [
        (lambda *_: {"a": 1}["move"], "the agent random (Bo) failed: KeyError: 'move'; the game is kept in "),
        (lambda *_: None, "the agent random (Bo) failed: it chose None, which is not among its choices; the game is"),
    ],
)
def test_an_agent_that_fails_ends_the_session_with_the_game_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, choose: Any, told: str
) -> None:
    """One line that names the agent and its seat; all choices before its own are on the disk."""
    table = position(player("forest-1", army="pixies-f1"), player("swamp-1", gold=2), frames=part(4, ["war", 0]))
    monkeypatch.setattr("muniment.agents.uniform.Uniform.choose", choose)
    screen = Script(("peace",))
    session = session_of(tmp_path, screen, ("Ada", "Bo (random)"), position=table)
    with pytest.raises(MunimentError, match=r"^[^\n]+king.journal$") as failed:
        session.run()
    assert str(failed.value).startswith(told)
    kept = session.journal.read()
    assert kept is not None
    assert [entry.notation for entry in kept.entries if entry.seat == 0] == ["peace"]
    assert kept.entries == session.match.entries


BUILD = position(
    player("forest-1 forest-2:4 mountain-1", hand="city gold-mine ruby lucky-charm", gold=25), player("swamp-1"),
    phase=1, frames=part(1, ["build", 0]),
)  # fmt: skip


def test_building_several_at_once_or_nothing(tmp_path: Path) -> None:
    session, screen = play(tmp_path, "fort f1, fort f1", "f f1, f m1", "undo", "place city f2, fort m1", position=BUILD)
    told = all_of(screen)
    assert "this land has had its level" in told
    assert "others come first; nothing is done" in told
    assert [entry.notation for entry in session.match.entries][:1] == ["fort forest-1"]
    assert len(session.match.entries) == 1


@pytest.mark.parametrize(
    ("topic", "told"),
    [
        ("fort f1", ["fort F1", "K17"]),
        ("fort f2", ["Not possible now: a Gran Muniment cannot be improved (K17)"]),
        ("place gold m1", ["place Gold Mine M1"]),
        ("attack bo", ["Not possible now", "Attack Bo"]),
        ("K30", ["K30"]),
        ("2", ["K17"]),
    ],
)
def test_explanations(tmp_path: Path, topic: str, told: list[str]) -> None:
    _, screen = play(tmp_path, f"? {topic}", position=BUILD)
    text = " ".join("\n".join(screen.shown[1]).split())
    assert [words for words in told if words not in text] == []


def test_pages_and_what_else_can_be_done(tmp_path: Path) -> None:
    answers = ("also", "mine", "bank", "bo", "f2", "lands", "table", "odds", "war", "cash ruby", "standing charm never")
    session, screen = play(tmp_path, *answers, position=BUILD)
    shown = ["\n".join(lines) for lines in screen.shown]
    assert "cash Ruby (10)" in shown[1]
    assert "standing charm never" in shown[1]
    assert "Gold Mine" in shown[2]
    assert "Elf Lord" in shown[3]
    assert "─ Bo ─" in shown[4]
    assert "Gran Muniment stands there" in shown[5]
    assert "there is no battle to come" in shown[8]
    assert "there is no war" in shown[9]
    assert [entry.notation for entry in session.match.entries] == ["cash ruby", "standing charm never"]


def test_auctions_are_answered_with_an_amount(tmp_path: Path) -> None:
    table = position(
        player("forest-1", gold=9), player("swamp-1"), phase=3, aside=["forest-5"],
        frames=part(3, ["bid", 0, 1, "forest-5", 2, 1, 0, 1]),
    )  # fmt: skip
    session, screen = play(tmp_path, "2", "10", "bid 7", position=table)
    assert any("Auction of Forest 5: highest 2 by Bo; you have 9 gold." in line for line in screen.shown[0])
    told = all_of(screen)
    assert "a bid must beat the highest, 2 (K25)" in told
    assert "covered by the bidder's gold (K25)" in told
    assert session.match.entries[0].notation == "bid 7"


# -- undo, resigning, the end, files


def test_undo_never_takes_back_what_a_battle_has_shown(tmp_path: Path) -> None:
    table = position(
        player("forest-1", army="elves-r3 bandits-2", hand="", gold=9), player("swamp-1 swamp-2", army="ghosts-f1"),
        frames=part(4, ["war", 0]),
    )  # fmt: skip
    answers = ("attack bo", "undo", "attack bo", "all done", "51", "1 s1, 2 s2", "done", "battle s1", "undo")
    _, screen = play(tmp_path, *answers, position=table, typed=True, seats=("Ada", "Bo (random)"))
    assert any("Taken back." in line for lines in screen.shown for line in lines)
    assert any("Nothing can be undone" in line for line in screen.shown[-2])


def test_resigning_gives_the_seat_to_an_agent(tmp_path: Path) -> None:
    session, screen = play(tmp_path, "resign", "resign yes", seats=("Ada", "Bo (random)"), position=BUILD, turn_limit=4)
    told = all_of(screen)
    assert "leaves the game to an agent for good?" in told
    assert session.match.seats[0] == "Ada (resigned, steward)"
    assert session.people == []


def test_agents_alone_play_to_the_end(tmp_path: Path) -> None:
    screen = Script(["", "", "", "", "", "", "no"])
    session = session_of(tmp_path, screen, ("Ada (random)", "Bo (random)"), turn_limit=2)
    assert session.run() is False
    assert session.match.over is not None
    (record,) = tmp_path.glob("king-*.record")
    assert read_record(record).seats == ("Ada (random)", "Bo (random)")
    assert any("the limit of turns" in line for lines in screen.shown for line in lines)


def test_saved_and_loaded_the_same_people_play(tmp_path: Path) -> None:
    saved = tmp_path / "a.record"
    first, _ = play(tmp_path, "fort f1", f"save {saved}", position=BUILD)
    second, _ = play(tmp_path, f"load {saved}", seats=("Cy", "Di (random)"))
    assert second.match.seats == ("Ada", "Bo (random)")
    assert second.people == [0]
    assert second.match.position() == first.match.position()


def test_real_tiles_are_typed_by_who_may_see_them(tmp_path: Path) -> None:
    answers = ["", "34", "22", *["any"] * 13, "", "any"]
    session, screen = play(tmp_path, *answers, seats=("Ada", "Bo"), typed=True)
    told = ["\n".join(lines) for lines in screen.shown]
    assert any("rolls 2 dice (gold to begin with)" in text for text in told)
    assert any("draws a tile of the playing deck: type its name" in text for text in told)
    assert [entry.notation for entry in session.match.entries[:2]] == ["dice 3 4", "dice 2 2"]


def test_a_typo_in_a_tile_is_told_and_taken_back(tmp_path: Path) -> None:
    table = position(player("forest-1"), player("swamp-1"), phase=3, frames=part(3, ["draw", 0, 2], ["purchase", 0]))
    session, screen = play(tmp_path, "dwarfs", "dwarves", "elves r3", "undo", "vultures", position=table, typed=True)
    told = all_of(screen)
    assert "'dwarfs' is not a tile of the playing deck" in told
    assert "'dwarves' can be: dwarves-r3, dwarves-3" in told
    assert [entry.notation for entry in session.match.entries] == ["tile vultures-f1"]


def test_the_help_fits() -> None:
    from muniment.terminal.king import session as module

    assert all(len(line) <= 80 for line in module._HELP)
    assert King.facts.hidden_information


def test_a_record_of_another_game_is_not_loaded(tmp_path: Path) -> None:
    other = tmp_path / "siege.record"
    save_record(Match(Siege(), ["Ada"]), other)
    session, screen = play(tmp_path, f"load {other}", "mine", position=BUILD)
    assert "a game of 9 Card Siege; muniment play siege can load it" in all_of(screen)
    assert session.match.game.facts.name == "king"


def test_a_player_called_like_a_word_does_not_stand_in_its_way(tmp_path: Path) -> None:
    table = position(player("forest-1", hand="elves-r3"), player("swamp-1"), phase=3, frames=part(3, ["muster", 0]))
    session, _ = play(tmp_path, "done", seats=("Done", "Quit (random)"), position=table)
    assert session.match.entries[0].notation == "done"


def test_behind_the_curtain_too_it_is_told_that_the_game_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, text: str) -> None:
        raise MunimentError(f"{path}: cannot be written: No space left on device")

    monkeypatch.setattr("muniment.terminal.journal.write_whole", full)
    screen = Script(["", "done", "", "log"])
    session = session_of(tmp_path, screen, ("Ada", "Bo"))
    with pytest.raises(MunimentError, match="No space left"):
        session.run()
    boards = [" ".join(lines) for lines in screen.shown if any("your army?" in line for line in lines)]
    assert len(boards) > 1
    assert all("The game is NOT kept" in board for board in boards)
