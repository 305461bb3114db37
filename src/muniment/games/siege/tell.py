"""Events of 9 Card Siege in sentences for people."""

from __future__ import annotations

from muniment.core.events import Event
from muniment.games.siege.actions import parse_action
from muniment.games.siege.endings import ENDINGS, WON

__all__ = ["tell"]


def tell(event: Event) -> str:
    """The event in a sentence. Raises KeyError for an event the game does not have."""
    facts = dict(event.facts)
    match event.kind:
        case "card":
            return f"Day {facts['day']}, card {facts['number']}: {facts['title']}."
        case "die":
            return f"The die shows {facts['face']}."
        case "action":
            return f"{parse_action(str(facts['action'])).sentence}."
        case "judged":
            return f"A total of {facts['total']}: {'success' if facts['success'] else 'no success'}."
        case "status":
            name, change, now = str(facts["track"]), int(str(facts["change"])), facts["now"]
            if change == 0:
                return f"{name.capitalize()}: full at {now}."
            return f"{name.capitalize()} {_verb(name, 'rise' if change > 0 else 'fall')} by {abs(change)} to {now}."
        case "status-ignored":
            name = str(facts["track"])
            return f"{name.capitalize()} {_verb(name, 'stay')} on 0."
        case "trebuchets-fire":
            count = int(str(facts["count"]))
            return "No trebuchet is left to fire." if not count else f"The trebuchets fire: {count}."
        case "trebuchet-missed":
            return "The trebuchet misses the wall."
        case "trebuchets":
            return f"Trebuchets: {facts['now']}."
        case "removed":
            return f"The {facts['unit']} {_verb(facts['unit'], 'collapse')} and must leave the game."
        case "not-removed":
            return f"The {facts['unit']} {_verb(facts['unit'], 'stay')} in the game: not on the start."
        case "advance":
            return f"The {facts['unit']} {_verb(facts['unit'], 'advance')} to {facts['now']}."
        case "order-ignored":
            return f"The order to the {facts['unit']} has no effect."
        case "driven-back":
            return f"The {facts['unit']} {_verb(facts['unit'], 'fall')} back to {facts['now']}."
        case "soldiers":
            return f"Soldiers: {facts['now']}."
        case "raided":
            return f"The soldiers carry {facts['now']} raided suppl{'y' if facts['now'] == 1 else 'ies'}."
        case "captured":
            lost = int(str(facts["lost"]))
            return "The soldiers are captured" + (
                f" with {lost} raided suppl{'y' if lost == 1 else 'ies'}." if lost else "."
            )
        case "undetected":
            return "The soldiers in the enemy lines stay undetected."
        case "day-ends":
            return f"Day {facts['day']} ends."
        case "over":
            result = str(facts["result"])
            words = ENDINGS[result].words
            return f"{'Victory' if result == WON else 'Defeat'}: {words}."
    raise KeyError(event.kind)


def _verb(name: object, verb: str) -> str:
    """The verb as it goes with the name: ladders and supplies are many, all else is one."""
    return verb if name in ("ladders", "supplies") else f"{verb}s"
