"""What a decision asks, and the choices there are, each with what it costs or brings, in compact lists with pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from muniment.games.king.actions import KingAction
from muniment.games.king.build import LEVEL_COST
from muniment.games.king.prospects import land_prospects
from muniment.games.king.purchase import PRICES
from muniment.games.king.steps import ROLLS
from muniment.games.king.tell import STOP_WORDS, charm_effect
from muniment.games.king.tiles import FORT_NAMES
from muniment.games.king.views import KingView, LandView
from muniment.terminal.king.names import Names, improvement_name, land_words, standing_words
from muniment.terminal.screen import WIDTH, Line

__all__ = ["ANY_TIME", "Choice", "choices_of", "extras_of", "list_lines", "question"]

ANY_TIME: Final = frozenset({"cash", "give", "arm", "standing", "dispell", "mist", "golem", "dust", "wall", "talisman"})
_PIPS: Final = (0, 0, 36, 36, 35, 33, 30, 26, 21, 15, 10, 6, 3, 1)  # of 36, with two dice, at least


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice in the list. number: what may be typed for it."""

    number: int
    action: KingAction
    name: str
    note: str = ""


def _own_stop(view: KingView) -> bool:
    return view.awaited.kind == "stop" and view.awaited.you


def choices_of(view: KingView, names: Names, legal: Sequence[KingAction]) -> list[Choice]:
    """The choices that answer the decision, numbered; bids and purchases by their amount."""
    main = [a for a in legal if _own_stop(view) and a.word not in ("cash", "give", "arm", "standing")]
    main = main or [action for action in legal if action.word not in ANY_TIME]
    by_amount = view.awaited.kind in ("bid", "purchase")
    found: list[Choice] = []
    for at, action in enumerate(main, 1):
        number = at
        if by_amount:
            number = int(action.args[0]) if action.args else 0
        name = names.label(action).removeprefix("seek ")
        if action.word == "bear":
            name = names.tile(str(action.args[1]))
        elif action.word == "purchase":
            name = f"tile{'s' * (number != 1)}"
        found.append(Choice(number, action, name, note(view, action)))
    return found


def extras_of(view: KingView, legal: Sequence[KingAction]) -> list[KingAction]:
    """What may be done beside the decision: treasures, gifts, magic, standing answers (K9, K10)."""
    stop = _own_stop(view)
    return [a for a in legal if a.word in ANY_TIME and not (stop and a.word not in ("cash", "give", "arm", "standing"))]


# -- what a choice brings


def _land(view: KingView, action: KingAction) -> LandView | None:
    wanted = action.args[-1]
    return next((land for lands in view.lands for land in lands if land.land == wanted), None)


def _seek(view: KingView, action: KingAction) -> str:
    box = view.box
    need = 2 * box.value[box.tiles_named(str(action.args[0]))[0]] - view.prestige[view.seat] // 10
    chance = _PIPS[min(max(need, 2), 13)] if need <= 12 else 0
    return f"{max(need, 2)}+ {chance / 36:.0%}"


def _fort(view: KingView, action: KingAction) -> str:
    land = _land(view, action)
    return "" if land is None else f"{FORT_NAMES[land.fort + 1]}, {LEVEL_COST} gold"


def _improve(view: KingView, action: KingAction) -> str:
    land = _land(view, action)
    return "" if land is None else FORT_NAMES[land.fort + 1]


def _place(view: KingView, action: KingAction) -> str:
    land = _land(view, action)
    return f"replaces {improvement_name(view.box, land.improvement)}" if land is not None and land.improvement else ""


def _attack(view: KingView, action: KingAction) -> str:
    seat = int(action.args[0])
    return f"{len(view.lands[seat])} lands, army {view.army_sizes[seat]}, prestige {view.prestige[seat]}"


def _battle(view: KingView, action: KingAction) -> str:
    prospect = land_prospects(view).get(str(action.args[0]))
    return "" if prospect is None else prospect.text


