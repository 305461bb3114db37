"""Actions and events in sentences for people."""

from __future__ import annotations

from typing import Final

from muniment.core.events import Event
from muniment.games.king.actions import KingAction
from muniment.games.king.tiles import FORT_NAMES, KingEdition

__all__ = ["sentence", "tell"]

_ACTIONS: Final = {
    "done": "That is all",
    "pass": "Pass",
    "cash": "Cash in the {0}",
    "give": "Give the {0} to player {1}",
    "arm": "Put the {0} into the army",
    "dispell": "Read the scroll and dispell the magic of player {0}",
    "mist": "Read the scroll and call up the mist",
    "golem": "Call the golem into the army of player {0}",
    "dust": "Blow the dust of defense at the attackers of {0}",
    "wall": "Raise a wall of fire in {0}",
    "talisman": "Use the talisman of deliverance",
    "charm": "Use the lucky charm: {0} on {1}",
    "muster": "Muster {0}",
    "seek": "Try for the {0}",
    "fort": "Build a level of fortification in {0}",
    "place": "Place the {0} on {1}",
    "improve": "Have the willing workers build in {0}",
    "buy": "Buy the land",
    "bid": "Bid {0} gold",
    "commit": "Commit {0} to the fight",
    "purchase": "Buy {0} tiles",
    "attack": "Attack player {0}",
    "peace": "Stay at home",
    "send": "Send {0}",
    "reserve": "Keep {0} in reserve",
    "add": "Add {0} to the initiative die",
    "run": "Run away",
    "stand": "Stand and fight",
    "line": "Line up {0} at {1}",
    "battle": "Fight the battle for {0}",
    "bear": "Give the {0} to {1}",
    "idle": "Leave the {0} idle",
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
    "mustered": "Player {seat} puts {tiles} tiles into the army.",
    "mustering": "Into your army: {tiles}.",
    "homeless-tiles": "Without a home: {tiles} of player {seat}.",
    "homeless": "{tiles} characters of player {seat} have no home any more and leave the army.",
    "income": "Player {seat} collects {gold} gold and has {prestige} prestige.",
    "special-try": "Player {seat} tries for the {tile}.",
    "fort": "Player {seat} has a {level} in {land}.",
    "placed": "Player {seat} places a {tile} on {land}.",
    "event": "Player {seat}: {event}.",
    "gold": "Player {seat} gets {gold} gold.",
    "struck": "{land} of player {seat} is struck.",
    "improvement-lost": "{land} loses its {tile}.",
    "land-lost": "Player {seat} loses {land}, which returns to the land deck.",
    "plague": "The black plague comes to player {seat}.",
    "died": "{tile} of player {seat} dies.",
    "land-won": "Player {seat} gains {land}.",
    "land-returns": "{land} returns to the land deck.",
    "bid": "Player {seat} bids {gold} gold.",
    "passed": "Player {seat} passes.",
    "sold": "Player {seat} pays {gold} gold for {land}.",
    "owner-drawn": "You draw {tile} as an owner.",
    "owner-returns": "{tile} is no owner and returns to the deck.",
    "owners": "{characters} characters own the land; player {seat} holds {tiles} tiles for them.",
    "declined": "Player {seat} does not fight.",
    "fight": "Player {seat} fights for {land} with {tiles} tiles.",
    "purchase": "Player {seat} buys {tiles} tiles for {gold} gold.",
    "treasure": "Player {seat} cashes in the {tile} for {gold} gold.",
    "gift": "Player {seat} gives the {tile} to player {to}.",
    "armed": "Player {seat} puts a sword or bow into the army.",
    "arms": "You put the {tile} into the army.",
    "magic": "Player {seat} plays the {item}.",
    "fizzled": "The magic of player {seat} is dispelled and has no effect.",
    "war": "Player {seat} sends {tiles} tiles against player {target} for {gold} gold.",
    "reserves": "Player {seat} keeps in reserve: {tiles}.",
    "initiative": "Player {seat} has the initiative.",
    "ran": "Player {seat} runs away.",
    "lined-up": "Player {seat} lines up at {lands} ({tiles} tiles).",
    "revealed": "The battle for {land}: {attackers} against {defenders}, forts {forts}.",
    "bears": "{bearer} bears the {item}.",
    "shoots": "{bearer} shoots with the bow.",
    "siege": "The masters of siege score {hits} hits on the forts.",
    "volley": "Player {seat} rolls {dice}.",
    "hits": "Player {seat} scores {hits} hits, {absorbed} absorbed by forts.",
    "losses": "Player {seat} loses {tiles}.",
    "battle-over": "The battle for {land} is over.",
    "structure-lost": "The {what} of {land} is destroyed.",
    "captured": "Player {seat} captures {land}.",
    "revived": "Player {seat} brings back {tiles}.",
    "war-over": "The war of player {seat} is over.",
    "deed": "Thief or assassin of player {seat} against player {victim}: {result}.",
    "stolen": "The Master Thief of player {seat} steals {gold} gold from player {victim}.",
    "murdered": "Assassin Primus kills {tile} of player {seat}.",
    "trade": "Player {seat} wishes to trade with player {partner}.",
    "withdrawn": "Player {seat} withdraws.",
    "offer": "Player {seat} gives {gold} gold, {lands}, {tiles}; asks {asked} gold, {asked_lands}, {asked_specials}.",
    "deal": "Player {seat} answers player {partner}: {answer}.",
    "out": "Player {seat} has no land left and is out of the game.",
    "over": "The game is over ({reason}): {winners}.",
}
_NUMBERED: Final = ("seat", "first", "to", "target", "victim", "partner")


def _named(edition: KingEdition, value: object) -> str:
    """A slug, fighter or land for people; anything else as it is. Seats are counted from 1."""
    if isinstance(value, tuple):
        return ", ".join(_named(edition, x) for x in value) or "nothing"
    if isinstance(value, str):
        base = value.partition("+")[0].partition("@")[0].partition("!")[0]
        if base in edition.by_slug:
            gear = " with sword" * ("+sword" in value) + " with bow" * ("+bow" in value)
            return edition.kinds[edition.by_slug[base]].label + gear
        if value in edition.land_by_slug:
            terrain, _, number = value.rpartition("-")
            return f"{terrain.capitalize()} {number}"
        return value.replace("-", " ")
    return str(value)


def sentence(edition: KingEdition, action: KingAction) -> str:
    """The action in a sentence."""
    if action.word == "standing":
        return _STANDING[str(action.args[1])].format(str(action.args[0]))
    seats = action.word in ("dispell", "golem", "attack", "rob", "kill", "trade")
    words = [
        str(int(arg) + 1) if seats or (action.word == "give" and at == 1) else _named(edition, arg)
        for at, arg in enumerate(action.args)
    ]
    return _ACTIONS[action.word].format(*words)


def tell(edition: KingEdition, event: Event) -> str:
    """The event in a sentence."""
    words: dict[str, str] = {}
    for name, value in event.facts:
        if name in _NUMBERED:
            words[name] = str(int(value) + 1) if isinstance(value, int) else str(value)
        elif name == "level" and isinstance(value, int):
            words[name] = FORT_NAMES[value]
        elif name == "winners" and isinstance(value, tuple):
            words[name] = ", ".join(f"player {int(x) + 1}" for x in value)
        else:
            words[name] = _named(edition, value)
    text = _EVENTS[event.kind].format(**words)
    if event.kind == "special-try":
        return text + (" He comes." if event["won"] else " In vain.")
    if event.kind == "battle-over" and event["captured"]:
        return text + " The land falls."
    return text[0].upper() + text[1:]
