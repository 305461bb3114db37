"""Reading positions from JSON, which ``writing`` writes; an impossible one is refused with every reason (K2).

A tile is named by its slug; where there are several of a kind, ``vultures-f1#2`` is the second of them, and the slug
alone is any that the position does not name otherwise. Lands are named ``forest-3``. The object has the keys

* ``seats``, ``turn``, ``phase``, ``first``, ``acting``: numbers, as in ``KingState``;
* ``players``: for each seat ``gold``, ``lands`` (each with ``land`` and, where there is one, ``fort`` 1 to 4 and
  ``improvement``), ``hand``, ``army``, ``standing``, and ``out`` for one who is out;
* ``field``: the tiles sent out; ``owners``: those drawn for a fight; ``dead``: the dead of each seat;
  ``aside``: land tiles, instructions and magic items on the table; ``line_up``: where tiles of a war stand, a land,
  ``reserve`` or ``called``;
* ``war`` and ``battle``: their fields, or null; ``frames``: what is still to be done, the next thing last, in the form
  of ``schema``;
* ``roll``, ``tally``, ``built``, ``barred``, ``given``, ``dispelled``, ``over``: as in ``KingState``;
* ``history``: what seats have seen; left out, nobody has seen anything.

Everything but ``players`` may be left out; without ``frames`` the position is the beginning of a turn.
"""

from __future__ import annotations

from typing import Any, Final

from muniment.core.errors import PositionError
from muniment.core.frames import Frame
from muniment.games.king.box import Box
from muniment.games.king.schema import FRAME_DATA, SEATLESS, letters
from muniment.games.king.state import (
    ARMY,
    ASIDE,
    CALLED,
    DEAD,
    FIELD,
    HAND,
    NO_TILE,
    ON_LAND,
    OWNERS,
    RESERVE,
    KingState,
)
from muniment.games.king.steps import ROLLS
from muniment.games.king.tiles import INSTRUCTION, LAND, MINE, SETTLEMENT
from muniment.games.king.trade import is_thing
from muniment.games.king.validity import Faults, violations
from muniment.games.king.war_state import Battle, War
from muniment.games.king.writing import tile_token

__all__ = ["read_position"]

_SIDED: Final = frozenset((  # frames of a battle whose data begin with a side
    "bear", "charge", "charge-dice", "hit", "losses", "reserve", "reserve-begin", "saves", "shoot", "volley",
    "volley-begin", "volley-dice",
))  # fmt: skip
_MOST_ROLLED: Final = 1000  # no die and no count of combat dice is more

_KEYS: Final = {
    "game", "seats", "turn", "phase", "first", "acting", "players", "field", "owners", "dead", "aside", "line_up",
    "war", "battle", "frames", "roll", "tally", "built", "barred", "given", "dispelled", "over", "history",
}  # fmt: skip
_PLACES: Final = {"reserve": RESERVE, "called": CALLED}


