"""The face of King of the Tabletop: which board is shown when, and the words for it, from the view alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.text import Text

from muniment.core.events import Event
from muniment.core.game import Action, Over
from muniment.core.odds import Odds
from muniment.games.king import King
from muniment.games.king.actions import FIGHT, KingAction, KingOutcome
from muniment.games.king.state import ARMY, DEAD, FIELD
from muniment.games.king.views import KingView
from muniment.terminal.face import Face, keep_together, wrap
from muniment.terminal.king.board import SEAT_STYLES, overview
from muniment.terminal.king.names import Names
from muniment.terminal.king.story import Story
from muniment.terminal.king.typed import read_outcome, wanted
from muniment.terminal.king.warboard import battle_board, in_battle, in_war, war_board
from muniment.terminal.screen import Line

__all__ = ["KingFace"]

_WAR_KINDS: Final = ("line", "battle", "stop", "charm", "reserve", "run", "add", "revive")
_ENDINGS: Final = {
    "king": "30 prestige points and a Gran Muniment: King of the Tabletop",
    "last": "the last player who holds land",
    "nobody": "nobody holds land any more",
    "turn-limit": "the limit of turns: the most prestige, then the most gold",
}


class KingFace(Face):
    """Draws King of the Tabletop. players: their names in seat order."""

    def __init__(self, game: King, players: Sequence[str]) -> None:
        self.game: King = game
        self.names = Names(game.box, players)
        self.story = Story(game, self.names)

    def board(self, view: KingView) -> list[Line]:
        """The battle under way, else the war once its army is in the field, else the overview."""
        if view.over is None and in_battle(view):
            return battle_board(view, self.names)
        if view.over is None and in_war(view) and view.awaited.kind in _WAR_KINDS:
            return war_board(view, self.names)
        return overview(view, self.names)

    def open_hands(self, views: Sequence[KingView]) -> list[Line]:
        """Every seat's hand, army, field and dead."""
        lines: list[Line] = []
        for seat, view in enumerate(views):
            for title, zone in (("hand", 0), ("army", ARMY | seat), ("field", FIELD | seat), ("dead", DEAD | seat)):
                tiles = [t.tile for t in view.tiles if t.zone == zone] if zone else list(view.hand)
                if tiles or title == "hand":
                    held = ", ".join(map(keep_together, self.names.tiles(tiles))) or "none"
                    text = f"{self.names.player(seat)}'s {title}: {held}"
                    lines += [Text(part, style=SEAT_STYLES[seat].removeprefix("bold ")) for part in wrap(text)]
        return lines

    def name(self, action: Action) -> str:
        """With players by name."""
        assert isinstance(action, KingAction)
        return self.names.label(action)

    def sentence(self, action: Action) -> str:
        """With players by name."""
        assert isinstance(action, KingAction)
        text = self.game.sentence(action)
        for seat, player in enumerate(self.names.players):
            text = text.replace(f"player {seat + 1}", player)
        return text

    def matching(self, typed: str, actions: Sequence[KingAction]) -> list[KingAction]:
        """By notation, by name, by the beginnings of its words."""
        return self.names.matching(typed, actions)

    def known_actions(self, view: KingView) -> Sequence[KingAction]:
        """What can be asked about: all that names a tile, land or player which the seat could mean."""
        return tuple(dict.fromkeys(self._known(view)))

    def _known(self, view: KingView) -> Iterator[KingAction]:
        box, me = view.box, view.seat
        others = [seat for seat in range(view.seats) if seat != me]
        yield from (box.done, box.passing, box.peace, box.buy, box.run, box.stand, box.add_one, box.add_nothing)
        yield from (box.accept, box.decline, box.counter, box.mist_read, box.talisman_used)
        yield from box.purchase
        for seat in others:
            yield from (box.attack[seat], box.trade[seat], box.rob[seat], box.kill[seat])
        for seat in range(view.seats):
            yield from (box.dispell_on[seat], box.golem_to[seat])
        for tile in range(box.deck, box.lands):
            yield box.seek[tile]
        own = [land.land for land in view.lands[me]] if me >= 0 else []
        for land in own:
            number = box.land_named[land]
            yield from (box.fort[number], box.improve[number])
        for lands in view.lands:
            for land_view in lands:
                number = box.land_named[land_view.land]
                yield from (box.battle[number], box.wall_on[number], box.dust_on[number])
        yield KingAction("dust", (FIGHT,))
        for slug in (t.tile for t in view.tiles if t.zone & 7 == me and t.zone >= 8):
            number = box.tiles_named(slug)[0]
            yield from (box.muster[number], box.send[number], box.cash[number], box.arm[number], box.commit[number])
            yield from (box.give[number][seat] for seat in others)
            yield from (KingAction("place", (slug, land)) for land in own)

    def odds(self, view: KingView, action: Action) -> Odds | None:
        """Choices say in their own lists what they may bring."""
        return None

    def decides(self, effect: str) -> str:
        """No odds, no effects."""
        return ""

    def wanted(self, view: KingView) -> str:
        """What is to be rolled or drawn."""
        return wanted(view, self.names)

    def read_outcome(self, view: KingView, text: str) -> KingOutcome:
        """Dice in a row, or the name of a tile."""
        return read_outcome(view, self.names, text)

    def ending(self, view: KingView, over: Over) -> list[Line]:
        """Who has won and why, and how all stood."""
        assert view.over is not None
        winners = [self.names.player(seat) for seat in view.over[1]]
        verb = "wins" if len(winners) == 1 else "share the victory"
        told = f"{' and '.join(winners)} {verb}" if over.reason != "nobody" else "Nobody wins"
        head = Text(f" {told} ", style="bold green reverse")
        lines: list[Line] = [Text(" ").append_text(head), *wrap(f"{_ENDINGS[over.reason]} (rule {over.rule}).")]
        table = [f"{self.names.player(seat)} {view.prestige[seat]}" for seat in range(view.seats)]
        return [*lines, *wrap(f"After {view.turn} turns, prestige: {', '.join(table)}.")]

    def starts_line(self, event: Event) -> bool:
        """As the story has it."""
        return self.story.starts(event)

    def log(self, events: Sequence[Event]) -> list[str]:
        """What happened, a line for what belongs together."""
        return self.story.lines(events)
