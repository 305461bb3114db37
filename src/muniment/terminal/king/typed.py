"""Real dice and tiles: what a person is asked to roll or draw, and what was typed (``--dice mine``)."""

from __future__ import annotations

from typing import Final

from muniment.core.errors import MunimentError
from muniment.games.king.actions import KingOutcome
from muniment.games.king.combat import stage_dice
from muniment.games.king.prospects import battle_forts
from muniment.games.king.steps import CHANCES, ROLLS
from muniment.games.king.views import KingView
from muniment.terminal.king.names import Names, land_words, plain
from muniment.terminal.king.warboard import dice_words

__all__ = ["dice_wanted", "read_outcome", "wanted"]

_LAND_DRAWS: Final = ("start-land", "land-tile")


def _volley(view: KingView, side: int) -> tuple[tuple[int, int], ...]:
    b = view.battle
    assert b is not None
    fighters, foes = (b.defenders, b.attackers) if side else (b.attackers, b.defenders)
    seat = b.defender if side else b.attacker
    terms = view.box.terms[view.box.land_terrain[view.box.land_named[b.land]]]
    return stage_dice(fighters, foes, b.stage, terms, view.dispelled == seat, battle_forts(view) if side else None)


def dice_wanted(view: KingView) -> int:
    """How many dice are to be rolled; 0 if a tile is to be drawn."""
    f = view.frames[-1]
    if f.kind == "roll":
        return int(f.data[1])
    if f.kind == "volley-dice":
        return sum(number for number, _ in _volley(view, int(f.data[0])))
    return 0


def wanted(view: KingView, names: Names) -> str:
    """What is to be rolled or drawn, by whom and for what."""
    f = view.frames[-1]
    who = names.player(f.seat) if f.seat >= 0 else names.player(view.acting)
    if f.kind == "roll":
        number = int(f.data[1])
        what = ROLLS[str(f.data[0])].what
        dice = "a die" if number == 1 else f"{number} dice"
        for_land = f" for {land_words(view.box.land_slug[int(f.data[2])])}" if f.data[0] == "disaster-dice" else ""
        return (
            f"{who} rolls {dice} ({what}{for_land}): type what {'it shows' if number == 1 else 'they show, in order'}"
        )
    if f.kind == "volley-dice":
        return f"{who} rolls {dice_words(_volley(view, int(f.data[0])))}: type them in this order, as 6 3 1 or 631"
    drawing = CHANCES[f.kind]
    return f"{who} draws {drawing.what}: type its name; any lets the program draw"


def read_outcome(view: KingView, names: Names, text: str) -> KingOutcome:
    """The outcome that was typed. Raises MunimentError if it is none."""
    number = dice_wanted(view)
    if number:
        digits = text.casefold().removeprefix("dice").replace(",", " ").replace(" ", "")
        if len(digits) != number or any(digit not in "123456" for digit in digits):
            raise MunimentError(f"{text!r} is not {number} {'number' if number == 1 else 'numbers'} from 1 to 6")
        return KingOutcome("dice", tuple(map(int, digits)))
    box, kind = view.box, view.frames[-1].kind
    first, end = (box.lands, box.size) if kind in _LAND_DRAWS else (0, box.lands if kind == "victim" else box.deck)
    name = plain(text.casefold().removeprefix("tile "))
    if kind in _LAND_DRAWS:
        name = name.removeprefix("land ")
    slugs = list(dict.fromkeys(box.slug[first:end]))
    exact = [slug for slug in slugs if name in (plain(slug), plain(names.tile(slug)))]
    found = exact or [
        slug for slug in slugs if name and any(x.startswith(name) for x in (plain(slug), plain(names.tile(slug))))
    ]
    if not found:
        raise MunimentError(f"{text!r} is not {CHANCES[kind].what}")
    if len(found) > 1:
        raise MunimentError(f"{text!r} can be: {', '.join(found[:8])}{' …' * (len(found) > 8)}")
    return KingOutcome("tile", (found[0],))
