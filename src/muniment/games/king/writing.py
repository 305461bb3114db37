"""Writing positions as JSON, in the form that ``position`` documents and reads (design.md)."""

from __future__ import annotations

from typing import Any

from muniment.core.frames import Frame
from muniment.games.king.box import Box
from muniment.games.king.combat import Fighter
from muniment.games.king.schema import FRAME_DATA, letters
from muniment.games.king.state import ASIDE, CALLED, NO_TILE, NOWHERE, ON_LAND, RESERVE, KingState

__all__ = ["tile_token", "write_position"]


def tile_token(box: Box, tile: int) -> str:
    """The name of a tile in positions."""
    tiles = box.edition.tiles_of[box.kind[tile]]
    if box.lands <= tile < box.instructions:
        return box.land_slug[tile - box.lands]
    return box.slug[tile] if len(tiles) == 1 else f"{box.slug[tile]}#{tile - tiles[0] + 1}"


def frame_to_json(box: Box, f: Frame) -> list[object]:
    """A frame with tiles and lands by name."""
    data: list[object] = []
    form = "wn" + FRAME_DATA[str(f.data[0])] if f.kind == "roll" else FRAME_DATA[f.kind]
    for letter, datum in zip(letters(form, len(f.data)), f.data, strict=True):
        if letter == "l":
            data.append(box.land_slug[int(datum)])
        elif letter in "tT" and letter and int(datum) >= 0:
            data.append(tile_token(box, int(datum)))
        else:
            data.append(datum)
    return [f.kind, f.seat, *data]


def _fighter(box: Box, x: Fighter) -> dict[str, object]:
    rest = {"gear": x.gear, "shoots": x.shoots, "charge": x.charge_die, "wounds": x.wounds}
    return {"tile": tile_token(box, x.tile), **rest}


def write_position(s: KingState) -> dict[str, Any]:
    """The position as a JSON object; see the module's text."""
    box = s.box

    def names(tiles: list[int]) -> list[str]:
        return [tile_token(box, tile) for tile in tiles]

    def land(number: int) -> dict[str, object]:
        found: dict[str, object] = {"land": box.land_slug[number]}
        if s.fort[number]:
            found["fort"] = s.fort[number]
        if s.imp[number] != NO_TILE:
            found["improvement"] = tile_token(box, s.imp[number])
        return found

    b, w = s.battle, s.war
    return {
        "game": "king",
        "seats": s.seats,
        "turn": s.turn,
        "phase": s.phase,
        "first": s.first,
        "acting": s.acting,
        "players": [
            {
                "gold": s.gold[seat],
                "lands": [land(number) for number in s.lands[seat]],
                "hand": names(s.hand[seat]),
                "army": names(s.army[seat]),
                "standing": s.standing[seat],
                "out": not s.alive(seat),
            }
            for seat in range(s.seats)
        ],
        "field": names(s.field),
        "owners": names(s.owners),
        "dead": [names([t for t in s.dead if s.zone[t] & 7 == seat]) for seat in range(s.seats)],
        "aside": names([tile for tile in range(box.size) if s.zone[tile] == ASIDE]),
        "line_up": {
            tile_token(box, tile): {RESERVE: "reserve", CALLED: "called"}.get(place) or box.land_slug[place]
            for tile, place in enumerate(s.place)
            if place != NOWHERE and s.zone[tile] != ON_LAND
        },
        "war": None if w is None else w.to_json(),
        "battle": None
        if b is None
        else {
            "land": box.land_slug[b.land],
            "attacker": b.attacker,
            "defender": b.defender,
            "fight": b.fight,
            "sides": [[_fighter(box, x) for x in side] for side in b.sides],
            "absorbed": b.absorbed,
            "stood": b.stood,
            "stage": b.stage,
            "hits": list(b.hits),
            "rolled": b.rolled,
            "ended": b.ended,
        },
        "frames": [frame_to_json(box, f) for f in s.frames],
        "roll": list(s.roll),
        "tally": list(s.tally),
        "built": [box.land_slug[number] for number in range(box.land_count) if s.built >> number & 1],
        "barred": s.barred,
        "given": s.given,
        "dispelled": s.dispelled,
        "over": None if s.over is None else {"reason": s.over[0], "winners": list(s.over[1])},
        "history": {
            "clock": s.clock,
            "fill": list(s.fill),
            "mask": list(s.mask),
            "known": list(s.known),
            "seen": [list(seen) for seen in s.seen],
        },
    }
