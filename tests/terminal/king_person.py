"""Sessions of King of the Tabletop for tests: a crowded table, a person who types at random, a scripted one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from muniment.core.dice import RandomStream, seed_from_text
from muniment.core.game import Chance
from muniment.core.match import Match
from muniment.games.king import King, KingOptions
from muniment.games.king.tiles import read_edition
from muniment.terminal.journal import Journal
from muniment.terminal.king.choices import extras_of
from muniment.terminal.king.drafts import LineDraft
from muniment.terminal.king.names import land_code
from muniment.terminal.king.offers import OfferDraft
from muniment.terminal.king.session import KingSession
from tests.terminal.conftest import Script

TERRAINS = ("desert", "forest", "mountain", "plains", "swamp")
LOOKS = (
    "lands", "table", "mine", "bank", "war", "odds", "also", "more", "choices", "news", "log", "help", "?", "? 1",
    "? 3", "undo", "Ada", "Bo", "f1", "? fort f1", "? K30", "? siege", "xyzzy", "clear", "none", "-1", "save",
)  # fmt: skip


def session_of(
    tmp_path: Path, screen: Script, seats: Sequence[str], *, seed: str = "1", typed: bool = False,
    position: Any = None, game: King | None = None, **options: object,
) -> KingSession:  # fmt: skip
    """A session of a new game."""
    game = game or King(options=KingOptions.read(options))
    state = None if position is None else game.state_from_json(position)
    match: Match[Any, Any, Any, Any] = Match(game, seats, seed=seed_from_text(seed), typed=typed, position=state)
    return KingSession(match, screen, Journal(tmp_path / "king.journal"))


class RandomPerson(Script):
    """Types what is offered, in numbers or words, and now and then something else; Enter at a curtain."""

    def __init__(self, seed: int, most: int) -> None:
        super().__init__()
        self.dice = random.Random(seed)
        self.left = most
        self.session: KingSession | None = None

    def ask(self, prompt: str, words: Sequence[str] = ()) -> str | None:
        self.left -= 1
        if self.left < 0:
            return None
        return "" if prompt == "" else self._typed()

    def page(self, lines: Sequence[Any], spare: int = 0) -> None:
        """Pages may be longer than the screen."""

    def _typed(self) -> str:
        session, dice = self.session, self.dice
        assert session is not None
        match = session.match
        if match.over:
            return "no"
        if dice.random() < 0.15:
            return dice.choice(LOOKS)
        if isinstance(match.pending, Chance):
            outcome = match.game.sample(match.state(), RandomStream(seed_from_text(str(self.left))))
            return " ".join(map(str, outcome.args))
        draft = session._current()
        if draft is None:
            extras = extras_of(session._view, match.legal_actions(session._seat))
            if extras and dice.random() < 0.2:
                return session.face.name(dice.choice(extras))
            choice = dice.choice(session._listed())
            return str(choice.number) if dice.random() < 0.5 else session.face.name(choice.action)
        if isinstance(draft, OfferDraft):
            give, ask = (land_code(lands[0]) for lands in draft.lands)
            return dice.choice(["done", "give 1", "ask 1", f"give {give}", f"ask {ask}; give 0"])
        if isinstance(draft, LineDraft):
            land = land_code(dice.choice(draft.lands))
            return dice.choice([f"rest {land}", f"{dice.randint(1, len(draft.items))} {land}", "done", "done"])
        return dice.choice(["done", "done", "all", "decline", str(dice.randint(1, len(draft.items)))])


def crowded_game() -> King:
    """An edition with lands and improvements enough for four players of twelve lands each."""
    text = files("muniment.games.king").joinpath("tiles.toml").read_text()
    text = text.replace("terrain = { desert = 8, forest = 8, mountain = 8, plains = 8, swamp = 8 }",
                        "terrain = { desert = 10, forest = 10, mountain = 10, plains = 10, swamp = 10 }")  # fmt: skip
    assert "desert = 10" in text
    with TemporaryDirectory() as folder:
        file = Path(folder) / "crowded.toml"
        file.write_text(text)
        return King(read_edition(file))


def crowded_position(game: King) -> dict[str, Any]:
    """Four players of twelve lands each with all that can stand on them, large hands and armies."""
    edition = game.edition
    lands = [f"{terrain}-{number}" for number in range(1, 11) for terrain in TERRAINS]
    forts = [level for level in (4, 3, 2, 1) for _ in range(edition.forts[level])]
    improvements = {"city": 5, "village": 9, "gold-mine": 1, "silver-mine": 2, "copper-mine": 2}
    mines = [slug for slug in ("gold-mine", "silver-mine", "copper-mine") for _ in range(improvements[slug])]
    towns = ["city"] * 5 + ["village"] * 9
    grans: set[int] = set()
    players: list[dict[str, Any]] = [{"gold": 123, "lands": [], "hand": [], "army": []} for _ in range(4)]
    for at, name in enumerate(lands[:48]):
        seat = at % 4
        land: dict[str, Any] = {"land": name}
        if forts:
            level = next((x for x in forts if x < 4 or seat not in grans), None)
            if level is not None:
                forts.remove(level)
                land["fort"] = level
                if level == 4:
                    grans.add(seat)
        if name.startswith("mountain") and mines:
            land["improvement"] = mines.pop()
        elif towns:
            land["improvement"] = towns.pop()
        players[seat]["lands"].append(land)
    for tile in range(edition.deck_size):
        kind = edition.tile[tile]
        if kind.sort == 0:
            players[tile % 4]["army" if tile % 3 else "hand"].append(kind.slug)
        elif kind.sort in (3, 4):
            players[tile % 4]["hand"].append(kind.slug)
    for number, tile in enumerate(range(edition.deck_size, edition.deck_size + 11)):
        players[number % 4]["army"].append(edition.tile[tile].slug)
    for player in players:
        terrains = {land["land"].rpartition("-")[0] for land in player["lands"]}
        assert terrains == set(TERRAINS)
    for player in players:  # nobody has won yet
        player["gold"] = 9
        for land in player["lands"]:
            if land.get("fort") == 4:
                land["fort"] = 0
                del land["fort"]
    return {"players": players, "turn": 12}
