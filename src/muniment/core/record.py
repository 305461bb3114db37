"""A match's record: one text file from which the match replays, and whose dice can be verified.

The form, line by line::

    muniment record 1
    game: siege
    edition: standard <sha-256 of its content>
    options: {"ones": "natural"}                 one JSON object
    seats: ["Ada"]                               one JSON array of names
    dice: seeded                                 or: typed (real dice and cards, entered by hand)
    commitment: <sha-256 of the seed>            seeded dice only
    nonces: ["<hex>"]                            seeded dice only; what the seats added
    position: {...}                              only if the match did not begin with the set-up
    moves:
    * draw 3                                     what chance brought
    0 archers ladders                            what seat 0 chose
    ...
    result: won                                  or: running
    seed: <hex>                                  seeded dice only; secret until the match is over
    end 57 <sha-256 of all lines before>         the number of moves; a record without this line is truncated

A journal is a record that is still being written: its first line is ``muniment journal 1``, and it has the seed before
the moves and no closing lines.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from muniment.core.errors import RecordError
from muniment.core.options import OptionValue

__all__ = ["CHANCE", "RUNNING", "Entry", "Record"]

FORMAT = "muniment record 1"
JOURNAL_FORMAT = "muniment journal 1"
RUNNING = "running"
CHANCE = -1
_CHANCE_MARK = "*"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a record: the seat that chose, or ``CHANCE``, and the notation of its action or outcome."""

    seat: int
    notation: str

    def __str__(self) -> str:
        return f"{_CHANCE_MARK if self.seat == CHANCE else self.seat} {self.notation}"


@dataclass(frozen=True)
class Record:
    """A record's content; see the module's text for its written form.

    seed and commitment are None with typed dice; the seed is also None where it is withheld. position is None for the
    set-up. result: ``RUNNING``, or the reason code of the end.
    """

    game: str
    edition: str
    edition_digest: str
    options: Mapping[str, OptionValue]
    seats: tuple[str, ...]
    commitment: str | None
    nonces: tuple[bytes, ...] = ()
    position: Mapping[str, Any] | None = None
    entries: tuple[Entry, ...] = ()
    result: str = RUNNING
    seed: bytes | None = None

    @property
    def typed(self) -> bool:
        """Whether real dice were typed in, so that there is nothing to verify."""
        return self.commitment is None

    def _head(self, form: str) -> list[str]:
        lines = [
            form,
            f"game: {self.game}",
            f"edition: {self.edition} {self.edition_digest}",
            f"options: {json.dumps(dict(self.options), sort_keys=True)}",
            f"seats: {json.dumps(list(self.seats))}",
            f"dice: {'typed' if self.typed else 'seeded'}",
        ]
        if self.commitment is not None:
            lines.append(f"commitment: {self.commitment}")
            lines.append(f"nonces: {json.dumps([nonce.hex() for nonce in self.nonces])}")
        if self.position is not None:
            lines.append(f"position: {json.dumps(self.position, sort_keys=True)}")
        return lines

    def write(self) -> str:
        """The whole record as text."""
        lines = [*self._head(FORMAT), "moves:", *map(str, self.entries), f"result: {self.result}"]
        if self.seed is not None:
            lines.append(f"seed: {self.seed.hex()}")
        body = "\n".join(lines) + "\n"
        return f"{body}end {len(self.entries)} {hashlib.sha256(body.encode()).hexdigest()}\n"

    def write_journal(self) -> str:
        """The record as a journal, to which further moves can be appended as lines ``str(entry)``."""
        lines = self._head(JOURNAL_FORMAT)
        if self.seed is not None:
            lines.append(f"seed: {self.seed.hex()}")
        return "".join(f"{line}\n" for line in [*lines, "moves:", *map(str, self.entries)])

    @classmethod
    def read(cls, text: str) -> Record:
        """Read a whole record. Raises RecordError naming the line if it is broken, truncated or was changed."""
        lines = _lines(text)
        record, rest = _read_head(lines, FORMAT)
        entries: list[Entry] = []
        while rest < len(lines) and (entry := _entry(lines[rest])) is not None:
            entries.append(entry)
            rest += 1
        if rest >= len(lines):
            raise RecordError("the record is truncated: it has no end line", len(lines))
        result = _field(lines, rest, "result")
        rest += 1
        if rest < len(lines) and lines[rest].startswith("seed: "):
            record = replace(record, seed=_hex(lines[rest].removeprefix("seed: "), rest + 1))
            rest += 1
        _check_end(lines, rest, len(entries))
        return replace(record, entries=tuple(entries), result=result)

    @classmethod
    def read_journal(cls, text: str) -> Record:
        """Read a journal; a last line that was cut short by a crash is dropped, it was never acknowledged."""
        whole = text[: text.rfind("\n") + 1]
        lines = _lines(whole)
        record, rest = _read_head(lines, JOURNAL_FORMAT)
        entries = []
        for number, line in enumerate(lines[rest:], rest + 1):
            entry = _entry(line)
            if entry is None:
                raise RecordError(f"{line!r} is not a move", number)
            entries.append(entry)
        return replace(record, entries=tuple(entries))


