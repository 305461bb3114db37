"""Why not: what a decision of King of the Tabletop does not offer now. The reasons are the engine's.

Here is only which questions are worth asking, from what the seat sees; the service answers them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from muniment.core.refusal import Refusal
from muniment.core.words import capital, listed
from muniment.games.king.actions import KingAction
from muniment.games.king.state import ARMY, HAND
from muniment.games.king.tiles import CHARACTER, FORT_NAMES, MINE, SETTLEMENT, SPECIAL
from muniment.games.king.views import KingView
from muniment.tables.values import Choice
from muniment.web.boards.king import face_of, land_name
from muniment.web.king_texts import named

__all__ = ["WhyNot", "questions", "why_not"]

_VAGUE: Final = frozenset({"not-now", "not-possible", "not-asked", "out-of-order", "dice-first", "not-in-hand"})
_MOST: Final = 100
_ITEMS: Final = ("mist", "golem", "dispell", "wall", "dust", "talisman", "charm")
_DEEDS: Final = {
    "muster": "Muster {}",
    "seek": "Try for {}",
    "fort": "Build on {}",
    "improve": "Build on {}",
    "buy": "Buy the land",
    "attack": "Attack {}",
    "trade": "Trade with {}",
    "send": "Send {}",
    "commit": "Fight with {}",
}


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Things that cannot be done, for one reason. what, reason: in words."""

    what: str
    reason: str
    rule: str


def questions(view: KingView, choices: Sequence[Choice]) -> list[str]:
    """The actions, in notation, of the kinds of the decision at hand that the seat is not offered."""
    if not view.awaited.you or view.over is not None:
        return []
    ask = _QUESTIONS.get(view.awaited.kind)
    offered = {choice.notation for choice in choices}
    words = {notation.partition(" ")[0] for notation in offered}
    found = dict.fromkeys(ask(view, words) if ask is not None else ())
    return [notation for notation in found if notation not in offered][:_MOST]


def why_not(view: KingView, refused: Iterable[tuple[Choice, Refusal]], names: Sequence[str]) -> tuple[WhyNot, ...]:
    """What is refused, together where the reason is the same; what only says that it is refused is left out."""
    groups: dict[tuple[str, str, Refusal], list[str]] = {}
    for choice, refusal in refused:
        action = choice.action
        if refusal.code in _VAGUE or not isinstance(action, KingAction):
            continue
        thing = str(action.args[0]) if action.word == "place" else ""
        groups.setdefault((action.word, thing, refusal), []).append(_thing(view, choice, action, names))
    return tuple(
        WhyNot(_deed(view, word, thing, things), f"{capital(refusal.sentence).rstrip('.')}.", refusal.rule)
        for (word, thing, refusal), things in groups.items()
    )


def _deed(view: KingView, word: str, thing: str, things: list[str]) -> str:
    if word == "place":
        return f"Place {face_of(view.box.edition, thing).name} on {listed(things)}"
    if word == "purchase":
        return f"Buy {listed(things, 'or')} tiles" if things != ["1"] else "Buy 1 tile"
    counted = [f"{number} {name}" if number > 1 else name for name, number in Counter(things).items()]
    return _DEEDS[word].format(listed(counted, "or")) if word in _DEEDS else listed(counted, "or").rstrip(".")


def _thing(view: KingView, choice: Choice, action: KingAction, names: Sequence[str]) -> str:
    """What the action is about, in a word or two; all of it where it is of no common kind."""
    if action.word == "purchase" and action.args:
        return str(action.args[0])
    if action.word not in _DEEDS and action.word != "place":
        return named(choice.sentence, names)
    last = action.args[-1] if action.args else ""
    if isinstance(last, int):
        return names[last]
    if last in view.box.edition.by_slug:
        return face_of(view.box.edition, last).name
    return land_name(last) if last else ""


# -- what to ask at each decision, from the view and the words of what is offered

_Asking = Callable[[KingView, set[str]], Iterable[str]]


def _muster(view: KingView, _words: set[str]) -> Iterable[str]:
    edition = view.box.edition
    return [f"muster {t}" for t in _own(view, HAND) if edition.kinds[edition.by_slug[t]].sort == CHARACTER]


def _seek(view: KingView, _words: set[str]) -> Iterable[str]:
    return [f"seek {kind.slug}" for kind in view.box.edition.kinds if kind.sort == SPECIAL]


def _build(view: KingView, _words: set[str]) -> Iterable[str]:
    lands = [land.land for land in view.lands[view.seat]]
    edition = view.box.edition
    forts = [f"fort {land.land}" for land in view.lands[view.seat] if land.fort < len(FORT_NAMES) - 1]
    placed = [t for t in _own(view, HAND) if edition.kinds[edition.by_slug[t]].sort in (SETTLEMENT, MINE)]
    return [*forts, *[f"place {tile} {land}" for tile in dict.fromkeys(placed) for land in lands]]


def _workers(view: KingView, _words: set[str]) -> Iterable[str]:
    return [f"improve {land.land}" for land in view.lands[view.seat]]


def _bid(view: KingView, words: set[str]) -> Iterable[str]:
    return [] if "bid" in words else [f"bid {int(view.frames[-1].data[2]) + 1}"]


def _purchase(_view: KingView, _words: set[str]) -> Iterable[str]:
    return [f"purchase {number}" for number in range(1, 5)]


def _war(view: KingView, _words: set[str]) -> Iterable[str]:
    others = [seat for seat in range(view.seats) if seat != view.seat and not view.out >> seat & 1]
    words = ("attack", "trade") if view.box.trading else ("attack",)
    return [f"{word} {seat}" for word in words for seat in others]


def _send(view: KingView, _words: set[str]) -> Iterable[str]:
    return ["done", *[f"send {tile}" for tile in _own(view, ARMY)]]


def _commit(view: KingView, _words: set[str]) -> Iterable[str]:
    return [f"commit {tile}" for tile in _own(view, ARMY)]


def _deal(_view: KingView, _words: set[str]) -> Iterable[str]:
    return ["accept", "counter"]


def _stop(view: KingView, words: set[str]) -> Iterable[str]:
    """The magic in one's hand that cannot be used at this moment."""
    box, hand = view.box, view.hand
    lands = view.lands[view.seat]
    other = next((seat for seat in range(view.seats) if seat != view.seat and not view.out >> seat & 1), 0)
    aims = {
        "golem": f" {view.seat}", "dispell": f" {other}", "wall": f" {lands[0].land}" if lands else "",
        "dust": " fight", "charm": " +1 1",
    }  # fmt: skip
    for word in _ITEMS:
        tile = int(getattr(box, word))
        if word not in words and tile >= 0 and box.slug[tile] in hand and (word != "wall" or lands):
            yield f"{word}{aims.get(word, '')}"


def _own(view: KingView, zone: int) -> list[str]:
    return [tile.tile for tile in view.tiles if tile.zone == zone | view.seat]


_QUESTIONS: Final[dict[str, _Asking]] = {
    "muster": _muster,
    "special": _seek,
    "build": _build,
    "workers": _workers,
    "for-sale": lambda _view, _words: ["buy"],
    "bid": _bid,
    "purchase": _purchase,
    "war": _war,
    "send": _send,
    "commit": _commit,
    "deal": _deal,
    "stop": _stop,
}