class _Reader:
    """Reads a position, collecting every fault."""

    def __init__(self, box: Box, value: dict[str, Any], faults: Faults) -> None:
        self.box = box
        self.value = value
        self.faults = faults
        players = value.get("players")
        seats = value.get("seats", len(players) if isinstance(players, list) else 0)
        self.s = KingState(box, faults.integer(seats, "seats", 2, 4))
        self.used: set[int] = set()
        self.named = {token for token in self._tokens(value) if "#" in token}

    def _tokens(self, value: object) -> list[str]:
        """Every text in the position: those with a number are claimed before the others are given tiles."""
        if isinstance(value, str):
            return [value]
        if isinstance(value, dict):
            return [t for k, v in value.items() if k != "frames" for t in (*self._tokens(k), *self._tokens(v))]
        return [t for v in value for t in self._tokens(v)] if isinstance(value, list) else []

    def tile(self, token: object, *, claim: bool = True) -> int:
        """The tile of this name, -1 if there is none; a tile is claimed once only."""
        box, edition = self.box, self.box.edition
        if not isinstance(token, str):
            self.faults.add(f"a tile is named by a text, not {token!r}")
            return -1
        if token in edition.land_by_slug:
            tiles: tuple[int, ...] = (box.lands + edition.land_by_slug[token],)
        else:
            slug, _, number = token.partition("#")
            tiles = edition.tiles_of[edition.by_slug[slug]] if slug in edition.by_slug else ()
            if number:
                at = int(number) if number.isdigit() else 0
                tiles = tiles[at - 1 : at] if at else ()
        if not tiles:
            self.faults.add(f"there is no tile {token!r}")
            return -1
        if not claim:
            return tiles[0]
        for tile in tiles:
            name = tile_token(box, tile)
            if tile not in self.used and (name == token or name not in self.named):
                self.used.add(tile)
                return tile
        self.faults.add(f"{token} is in two places" if len(tiles) == 1 else f"there are more {token} than the game has")
        return -1

    def rows(self, value: object, where: str) -> list[Any]:
        """A list."""
        if isinstance(value, list):
            return value
        self.faults.add(f"{where} must be a list, not {value!r}")
        return []

    def tiles(self, value: object, where: str) -> list[int]:
        """A list of tiles."""
        return [tile for token in self.rows(value, where) if (tile := self.tile(token)) >= 0]

    def land(self, token: object, where: str) -> int:
        """The number of a land, -1 if there is none of that name."""
        if isinstance(token, str) and token in self.box.land_named:
            return self.box.land_named[token]
        self.faults.add(f"{where}: there is no land {token!r}")
        return -1

    def put(self, tiles: list[int], zone: int, where: str, low: int = 0, high: int = -1) -> None:
        """Put tiles into a zone; their ids must be from low to below high."""
        for tile in tiles:
            if not low <= tile < (self.box.lands if high < 0 else high):
                self.faults.add(f"{tile_token(self.box, tile)} cannot be in {where}")
                continue
            self.s.zone[tile] = zone

    def read(self) -> KingState:
        """The state, as far as it can be made out."""
        s, value, faults = self.s, self.value, self.faults
        s.turn = faults.integer(value.get("turn", 1), "turn", 0, 10**6)
        s.phase = faults.integer(value.get("phase", 1 if s.turn else 0), "phase", 0, 4)
        s.first = faults.integer(value.get("first", 0), "first", 0, s.seats - 1)
        s.acting = faults.integer(value.get("acting", s.first), "acting", 0, s.seats - 1)
        players = value.get("players", [])
        if not isinstance(players, list) or len(players) != s.seats:
            faults.add("players must be a list with one entry for each seat")
            players = [{}] * s.seats
        for seat, player in enumerate(players):
            if not isinstance(player, dict):
                faults.add(f"player {seat} must be an object, not {player!r}")
            else:
                self._player(seat, player)
        self._table()
        self._war()
        self._battle()
        self._small()
        self._lists()
        self._history()
        self._frames()
        return s

    def _player(self, seat: int, player: dict[str, Any]) -> None:
        s, faults, where = self.s, self.faults, f"player {seat}"
        faults.keys(player, {"gold", "lands", "hand", "army", "standing", "out"}, where)
        s.gold[seat] = faults.integer(player.get("gold", 0), f"{where}, gold", 0, 10**6)
        s.standing[seat] = faults.integer(player.get("standing", 0), f"{where}, standing", 0, 255)
        s.out |= bool(player.get("out", False)) << seat
        for item in self.rows(player.get("lands", []), f"{where}, lands"):
            row = {"land": item} if isinstance(item, str) else item
            if not isinstance(row, dict):
                faults.add(f"{where}: a land is an object, not {item!r}")
                continue
            faults.keys(row, {"land", "fort", "improvement"}, where)
            land = self.land(row.get("land"), where)
            if land < 0 or self.tile(row["land"]) < 0:
                continue
            s.lands[seat].append(land)
            s.zone[self.box.lands + land] = 40 | seat
            s.fort[land] = faults.integer(row.get("fort", 0), f"{row['land']}, fort", 0, 4)
            if row.get("improvement") is not None:
                tile = self.tile(row["improvement"])
                if tile >= 0 and self.box.sort[tile] not in (SETTLEMENT, MINE):
                    faults.add(f"{row['improvement']} cannot stand on a land")
                elif tile >= 0:
                    s.imp[land], s.zone[tile], s.place[tile] = tile, ON_LAND, land
        self.put(self.tiles(player.get("hand", []), f"{where}, hand"), HAND | seat, "a hand", 0, self.box.deck)
        self.put(self.tiles(player.get("army", []), f"{where}, army"), ARMY | seat, "an army")

    def _table(self) -> None:
        s, value = self.s, self.value
        war, battle = value.get("war"), value.get("battle")
        holder = war if isinstance(war, dict) else battle if isinstance(battle, dict) else {}
        seat = holder.get("attacker", s.acting)
        if type(seat) is not int or not 0 <= seat < s.seats:
            seat = s.acting
        self.put(self.tiles(value.get("field", []), "field"), FIELD | seat, "the field")
        self.put(self.tiles(value.get("owners", []), "owners"), OWNERS, "the owners of a land", 0, self.box.deck)
        for number, tiles in enumerate(self.rows(value.get("dead", []), "dead")):
            if number < s.seats:
                self.put(self.tiles(tiles, f"dead of player {number}"), DEAD | number, "the dead")
        self.put(self.tiles(value.get("aside", []), "aside"), ASIDE, "the middle of the table", 0, self.box.size)
        line_up = value.get("line_up", {})
        if not isinstance(line_up, dict):
            self.faults.add(f"line_up must be an object, not {line_up!r}")
            line_up = {}
        for token, place in line_up.items():
            tile = self._tile_again(token)
            if tile >= 0 and isinstance(place, str) and place in _PLACES:
                s.place[tile] = _PLACES[place]
            elif tile >= 0 and (land := self.land(place, "line_up")) >= 0:
                s.place[tile] = land

    def _tile_again(self, token: object) -> int:
        """A tile that the position has placed already: of a kind, the first one lying where it matters."""
        if not isinstance(token, str):
            return self.tile(token, claim=False)
        slug, _, number = token.partition("#")
        edition = self.box.edition
        if number or slug not in edition.by_slug:
            return self.tile(token, claim=False)
        tiles = edition.tiles_of[edition.by_slug[slug]]
        return next((tile for tile in tiles if tile in self.used), tiles[0])

    def _war(self) -> None:
        given = self.value.get("war")
        if given is None:
            return
        if not isinstance(given, dict):
            self.faults.add(f"war must be an object, not {given!r}")
            return
        self.faults.keys(given, set(War.__slots__), "war")
        s, faults = self.s, self.faults
        seats = [faults.integer(given.get(side), f"war, {side}", 0, s.seats - 1) for side in ("attacker", "defender")]
        s.war = War(*seats)
        ranges = {
            "higher": (-1, 1), "lined": (0, 3), "off": (0, 2), "fought": (0, (1 << self.box.land_count) - 1),
            "wall_land": (-1, self.box.land_count - 1), "wall_value": (0, 7), "wall_caster": (-1, s.seats - 1),
            "golem": (-1, s.seats - 1),
        }  # fmt: skip
        for name, (low, high) in ranges.items():
            if name in given:
                setattr(s.war, name, faults.integer(given[name], f"war, {name}", low, high))

    def _battle(self) -> None:
        given = self.value.get("battle")
        if given is None:
            return
        if not isinstance(given, dict):
            self.faults.add(f"battle must be an object, not {given!r}")
            return
        s, faults = self.s, self.faults
        known = {
            "land",
            "attacker",
            "defender",
            "fight",
            "sides",
            "absorbed",
            "stood",
            "stage",
            "hits",
            "rolled",
            "ended",
        }
        faults.keys(given, known, "battle")
        land = self.land(given.get("land"), "battle")
        seats = [faults.integer(given.get(k), f"battle, {k}", 0, s.seats - 1) for k in ("attacker", "defender")]
        fight = faults.integer(given.get("fight", 0), "battle, fight", 0, 1)
        b = s.battle = Battle(max(land, 0), seats[0], seats[1], fight)
        for name, low, high in (
            ("absorbed", 0, 60),
            ("stood", 0, 60),
            ("stage", -1, 1),
            ("rolled", 0, 3),
            ("ended", 0, 1),
        ):
            number = given.get(name, -1 if name == "stage" else 0)
            setattr(b, name, faults.integer(number, f"battle, {name}", low, high))
        hits = given.get("hits", [0, 0])
        if isinstance(hits, list) and len(hits) == 2:
            b.hits = [faults.integer(hit, "battle, hits", 0, 500) for hit in hits]
        else:
            faults.add("battle, hits must be two numbers")
        sides = given.get("sides", [])
        for number, side in enumerate(sides[:2] if isinstance(sides, list) else ()):
            fighters = []
            for row in side if isinstance(side, list) else ():
                given_row = {"tile": row} if isinstance(row, str) else row
                if not isinstance(given_row, dict):
                    faults.add(f"battle: a fighter is an object, not {row!r}")
                    continue
                faults.keys(given_row, {"tile", "gear", "shoots", "charge", "wounds"}, "battle, fighter")
                tile = self._tile_again(given_row.get("tile"))
                if not 0 <= tile < self.box.lands:
                    continue
                fighters.append(
                    self.box.fighter[tile]._replace(
                        gear=faults.integer(given_row.get("gear", 0), "battle, gear", 0, 3),
                        shoots=faults.integer(given_row.get("shoots", 0), "battle, shoots", 0, 2),
                        charge_die=faults.integer(given_row.get("charge", -1), "battle, charge", -1, 7),
                        wounds=faults.integer(given_row.get("wounds", 0), "battle, wounds", 0, 1),
                    )
                )
            b.sides[number] = tuple(fighters)

    def _small(self) -> None:
        s, value, faults = self.s, self.value, self.faults
        for name, low, high in (("barred", 0, 3), ("given", 0, 1 << 20), ("dispelled", -1, s.seats - 1)):
            setattr(s, name, faults.integer(value.get(name, low), name, low, high))
        for land in self.rows(value.get("built", []), "built"):
            number = self.land(land, "built")
            s.built |= 1 << number if number >= 0 else 0
        for name, most in (("roll", _MOST_ROLLED), ("tally", 12)):
            given = value.get(name)
            if given is None:
                continue
            setattr(s, name, [faults.integer(number, name, 0, most) for number in self.rows(given, name)])
        if len(s.tally) != s.seats:
            faults.add(f"tally must have a number for each seat, not {len(s.tally)}")
        over = value.get("over")
        if isinstance(over, dict) and isinstance(over.get("winners"), list):
            s.over = (str(over.get("reason")), tuple(over["winners"]))
        elif over is not None:
            faults.add(f"over must be an object with reason and winners, not {over!r}")

    def _lists(self) -> None:
        """What the state keeps beside the zones."""
        s, box = self.s, self.box
        for seat in range(s.seats):
            s.hand[seat] = [t for t in range(box.lands) if s.zone[t] == HAND | seat]
            s.army[seat] = [t for t in range(box.lands) if s.zone[t] == ARMY | seat]
            s.nobles[seat] = sum(s.zone[t] in (ARMY | seat, FIELD | seat) for t in range(box.deck, box.lands))
            s.survey(seat)
            s.worth[seat] = sum(
                1 + s.fort[n] + (box.value[s.imp[n]] if s.imp[n] != NO_TILE else 0) for n in s.lands[seat]
            )
        s.field = [t for t in range(box.lands) if s.zone[t] & 0xF8 == FIELD]
        s.dead = [t for t in range(box.lands) if s.zone[t] & 0xF8 == DEAD]
        s.owners = [t for t in range(box.lands) if s.zone[t] == OWNERS]
        s.cup = [t for t in range(box.deck) if not s.zone[t]]
        s.land_cup = [t for t in range(box.edition.first[LAND], box.edition.first[INSTRUCTION + 1]) if not s.zone[t]]
        s.bank = [0, *(box.edition.forts[level] - s.fort.count(level) for level in range(1, 5))]
        s.grans = sum(1 << seat for seat in range(s.seats) if any(s.fort[n] == 4 for n in s.lands[seat]))

    def _history(self) -> None:
        s, faults = self.s, self.faults
        given = self.value.get("history")
        if given is None:  # everything left its cup in the order of the tiles, and nothing has been seen since
            for tile in range(self.box.lands):
                if s.zone[tile]:
                    s.clock += 1
                    s.fill[tile] = s.clock
            for seat in range(s.seats):
                for tile in s.army[seat]:
                    s.mask[tile] = 0 if tile >= self.box.deck else s.terrains(seat) | 32
            for tile in range(self.box.lands):
                if s.zone[tile] in (ON_LAND, ASIDE) or s.zone[tile] & 0xF8 == DEAD or tile >= self.box.deck:
                    s.known[tile] = 0xFF if s.zone[tile] else 0
            if s.battle is not None:
                for side in s.battle.sides:
                    for fighter in side:
                        s.known[fighter.tile] = 0xFF
            return
        try:
            s.clock = int(given["clock"])
            for name, size in (("fill", self.box.lands), ("mask", self.box.lands), ("known", self.box.lands)):
                numbers = given[name]
                if len(numbers) != size:
                    raise ValueError(name)
                for at, number in enumerate(numbers):
                    getattr(s, name)[at] = number
            if len(given["seen"]) != s.seats or any(len(seen) != self.box.deck for seen in given["seen"]):
                raise ValueError("seen")
            for seat, seen in enumerate(given["seen"]):
                for at, number in enumerate(seen):
                    s.seen[seat][at] = number
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            faults.add(f"history is malformed: {error}")

    def _frames(self) -> None:
        s, given = self.s, self.value.get("frames")
        if given is None:
            s.turn = max(s.turn - 1, 0)
            s.frames = [Frame("turn")]
            return
        if not isinstance(given, list) or not given:
            self.faults.add("frames must be a list, not empty")
            return
        for row in given:
            try:
                f = Frame.from_json(row)
            except PositionError as error:
                self.faults.add(error.violations[0])
                continue
            self._frame(f)

    def _frame(self, f: Frame) -> None:
        s, faults, box = self.s, self.faults, self.box
        form = FRAME_DATA.get(f.kind)
        if f.kind == "roll":
            purpose = f.data[0] if f.data else ""
            form = "wn" + FRAME_DATA[str(purpose)] if purpose in ROLLS and str(purpose) in FRAME_DATA else None
        if form is None or not (f.seat == -1 if f.kind in SEATLESS else 0 <= f.seat < s.seats):
            faults.add(f"there is no frame {f.kind!r} of seat {f.seat}")
            return
        shown = f.to_json()
        plain = form.rstrip("*")
        if len(f.data) < len(plain) - form.endswith("*") or (len(f.data) > len(plain) and not form.endswith("*")):
            faults.add(f"frame {shown} must have data of the form {form!r}")
            return
        data: list[int | str] = []
        for letter, datum in zip(letters(form, len(f.data)), f.data, strict=True):
            read = datum
            if letter == "l" and isinstance(datum, str):
                read = self.land(datum, f"frame {f.kind}")
            elif letter in ("t", "T") and isinstance(datum, str):
                read = self._tile_again(datum)
            right = type(read) is int if letter != "w" else True
            if not right or (letter == "s" and not 0 <= int(read) < s.seats) or (letter == "n" and int(read) < 0):
                faults.add(f"frame {shown}: {datum!r} does not fit the form {form!r}")
                return
            if (letter == "l" and not 0 <= int(read) < box.land_count) or (
                letter == "t" and not 0 <= int(read) < box.size
            ):
                faults.add(f"frame {shown}: {datum!r} does not exist")
                return
            if letter == "i" and f.kind in ("offer", "deal") and not is_thing(box, int(read)):
                faults.add(f"frame {shown}: {datum!r} is no code of a land or tile")
                return
            data.append(read)
        sided, at = (str(data[0]), 2) if f.kind == "roll" else (f.kind, 0)
        if sided in _SIDED and data[at] not in (0, 1):
            faults.add(f"frame {shown}: a side is 0, the attacker, or 1, the defender")
            return
        s.frames.append(Frame(f.kind, f.seat, tuple(data)))


def read_position(box: Box, value: object) -> KingState:
    """Read a position. Raises PositionError naming every violation."""
    faults = Faults()
    if not isinstance(value, dict):
        raise PositionError((f"a position is an object, not {value!r}",))
    faults.keys(value, _KEYS, "the position")
    if value.get("game", "king") != "king":
        faults.add(f"this is a position of {value['game']!r}")
    s = _Reader(box, value, faults).read()
    violations(s, faults)
    if faults.found:
        raise PositionError(tuple(faults.found))
    return s