def _lines(text: str) -> list[str]:
    """The lines, also of a file that an editor gave other line ends; nothing else that looks like one ends a line."""
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def _field(lines: list[str], at: int, name: str) -> str:
    if at >= len(lines):
        raise RecordError(f"the record is truncated: {name!r} is missing", max(len(lines), 1))
    prefix = f"{name}: "
    if not lines[at].startswith(prefix):
        raise RecordError(f"expected '{name}: ...', found {lines[at][:60]!r}", at + 1)
    return lines[at].removeprefix(prefix)


def _json(text: str, line: int, kind: type) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, kind):
        raise RecordError(f"not a JSON {'object' if kind is dict else 'array'}: {text[:60]!r}", line)
    return value


def _hex(text: str, line: int) -> bytes:
    try:
        return bytes.fromhex(text)
    except (ValueError, TypeError):
        raise RecordError(f"not hexadecimal: {str(text)[:60]!r}", line) from None


def _read_head(lines: list[str], form: str) -> tuple[Record, int]:
    """The header, and the index of the first line after ``moves:``."""
    if lines[0] != form:
        raise RecordError(f"not a {form.split()[1]}: the first line must be {form!r}", 1)
    game = _field(lines, 1, "game")
    edition, _, digest = _field(lines, 2, "edition").rpartition(" ")
    options = _json(_field(lines, 3, "options"), 4, dict)
    seats = _json(_field(lines, 4, "seats"), 5, list)
    if not seats or not all(isinstance(name, str) for name in seats):
        raise RecordError("seats must be a list of names", 5)
    dice = _field(lines, 5, "dice")
    if dice not in ("seeded", "typed"):
        raise RecordError(f"dice must be seeded or typed, not {dice!r}", 6)
    commitment: str | None = None
    nonces: tuple[bytes, ...] = ()
    position: Mapping[str, Any] | None = None
    seed: bytes | None = None
    at = 6
    if dice == "seeded":
        commitment = _field(lines, 6, "commitment")
        given = _json(_field(lines, 7, "nonces"), 8, list)
        nonces = tuple(_hex(nonce, 8) for nonce in given)
        at = 8
    if at < len(lines) and lines[at].startswith("position: "):
        position = _json(lines[at].removeprefix("position: "), at + 1, dict)
        at += 1
    if at < len(lines) and lines[at].startswith("seed: "):
        seed = _hex(lines[at].removeprefix("seed: "), at + 1)
        at += 1
    if at >= len(lines) or lines[at] != "moves:":
        raise RecordError("the record is truncated: 'moves:' is missing", min(at + 1, max(len(lines), 1)))
    return Record(game, edition, digest, options, tuple(seats), commitment, nonces, position, seed=seed), at + 1


def _entry(line: str) -> Entry | None:
    mark, space, notation = line.partition(" ")
    if not space or not notation:
        return None
    if mark == _CHANCE_MARK:
        return Entry(CHANCE, notation)
    if mark.isascii() and mark.isdigit() and len(mark) < 3:
        return Entry(int(mark), notation)
    return None


def _check_end(lines: list[str], at: int, moves: int) -> None:
    if at >= len(lines):
        raise RecordError("the record is truncated: it has no end line", len(lines))
    words = lines[at].split()
    if len(words) != 3 or words[0] != "end":
        raise RecordError(f"expected 'end <moves> <digest>', found {lines[at][:60]!r}", at + 1)
    if words[1] != str(moves):
        raise RecordError(f"the end line counts {words[1]} moves, the record has {moves}", at + 1)
    if any(line.strip() for line in lines[at + 1 :]):
        raise RecordError("there is something after the end line", at + 2)
    body = "".join(f"{line}\n" for line in lines[:at])
    if hashlib.sha256(body.encode()).hexdigest() != words[2]:
        raise RecordError("the record was changed: its digest does not fit", at + 1)
