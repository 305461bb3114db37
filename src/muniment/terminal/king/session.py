"""A session of King of the Tabletop: pages to look at, and large choices composed by hand and sent as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from rich.text import Text

from muniment.core.errors import MunimentError
from muniment.core.game import Action, Chance, Decision
from muniment.core.match import Match
from muniment.core.words import printable
from muniment.games.king import King
from muniment.games.king.actions import KingAction
from muniment.games.king.picking import PICKS
from muniment.games.king.prospects import battle_now, land_prospects
from muniment.games.king.trade import wares
from muniment.games.king.views import KingView
from muniment.games.king.what_if import attacks, may_attack
from muniment.terminal.explain import explain_action
from muniment.terminal.face import rule_line, wrap
from muniment.terminal.journal import Journal
from muniment.terminal.king.board import overview
from muniment.terminal.king.choices import ANY_TIME, Choice, choices_of, extras_of, list_lines, question
from muniment.terminal.king.drafts import LineDraft, PickDraft, numbers_of
from muniment.terminal.king.face import KingFace
from muniment.terminal.king.names import land_code, land_words, plain
from muniment.terminal.king.offers import OfferDraft
from muniment.terminal.king.pages import attack_page, bank_page, land_page, lands_page, own_page, player_page
from muniment.terminal.king.warboard import battle_board, in_battle, war_board
from muniment.terminal.screen import WIDTH, Line, Screen
from muniment.terminal.table import TableSession

__all__ = ["KingSession"]

_HELP: Final = """\
 Choose by number or by name; names may be shortened: "f f2" for "fort F2".
 Several at once: "2 5 7", "1-4", "fort f1, fort f2". F2+3c is Forest 2 with a
 castle (level 3) and a city; small letters are settlements, capitals mines.
   elves, 3-5        in lists of tiles: pick; "-elves" takes back; all; clear
   goblins d1        in a line-up: who, where; "1-4 f2, rest d1"; done sends it
   ? 3, ? fort f2    explain a choice: its rule, or why not now; ? K30, ? siege
   also              what you may do besides: cash treasures, magic, gifts, and
                     standing answers: "standing charm never"
   table, lands, NAME of a player, F2, mine (hand and army), bank, war, odds
   more, choices     the next page of choices; all of them
   undo              take back, if nothing has come to light since
   log, news         all that has happened; since your last choice
   save FILE, load FILE, quit. The game is kept after every move.""".splitlines()
_HELP_TYPED: Final = " Real dice: type them as 3 5 or 35, tiles by name; any lets the program choose."
_HINT: Final = "? explains · also · mine · help"
_WORDS: Final = ("quit", "q", "exit", "y", "yes", "n", "no", "done", "send", "decline", "all", "none", "clear")
_OUT_OF_PLACE: Final = ("cash", "give", "arm", "standing")
Draft = PickDraft | LineDraft | OfferDraft


class KingSession(TableSession):
    """See the module's text."""

    face: KingFace

    def __init__(
        self, match: Match[Any, Any, Any, Any], screen: Screen, journal: Journal, edition: Path | None = None,
        pace: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(match, screen, journal, edition, pace)
        self._draft: Draft | None = None
        self._drafted: object = None
        self._page = 0
        self._since = match.event_count
        self._turn = 0
        pages: dict[str, Callable[[str], None]] = {
            "table": self._table, "lands": self._lands, "mine": self._mine, "hand": self._mine, "army": self._mine,
            "bank": self._bank, "war": self._war, "odds": self._odds, "also": self._also, "more": self._more,
            "choices": self._all_choices, "news": self._news,
        }  # fmt: skip
        self._commands |= pages

    @property
    def _view(self) -> KingView:
        view = self.match.view(self._viewer)
        assert isinstance(view, KingView)
        return view

    # -- the decision and its draft

    def _current(self) -> Draft | None:
        """The draft of a large choice; None where choices are single."""
        pending = self.match.pending
        if not isinstance(pending, Decision) or self._present not in pending.seats:
            return None
        key = (self.match.entry_count, pending, self._present)
        if key != self._drafted:
            self._drafted, self._draft, self._page = key, self._new_draft(pending.kind), 0
        return self._draft

    def _new_draft(self, kind: str) -> Draft | None:
        view, names = self._view, self.face.names
        legal = [action for action in self.match.legal_actions(self._seat) if isinstance(action, KingAction)]
        if kind in (*PICKS, "hit"):
            draft = PickDraft(view, names, legal)
            return draft if draft.items else None
        if kind == "line":
            return LineDraft(view, names)
        if kind == "offer" and not any(view.frames[-1].data[2:]):
            return OfferDraft(wares(self.match.state()), names)
        return None

    def _choose(self, line: str) -> None:
        if self._watching:
            raise MunimentError(f"{printable(line)!r}? Agents play; Enter goes on, help lists the commands.")
        draft = self._current()
        verb = line.partition(" ")[0].casefold()
        legal = self.match.legal_actions(self._seat)
        if draft is None or (verb in _OUT_OF_PLACE and not isinstance(draft, OfferDraft)):
            self._choose_single(line, legal)
        elif plain(line) in ("done", "send"):
            self._send(draft)
        elif plain(line) == "decline" and isinstance(draft, PickDraft) and draft.may_decline:
            self._act([KingAction("decline")])
        else:
            self._change(draft, line, legal)

    def _change(self, draft: Draft, line: str, legal: Sequence[Any]) -> None:
        """Add to the draft; "elves, ogres done" also sends it. What is no part of it may be magic or a gift."""
        body = line.strip()
        sends = body.casefold().endswith((" done", ",done", ", done"))
        if sends:
            body = body[: -len("done")].rstrip(" ,")
        try:
            draft.change(body)
        except MunimentError:
            extras = [action for action in legal if action in extras_of(self._view, legal)]
            found = self.face.matching(line, extras)
            if len(found) == 1:
                self._act(found)
                return
            raise
        if sends or draft.full:
            self._send(draft)
        elif isinstance(draft, PickDraft) and draft.kind == "hit":
            self._send_if_complete(draft)

    def _send(self, draft: Draft) -> None:
        game = self.match.game
        assert isinstance(game, King)
        self._act(draft.sequence(game, self.match.state(), self._seat))

    def _send_if_complete(self, draft: PickDraft) -> None:
        """Hits that leave no choice are placed by themselves."""
        game, state = self.match.game, self.match.state()
        assert isinstance(game, King)
        pending = game.pending(state)
        try:
            found = draft.sequence(game, state, self._seat)
        except MunimentError:
            return
        after = game.pending(state)
        if found and after != pending:
            self._act(found)

    def _choose_single(self, line: str, legal: Sequence[Any]) -> None:
        view = self._view
        choices = choices_of(view, self.face.names, legal)
        found: list[KingAction] = []
        by_amount = view.awaited.kind in ("bid", "purchase")
        numbers = numbers_of(line, 999 if by_amount else max(len(choices), 1), 0 if by_amount else 1)
        if numbers is not None:
            for number in numbers:
                action = next((choice.action for choice in choices if choice.number == number), None)
                found.append(action or KingAction(view.awaited.kind, (number,)))
        else:
            main = [choice.action for choice in choices]
            for part in filter(None, (part.strip() for part in line.split(","))):
                meant = self.face.matching(part, main) or self.face.matching(part, extras_of(view, legal))
                if len(meant) > 1:
                    could = ", ".join(self.face.name(action) for action in meant[:8])
                    raise MunimentError(f"{part!r} can be: {could}{' …' * (len(meant) > 8)}")
                if not meant:
                    raise MunimentError(self._why_not(part))
                found += meant
        self._act(found)

    def _act(self, actions: Sequence[KingAction]) -> None:
        """Take the actions, all or none: what chance or another player comes between is refused before the first."""
        game, seat, state = self.match.game, self._seat, self.match.state()
        for number, action in enumerate(actions):
            pending = game.pending(state)
            refusal = game.refusal(state, action, seat)
            if number and (not isinstance(pending, Decision) or seat not in pending.seats):
                raise MunimentError(f"after {self.face.name(actions[number - 1])} others come first; nothing is done")
            if refusal is not None:
                name = self.face.name(action)
                raise MunimentError(
                    f"{name} is not possible{' then' * bool(number)}: {refusal.sentence} ({refusal.rule})"
                )
            game.apply(state, action, seat)
        self._since = self.match.event_count
        for number, action in enumerate(actions):
            self.match.act(seat, action, decision=None if number else self.match.decision)
        self._moved()

    def _obvious(self, seat: int) -> Action | None:
        """Where nothing can be mustered, built or bought, as long as who is asked is there already (K12)."""
        if seat != self._present and len(self.people) > 1:
            return None
        legal = self.match.legal_actions(seat)
        pending = self.match.pending
        assert isinstance(pending, Decision)
        words = [action.word for action in legal]
        if pending.kind == "muster" and [word for word in words if word in ("done", "muster")] == ["done"]:
            return KingAction("done")
        if pending.kind in ("build", "purchase") and not {"cash", "give", "arm"} & set(words):
            own = [action for action in legal if action.word not in ANY_TIME]
            return KingAction(*own[0]) if len(own) == 1 else None
        return None

    def _chapter_over(self) -> bool:
        turn, self._turn = self._turn, self._view.turn
        return self._turn != turn

    # -- pages

    def _table(self, _: str) -> None:
        self._page_of(overview(self._view, self.face.names))

    def _lands(self, _: str) -> None:
        self._page_of(lands_page(self._view, self.face.names))

    def _mine(self, _: str) -> None:
        if self._viewer is None:
            raise MunimentError("nobody sits here")
        self._page_of(own_page(self._view, self.face.names))

    def _bank(self, _: str) -> None:
        self._page_of(bank_page(self._view, self.face.names))

    def _war(self, _: str) -> None:
        view = self._view
        if in_battle(view):
            self._page_of(battle_board(view, self.face.names, 60))
        elif view.war is not None:
            self._page_of(war_board(view, self.face.names, 60))
        else:
            raise MunimentError("there is no war")

    def _odds(self, _: str) -> None:
        view = self._view
        if may_attack(view):
            self._page_of(self._what_if(view))
            return
        lines: list[Line] = [rule_line("odds of battles")]
        now = battle_now(view)
        if now is not None and view.battle is not None:
            lines += wrap(f"{land_words(view.battle.land)}, from here: {now.text} (odds: all lies open)")
        for land, prospect in land_prospects(view).items():
            lines += wrap(f"{land_words(land)}: {prospect.text} ({prospect.label})")
        if len(lines) == 1:
            raise MunimentError("there is no battle to come whose armies are lined up, and no attack to decide on")
        lines += wrap("Losses are characters expected to die, attacker : defender. Both sides are taken to lose first "
                      "what costs them least, to bear sword and bow well, and to play no more magic.")  # fmt: skip
        self._page_of(lines)

    def _what_if(self, view: KingView) -> list[Line]:
        """The odds of attacking, with the tiles picked so far, or else the strongest that can be paid."""
        draft = self._current()
        picked = draft.slugs if isinstance(draft, PickDraft) else []
        return attack_page(attacks(view, picked), self.face.names, picked=bool(picked))

    def _also(self, _: str) -> None:
        legal = self.match.legal_actions(self._seat) if self._present is not None else []
        extras = extras_of(self._view, legal)
        lines: list[Line] = [rule_line("besides, at any time", "type the words", style="dim")]
        for action in extras:
            line = Text(f"  {self.face.name(action):<34}", style="bold")
            line.append(f" {self.face.sentence(action)}", style="dim")
            line.truncate(WIDTH, overflow="ellipsis")
            lines.append(line)
        self._page_of(lines if extras else [*lines, " Nothing: no treasure, no magic item that can be used now."])

    def _more(self, _: str) -> None:
        self._page += 1
        self._stale = True

    def _all_choices(self, _: str) -> None:
        draft = self._current()
        if isinstance(draft, OfferDraft):
            self._page_of([part for line in draft.wares() for part in wrap(line)])
        else:
            self._page_of(list_lines(self._listed(), 200)[0])

    def _news(self, _: str) -> None:
        told = self.face.log(self.match.events(self._viewer, self._since))
        self._page_of([part for line in told for part in wrap(line)] or [" Nothing has happened since."])

    def _help(self, _: str) -> None:
        lines: list[Line] = [*_HELP, "   resign yes        an agent takes your seat; pace SECONDS: speed of agents"]
        self._page_of([*lines, _HELP_TYPED] if self.match.typed else lines)

    def _answer(self, line: str) -> bool | None:
        wanted = plain(line)
        if line and not isinstance(self.match.pending, Chance) and not self._is_word(wanted):
            for seat, name in enumerate(self.face.names.players):
                if wanted == plain(name):
                    self._page_of(player_page(self._view, self.face.names, seat))
                    return None
            for land in self._view.box.land_slug:
                if wanted in (plain(land), land_code(land).casefold()):
                    self._page_of(land_page(self._view, self.face.names, land))
                    return None
        return super()._answer(line)

    def _is_word(self, typed: str) -> bool:
        """Whether it is a command or part of a choice, also if somebody is called like that."""
        legal = self.match.legal_actions(self._seat) if self._present is not None and not self.match.over else []
        return typed in self._commands or typed in _WORDS or any(action.word == typed for action in legal)

    def _explain(self, topic: str) -> None:
        """As of any game; in a list of tiles a number means the tile."""
        draft = self._current() if topic and not self.match.over else None
        if topic.isascii() and topic.isdigit() and self._present is not None:
            number = int(topic[:6])
            if isinstance(draft, PickDraft) and 1 <= number <= len(draft.items):
                action: KingAction | None = KingAction(draft.word, (draft.items[number - 1],))
            elif draft is None:
                action = next((choice.action for choice in self._listed() if choice.number == number), None)
            else:
                action = None
            if action is not None:
                self._page_of(explain_action(self.match, self.face, self._seat, action))
                return
        super()._explain(topic)

    # -- showing

    @property
    def _hint(self) -> str:
        return _HINT

    def _listed(self) -> list[Choice]:
        if self._present is None or self.match.over:
            return []
        return choices_of(self._view, self.face.names, self.match.legal_actions(self._seat))

    def _asked(self, view: Any, room: int) -> list[Line]:
        if self._watching:
            return [Text(" Enter: the next turn · quit", style="bold")]
        if isinstance(self.match.pending, Chance):
            return [Text(line, style="bold") for line in wrap(f"{self.face.wanted(view)}.")]
        assert isinstance(view, KingView)
        draft = self._current()
        lines: list[Line] = [Text(line, style="bold") for line in wrap(question(view, self.face.names))]
        legal = self.match.legal_actions(self._seat)
        besides = self._besides(view, legal)
        room = max(room - len(lines) - len(besides), 3)
        if draft is None:
            lines += self._single(view, legal, room)
        else:
            lines += self._drafted_lines(draft, room)
        return [*lines, *besides]

    def _single(self, view: KingView, legal: Sequence[Any], room: int) -> list[Line]:
        if view.awaited.kind == "bid":
            bids = [int(action.args[0]) for action in legal if action.word == "bid"]
            told = f"  bid {bids[0]} to {bids[-1]}: type the amount · " if bids else "  you cannot bid · "
            return [Text(told).append("pass", style="bold")]
        lines, _ = list_lines(choices_of(view, self.face.names, legal), room, self._page)
        return lines

    def _drafted_lines(self, draft: Draft, room: int) -> list[Line]:
        """The tiles to pick from, what is picked, and how to go on."""
        names = self.face.names
        told = wrap(draft.summary(), most=3)
        tail: list[Line] = [Text(line, style="green") for line in told]
        if isinstance(draft, OfferDraft):
            return [*(part for line in draft.wares() for part in wrap(line, most=2)), *tail]
        items: list[Choice] = []
        for at, slug in enumerate(draft.items):
            if isinstance(draft, LineDraft):
                mark = f"→{land_code(draft.places[at])}" if at in draft.places else ""
            else:
                mark = "●" if at in draft.picked else ""
            items.append(Choice(at + 1, KingAction("done"), names.tile(slug), mark))
        how = "numbers or names pick · all · clear · done"
        if isinstance(draft, LineDraft):
            how = f"as: 1-3 {land_code(draft.lands[0])}, rest {land_code(draft.lands[-1])} · lands: "
            how += " ".join(map(land_code, draft.lands))
        elif draft.may_decline:
            how += " · decline"
        lines, _ = list_lines(items, max(room - len(tail) - 1, 2), self._page)
        return [*lines, *tail, *[Text(line, style="dim") for line in wrap(how, most=2)]]

    def _besides(self, view: KingView, legal: Sequence[Any]) -> list[Line]:
        """A hint at what can be done besides."""
        words: dict[str, None] = {}
        for action in sorted(extras_of(view, legal), key=lambda action: action.word in _OUT_OF_PLACE[1:]):
            named = action.word in ("cash", "give", "arm")
            words["standing answers" if action.word == "standing" else action.word] = None
            if named:
                del words[action.word]
                words[f"{action.word} {self.face.names.bare(str(action.args[0]))}"] = None
        if not words:
            return []
        return [Text(line, style="dim") for line in wrap(f"also: {', '.join(words)}", most=1)]

    def _words(self) -> list[str]:
        names = (
            [self.face.name(action) for action in self.match.legal_actions(self._seat)]
            if self._present is not None
            else []
        )
        return [*names, *self._commands, "save ", "load ", "quit", *(f"? {name}" for name in names)]