def _add(view: KingView, action: KingAction) -> str:
    side, *dice = (int(d) for d in view.frames[-1].data)
    mine, other = dice[side] + (action.args[0] == "one"), dice[1 - side]
    return "roll again" if mine == other else "you line up first" if mine > other else "you line up second"


def _rob(view: KingView, action: KingAction) -> str:
    return f"{view.gold[int(action.args[0])]} gold"


def _kill(view: KingView, action: KingAction) -> str:
    return f"army {view.army_sizes[int(action.args[0])]}"


def _purchase(_: KingView, action: KingAction) -> str:
    number = int(action.args[0])
    return f"{PRICES[number]} gold" if number else ""


def _buy(view: KingView, _: KingAction) -> str:
    return f"{view.frames[-1].data[1]} gold"


def _wall(view: KingView, action: KingAction) -> str:
    land = _land(view, action)
    return "" if land is None else standing_words(view.box, land)


_NOTES: Final[Mapping[str, Callable[[KingView, KingAction], str]]] = {
    "seek": _seek, "fort": _fort, "improve": _improve, "place": _place, "attack": _attack, "battle": _battle,
    "add": _add, "charm": charm_effect, "rob": _rob, "kill": _kill, "purchase": _purchase, "buy": _buy, "wall": _wall,
}  # fmt: skip
_SIMPLE: Final = {
    "run": "home without fighting, the gold is lost", "stand": "fight", "shoot": "in the ranged stage",
    "hold": "fight hand to hand", "mist": "end the war", "peace": "stay at home",
}  # fmt: skip


def note(view: KingView, action: KingAction) -> str:
    """What a choice costs, brings or needs, in a few words."""
    found = _NOTES.get(action.word)
    return _SIMPLE.get(action.word, "") if found is None else found(view, action)


# -- the question


def question(view: KingView, names: Names) -> str:
    """What is asked, in a sentence."""
    f, kind = view.frames[-1], view.awaited.kind
    if kind in ("send", "reserve", "line", "hit", "revive", "commit", "deal", "bid", "for-sale", "bear", "battle"):
        return _asked_with_data(view, names, kind)
    if kind == "stop":
        war = f" ({names.player(view.war_side(0))} attacks {names.player(view.war_side(1))})" if view.war else ""
        return f"Magic? Now, when {STOP_WORDS[str(f.data[0])]}{war}: pass, or use it."
    if kind == "charm":
        return _charm_question(view, names)
    if kind == "muster":
        return "Which tiles of your hand enter your army?"
    if kind == "deed-choice":
        who = "Assassin Primus: whose army shall he visit?" if f.data[0] else "Master Thief: whom shall he rob?"
        return f"{who} Dice decide; he can be killed."
    if kind == "offer":
        return f"Your offer to {names.player(int(f.data[0]))}: what you give and what you ask; done makes it."
    return {
        "special": f"Try for a special character? Two dice, and {view.prestige[view.seat] // 10} for your prestige.",
        "build": f"Build? You have {view.gold[view.seat]} gold; a level of fort costs {LEVEL_COST}, one a land a turn.",
        "workers": "Willing workers build a level for nothing. Where?",
        "purchase": "Buy tiles of the playing deck? Then one more is free.",
        "war": "Attack, or stay at home? odds tells what may come of an attack.",
        "add": "Your army is the smaller one: add 1 to your die?",
        "run": "You lost the initiative: stand and fight, or run away?",
        "shoot": "Shall the bearer of the bow shoot in the ranged stage?",
    }.get(kind, kind)


