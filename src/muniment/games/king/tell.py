"""Actions, events and stops in words for people.

In the templates ``{tiles:tile}`` is a number with its noun, ``{item:the}`` and ``{tile:a}`` are names with an article.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from muniment.core.events import Event
from muniment.core.words import capital, listed, signed
from muniment.games.king.actions import FIGHT, KingAction
from muniment.games.king.steps import ROLLS
from muniment.games.king.tiles import FORT_NAMES, KingEdition
from muniment.games.king.views import KingView

__all__ = ["STOP_WORDS", "charm_effect", "sentence", "tell"]

STOP_WORDS: Final[Mapping[str, str]] = {
    "paid": "the attack is paid for",
    "initiative": "initiative is decided",
    "lined": "both armies are lined up",
    "battle": "a battle is about to begin",
    "revealed": "the battle's tiles are revealed",
    "stages": "the ranged stage is over",
    "dead": "the war's dead are counted",
    "answer": "magic has just been played",
    "fight": "the fight for the land is about to begin",
    "fight-revealed": "the tiles of the fight are revealed",
    "fight-stages": "the ranged stage of the fight is over",
}
"""What has just happened, or is about to, at each of the stops for magic (K10)."""

_ACTIONS: Final = {
    "done": "That is all",
    "pass": "Pass",
    "cash": "Cash in {0:the}",
    "give": "Give {0:the} to player {1}",
    "arm": "Put {0:the} into the army",
    "dispell": "Read the scroll and dispell the magic of player {0}",
    "mist": "Read the scroll and call up the mist",
    "golem": "Call the golem into the army of player {0}",
    "dust": "Blow the dust of defense at the attackers {0}",
    "wall": "Raise a wall of fire in {0}",
    "talisman": "Use the talisman of deliverance",
    "charm": "Use the lucky charm: {0} at {1}",
    "muster": "Muster {0}",
    "seek": "Try for {0}",
    "fort": "Build a level of fortification in {0}",
    "place": "Place {0:the} on {1}",
    "improve": "Have the willing workers build in {0}",
    "buy": "Buy the land",
    "bid": "Bid {0} gold",
    "commit": "Commit {0} to the fight",
    "purchase": "Buy {0:tile}",
    "attack": "Attack player {0}",
    "peace": "Stay at home",
    "send": "Send {0}",
    "reserve": "Keep {0} in reserve",
    "add": "Add {0} to the initiative die",
    "run": "Run away",
    "stand": "Stand and fight",
    "line": "Line up {0} at {1}",
    "battle": "Fight the battle for {0}",
    "bear": "Give {0:the} to {1}",
    "idle": "Leave {0:the} idle",
    "shoot": "Let {0} shoot with the bow",
    "hold": "Let {0} fight hand to hand",
    "hit": "The hit falls on {0}",
    "revive": "Bring back {0}",
    "rob": "Send the Master Thief to player {0}",
    "kill": "Send Assassin Primus to player {0}",
    "trade": "Trade with player {0}",
    "give-gold": "Offer {0} gold",
    "give-land": "Offer {0}",
    "give-tile": "Offer {0}",
    "ask-gold": "Ask for {0} gold",
    "ask-land": "Ask for {0}",
    "ask-special": "Ask for {0}",
    "accept": "Accept",
    "decline": "Decline",
    "counter": "Make a counter-offer",
}
_ITEMS: Final = {
    "charm": "lucky charm", "mist": "mist", "golem": "golem", "dispell": "scroll of dispell magic",
    "wall": "wall of fire", "dust": "dust of defense", "talisman": "talisman of deliverance",
}  # fmt: skip
_STANDING: Final = {
    "default": "Ask me for the lucky charm where it could change a result that concerns me",
    "mine": "Ask me for the lucky charm in my battles only",
    "always": "Ask me for the lucky charm after every roll",
    "never": "Never ask me for the {0}",
    "ask": "Ask me for the {0} again",
}
_EVENTS: Final = {
    "turn": "Turn {number} begins; player {first} is first player.",
    "phase": "Phase {number}.",
    "roll": "Player {seat} rolls {dice} ({purpose}).",
    "first-player": "Player {seat} is first player.",
    "drawn": "Player {seat} draws a tile.",
    "tile": "You draw {tile}.",
    "land-drawn": "Player {seat} draws {tile} from the land deck.",
    "mustered": "Player {seat} puts {tiles:tile} into the army.",
    "mustering": "Into your army: {tiles}.",
    "homeless-tiles": "Without a home: {tiles} of player {seat}.",
    "homeless": "{tiles:character} of player {seat} must leave the army, without land to live in.",
    "income": "Player {seat} collects {gold} gold and has {prestige} prestige.",
    "special-try": "Player {seat} tries for {tile}.",
    "fort": "Player {seat} has {level:a} in {land}.",
    "placed": "Player {seat} places {tile:a} on {land}.",
    "event": "Player {seat}: {event}.",
    "gold": "Player {seat} gets {gold} gold.",
    "struck": "{land} of player {seat} is struck.",
    "improvement-lost": "{land} loses its {tile}.",
    "land-lost": "Player {seat} loses {land}, which returns to the land deck.",
    "plague": "The black plague comes to player {seat}.",
    "died": "Player {seat} loses {tile} to the sickness.",
    "land-won": "Player {seat} gains {land}.",
    "land-returns": "{land} returns to the land deck.",
    "bid": "Player {seat} bids {gold} gold.",
    "passed": "Player {seat} passes.",
    "sold": "Player {seat} pays {gold} gold for {land}.",
    "owner-drawn": "You draw {tile} as an owner.",
    "owner-returns": "{tile} is no owner and returns to the deck.",
    "owners": "The land has {characters:owner}; player {seat} plays {tiles:tile} for it.",
    "declined": "Player {seat} does not fight.",
    "fight": "Player {seat} fights for {land} with {tiles:tile}.",
    "purchase": "Player {seat} buys {tiles:tile} for {gold} gold.",
    "treasure": "Player {seat} cashes in {tile:the} for {gold} gold.",
    "gift": "Player {seat} gives {tile:the} to player {to}.",
    "armed": "Player {seat} puts a sword or bow into the army.",
    "arms": "You put {tile:the} into the army.",
    "magic": "Player {seat} plays {item:the}{where}.",
    "fizzled": "The magic of player {seat} is dispelled and has no effect.",
    "war": "Player {seat} sends {tiles:tile} against player {target} for {gold} gold.",
    "reserves": "Player {seat} keeps in reserve: {tiles}.",
    "initiative": "Player {seat} has the initiative.",
    "ran": "Player {seat} runs away.",
    "lined-up": "Player {seat} lines up {places}.",
    "revealed": "The battle for {land}: {attackers} against {defenders}, forts {forts}.",
    "bears": "Player {seat} gives {item:the} to {bearer}.",
    "shoots": "Player {seat} lets {bearer} shoot with the bow.",
    "siege": "The masters of siege score {hits:hit} on the forts.",
    "volley": "Player {seat} rolls {dice}.",
    "hits": "Player {seat} scores {hits:hit}{forts}.",
    "losses": "Player {seat} loses {tiles}.",
    "battle-over": "The battle for {land} is over.",
    "structure-lost": "The {what} of {land} is destroyed.",
    "captured": "Player {seat} captures {land}.",
    "revived": "Player {seat} brings back {tiles}.",
    "war-over": "The war of player {seat} is over.",
    "deed": "{deed} whom player {seat} sent to player {victim} {result}.",
    "stolen": "The Master Thief of player {seat} steals {gold} gold from player {victim}.",
    "murdered": "Assassin Primus kills {tile} of player {seat}.",
    "trade": "Player {seat} wishes to trade with player {partner}.",
    "withdrawn": "Player {seat} withdraws.",
    "offer": "Player {seat} offers {given} for {wanted}.",
    "deal": "Player {seat} {answer} the offer of player {partner}.",
    "out": "Player {seat} has no land left and is out of the game.",
    "over": "The game is over: {ending}.",
}
_NUMBERED: Final = ("seat", "first", "to", "target", "victim", "partner")
_DEEDS: Final = {"specials.master-thief": "The Master Thief", "specials.assassin-primus": "Assassin Primus"}
_RESULTS: Final = {"killed": "is killed", "escaped": "escapes", "failed": "fails"}
_ANSWERS: Final = {"accept": "accepts", "decline": "declines", "counter": "counters"}
_ENDINGS: Final = {
    "king": "{} is King of the Tabletop",
    "last": "only {} has land left",
    "nobody": "nobody has land left",
    "turn-limit": "the last turn has been played, and {} won",
}


class _Count(int):
    """A number that can be written with its noun: "no tiles", "1 tile", "2 tiles"."""

    def __format__(self, noun: str) -> str:
        if not noun:
            return str(int(self))
        return f"{int(self) or 'no'} {noun}{'s' * (self != 1)}"


class _Name(str):
    """A name that can be written with an article; one that has its own, "The Mist", keeps it."""

    __slots__ = ()

    def __format__(self, article: str) -> str:
        if article == "the":
            return str(self) if self.startswith("The ") else f"the {self}"
        if article == "a":
            return f"{'an' if self[:1] in 'AEIOUaeiou' else 'a'} {self}"
        return str(self)


def _named(edition: KingEdition, value: object) -> str:
    """A slug, fighter or land for people; anything else as it is."""
    if isinstance(value, tuple):
        return ", ".join(_named(edition, x) for x in value) or "nothing"
    if isinstance(value, str):
        base = value.partition("+")[0].partition("@")[0].partition("!")[0]
        if base in edition.by_slug:
            gear = listed(name for name in ("sword", "bow") if f"+{name}" in value)
            return _Name(edition.kinds[edition.by_slug[base]].label + (f" with {gear}" if gear else ""))
        if value in edition.land_by_slug:
            terrain, _, number = value.rpartition("-")
            return f"{terrain.capitalize()} {number}"
        return _Name(value.replace("-", " "))
    return str(value)


def sentence(edition: KingEdition, action: KingAction) -> str:
    """The action in a sentence. A charm's number is the die's in its roll, in a battle what the dice hit on."""
    word, args = action
    if word == "standing":
        return _STANDING[str(args[1])].format(_ITEMS[str(args[0])])
    if word == "charm":
        return _ACTIONS[word].format(signed(int(args[0])), args[1])
    if word == "dust":
        return _ACTIONS[word].format("in the fight" if args[0] == FIGHT else f"of {_named(edition, args[0])}")
    seats = word in ("dispell", "golem", "attack", "rob", "kill", "trade")
    words = [
        str(int(arg) + 1)
        if seats or (word == "give" and at == 1)
        else _Count(arg)
        if isinstance(arg, int)
        else _named(edition, arg)
        for at, arg in enumerate(args)
    ]
    return _ACTIONS[word].format(*words)


def charm_effect(view: KingView, action: KingAction) -> str:
    """What a use of the lucky charm does to the roll that the view shows (K42)."""
    sign, die = int(action.args[0]), int(action.args[1])
    if view.frames[-2].kind == "volley":
        what = "a miss by one hits" if sign > 0 else "an exact hit misses"
        return f"{what} (dice that hit on {die}+)"
    shown = view.roll[die - 1]
    return f"die {die}: {shown} becomes {shown + sign}"


def _players(seats: Iterable[object]) -> str:
    return listed(f"player {int(str(seat)) + 1}" for seat in seats)


def _many(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


def _target(edition: KingEdition, event: Event) -> str:
    """What an item is played on: a die, a player, a land, or nothing in particular (K42 to K47)."""
    facts = dict(event.facts)
    if "change" in facts:
        return f": {signed(int(str(facts['change'])))} at {facts['die']}"
    for on in _many(facts.get("on", ())):
        if isinstance(on, int):
            return f" on player {on + 1}"
        return " in the fight" if on == FIGHT else f" on {_named(edition, on)}"
    return ""


def _side(edition: KingEdition, event: Event, gold: str, *others: str) -> str:
    """One side of an offer (K53)."""
    parts = [f"{event[gold]} gold"] if event[gold] else []
    return ", ".join([*parts, *[_named(edition, thing) for other in others for thing in _many(event[other])]]) or (
        "nothing"
    )


def _told(edition: KingEdition, event: Event) -> dict[str, str]:
    """Words that are made of several facts of an event."""
    kind = event.kind
    if kind == "magic":
        return {"where": _target(edition, event)}
    if kind == "hits":
        return {"forts": f", {event['absorbed']} of them absorbed by forts" if event["absorbed"] else ""}
    if kind == "lined-up":
        pairs = zip(_many(event["tiles"]), _many(event["lands"]), strict=True)
        return {"places": ", ".join(f"{number} at {_named(edition, land)}" for number, land in pairs) or "nobody"}
    if kind == "offer":
        given = _side(edition, event, "gold", "lands", "tiles")
        return {"given": given, "wanted": _side(edition, event, "asked", "asked_lands", "asked_specials")}
    if kind == "deed":
        return {"deed": _DEEDS[event.rule], "result": _RESULTS[str(event["result"])]}
    if kind == "deal":
        return {"answer": _ANSWERS[str(event["answer"])]}
    if kind == "over":
        return {"ending": _ENDINGS[str(event["reason"])].format(_players(_many(event["winners"])))}
    return {"purpose": ROLLS[str(event["purpose"])].what} if kind == "roll" else {}


def tell(edition: KingEdition, event: Event) -> str:
    """The event in a sentence. Seats are counted from 1."""
    words: dict[str, object] = {}
    for name, value in event.facts:
        if name in _NUMBERED:
            words[name] = str(int(value) + 1) if isinstance(value, int) else str(value)
        elif name == "level" and isinstance(value, int):
            words[name] = _Name(FORT_NAMES[value])
        else:
            words[name] = _Count(value) if isinstance(value, int) else _named(edition, value)
    text = _EVENTS[event.kind].format(**{**words, **_told(edition, event)})
    if event.kind == "special-try":
        return text + (" He comes." if event["won"] else " In vain.")
    if event.kind == "battle-over" and event["captured"]:
        return text + " The land falls."
    return capital(text)