def _asked_with_data(view: KingView, names: Names, kind: str) -> str:
    f = view.frames[-1]
    box = view.box
    if kind == "send":
        most = min(2 * view.gold[view.seat], view.army_sizes[view.seat])
        return f"Whom do you send against {names.player(int(f.data[0]))}? 1 gold for 2 tiles; you can pay for {most}."
    if kind == "reserve":
        return "Which flying or special characters stay in reserve, face up?"
    if kind == "line":
        foe = names.player(view.war_side(1))
        where = "your lands" if view.war_side(1) == view.seat else f"{foe}'s lands"
        return f"Line up: every tile at one of {where}."
    if kind == "hit":
        return "Your hits: who takes them?"
    if kind == "revive":
        return f"The talisman: bring back up to {f.data[0]} of your dead."
    if kind == "commit":
        land = box.land_slug[int(f.data[0])]
        return (
            f"Fight for {land_words(land)}? It has {view.owner_characters} owner"
            f"{'s' * (view.owner_characters != 1)}, played by {names.player(int(f.data[1]))}. Commit tiles, or decline."
        )
    if kind == "for-sale":
        land = land_words(box.land_slug[int(f.data[0])])
        return f"{land} is for sale at {f.data[1]} gold; you have {view.gold[view.seat]}."
    if kind == "bid":
        land, high, bidder = box.land_slug[int(f.data[1])], int(f.data[2]), int(f.data[3])
        told = f"highest {high} by {names.player(bidder)}" if bidder >= 0 else "no bid yet"
        return f"Auction of {land_words(land)}: {told}; you have {view.gold[view.seat]} gold."
    if kind == "bear":
        return f"Who bears the {names.tile(str(f.data[1]))}?"
    if kind == "battle":
        return "Which battle next? (chance to capture, expected losses: yours to theirs)"
    return _deal(view, names)


def _deal(view: KingView, names: Names) -> str:
    f, box = view.frames[-1], view.box
    one, gives, asks = names.player(int(f.data[0])), int(f.data[2]), int(f.data[3])
    given = [f"{gives} gold"] if gives else []
    asked = [f"{asks} gold"] if asks else []
    for code in f.data[4:]:
        what, _, slug = str(code).partition(" ")
        if slug:
            (given if what == "2" else asked).append(names.tile(slug))
        else:
            number = int(what) % 1000
            (given if int(what) // 1000 == 1 else asked).append(land_words(box.land_slug[number]))
    return f"{one} gives {', '.join(given) or 'nothing'} and asks {', '.join(asked) or 'nothing'}."


def _charm_question(view: KingView, names: Names) -> str:
    settling = view.frames[-2]
    roll = ROLLS[settling.kind]
    who = names.player(settling.seat)
    if settling.kind == "volley":
        parts = []
        for at in range(0, len(view.roll), 5):
            threshold, over, exact, near, far = view.roll[at : at + 5]
            parts.append(f"on {threshold}+: {over + exact} hit, {near} missed by one, {far} by more")
        return f"Lucky charm? {who} rolled combat dice: {'; '.join(parts)}."
    return f"Lucky charm? {who} rolled {' '.join(map(str, view.roll))} ({roll.what})."


# -- lists


def list_lines(choices: Sequence[Choice], room: int, page: int = 0) -> tuple[list[Line], int]:
    """The choices in columns, in at most ``room`` lines, and how many pages there are."""
    if not choices:
        return [], 1
    cells = [_cell(choice) for choice in choices]
    width = max(cell.cell_len for cell in cells) + 1
    columns = max(1, min(4, (WIDTH + 1) // width))
    if len(cells) <= min(room, 4):
        columns = 1
    rows = max(1, room)
    pages = 1
    if columns * rows < len(cells):
        rows = max(1, room - 1)
        pages = -(-len(cells) // (columns * rows))
    page %= pages
    shown = cells[page * columns * rows : (page + 1) * columns * rows]
    height = -(-len(shown) // columns)
    lines: list[Line] = []
    for row in range(height):
        line = Text()
        for at in range(row, len(shown), height):
            line.append(" " * ((at // height) * width - line.cell_len)).append_text(shown[at])
        line.truncate(WIDTH, overflow="ellipsis")
        lines.append(line)
    if pages > 1:
        lines.append(Text(f" page {page + 1} of {pages}: more shows the next", style="dim"))
    return lines, pages


def _cell(choice: Choice) -> Text:
    cell = Text(f"{choice.number:>3} ", style="bold cyan")
    cell.append(choice.name, style="not bold default")
    return cell.append(f" {choice.note}" if choice.note else "", style="dim")
