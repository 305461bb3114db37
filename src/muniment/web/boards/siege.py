"""The two track cards of 9 Card Siege (2.2, 2.3) and its event cards, drawn from a view.

The drawings are the ground; pieces and buttons lie above them as elements of their own, placed by the style sheet
``siege.css``, whose figures are those of the columns and rows here. So pieces can glide from one position to the next.
"""

from __future__ import annotations

from markupsafe import Markup

from muniment.games.siege.terms import (
    CIRCLE,
    CLOSE_COMBAT,
    ENEMY_LINES,
    MAX_CLOSE_COMBAT,
    MAX_RAIDED,
    MAX_STATUS,
    MAX_TREBUCHETS,
    REMOVED,
    START,
    STATUSES,
    TUNNEL_NAMES,
    UNITS,
)
from muniment.games.siege.view import SiegeView
from muniment.web.boards.svg import Drawing

__all__ = ["STATUS_ART", "UNIT_ART", "enemy_card", "status_card"]

UNIT_ART = ("art-ladders", "art-battering-ram", "art-siege-tower")
STATUS_ART = ("art-wall", "art-banner", "art-barrel")
_UNIT_TITLES = (("Ladders",), ("Battering", "ram"), ("Siege", "tower"))
_STATUS_TITLES = ("Wall", "Morale", "Supplies")
WIDTH, HEIGHT = 400, 600

# The enemy card: the middle of each column's spaces, and of each row.
UNIT_X = (46, 150, 254)
TREBUCHET_X = 358
SPACE_Y = {START: 122, 3: 210, 2: 288, CIRCLE: 366, CLOSE_COMBAT: 456}
# The status card.
STATUS_X = (48, 176, 304)
STATUS_Y = (348, 286, 224, 162, 100)
TUNNEL_X = (52, 151, 249, 348)
TUNNEL_Y = 474


def _parchment(drawing: Drawing) -> None:
    """The card itself, with a double rule."""
    drawing.rect("card-paper", 1.5, 1.5, WIDTH - 3, HEIGHT - 3, 14)
    drawing.rect("rule", 7, 7, WIDTH - 14, HEIGHT - 14, 9)


def enemy_card(view: SiegeView) -> Markup:
    """Three roads to the castle, the close combat area before its wall, and the trebuchets (2.2)."""
    drawing = Drawing(WIDTH, HEIGHT, "ground")
    _parchment(drawing)
    _camp(drawing)
    for unit in UNITS:
        _road(drawing, view, unit)
    _close_combat(drawing, view)
    _trebuchets(drawing, view)
    _curtain_wall(drawing)
    return drawing.picture()


def _camp(drawing: Drawing) -> None:
    """The hills from which the enemy comes, and his tents."""
    drawing.path("hill", "M10,168 V128 Q40,96 92,112 Q120,84 168,108 Q214,80 262,104 Q300,86 322,108 V168Z")
    drawing.path("hatched-wide", "M10,168 V128 Q40,96 92,112 Q120,84 168,108 Q214,80 262,104 Q300,86 322,108 V168Z")
    drawing.path("field", "M10,160 H318 V500 H10Z")
    drawing.path("stubbled", "M10,170 H318 V420 H10Z")


def _road(drawing: Drawing, view: SiegeView, unit: int) -> None:
    """One enemy track: start, 3, 2, the circle, and on to close combat."""
    x, top, low = UNIT_X[unit], SPACE_Y[START], SPACE_Y[CLOSE_COMBAT]
    drawing.path("road", f"M{x - 13},{top} L{x - 9},{low} H{x + 9} L{x + 13},{top}Z")
    drawing.path("ruts", f"M{x - 5},{top} V{low - 30} M{x + 5},{top} V{low - 30}")
    titles = _UNIT_TITLES[unit]
    for line, title in enumerate(titles):
        drawing.text(x - 30, 42 + line * 18, title, "title", "start")
    drawing.rect("space start", x - 33, SPACE_Y[START] - 33, 66, 66, 12)
    drawing.use(UNIT_ART[unit], x - 26, SPACE_Y[START] - 26, 52, "ghost-piece")
    drawing.use("art-shield", x + 36, 92, 28)
    drawing.text(x + 50, 114, view.edition.strength[unit], "strength")
    for space in (3, 2):
        drawing.rect("space", x - 31, SPACE_Y[space] - 31, 62, 62, 5)
        drawing.rect("rule", x - 27, SPACE_Y[space] - 27, 54, 54, 3)
        drawing.text(x, SPACE_Y[space] + 11, space, "numeral")
    drawing.circle("space", x, SPACE_Y[CIRCLE], 34)
    drawing.circle("rule", x, SPACE_Y[CIRCLE], 30)
    drawing.text(x, SPACE_Y[CIRCLE] + 11, CIRCLE, "numeral")
    for y in (173, 249, 327, 411):
        drawing.path("chevron", f"M{x - 6},{y - 3} L{x},{y + 3} L{x + 6},{y - 3}")
    if view.units[unit] == REMOVED:
        drawing.path("struck", f"M{x - 28},{SPACE_Y[START] + 28} L{x + 28},{SPACE_Y[START] - 28}")
        drawing.text(x, SPACE_Y[START] + 48, "out of the game", "small strong")


def _close_combat(drawing: Drawing, view: SiegeView) -> None:
    """The strip before the wall, with room for two units."""
    held = view.units.count(CLOSE_COMBAT)
    danger = " danger" if held >= MAX_CLOSE_COMBAT else ""
    drawing.rect(f"melee{danger}", 12, 418, 306, 80, 6)
    drawing.path("hatched-wide", "M12,418 H318 V498 H12Z")
    drawing.rect("rule", 16, 422, 298, 72, 4)
    for unit in UNITS:
        drawing.path("rule dashed", f"M{UNIT_X[unit] - 31},425 H{UNIT_X[unit] + 31} V491 H{UNIT_X[unit] - 31}Z")
    drawing.text(TREBUCHET_X, 432, "Close", "small strong")
    drawing.text(TREBUCHET_X, 447, "combat", "small strong")
    drawing.use("art-shield", 328, 456, 30)
    drawing.text(343, 479, view.edition.close_combat_strength, "strength")
    for place in range(MAX_CLOSE_COMBAT):
        drawing.circle("place taken" if place < held else "place", 374, 463 + place * 18, 6.5)


def _trebuchets(drawing: Drawing, view: SiegeView) -> None:
    """The count of trebuchets (2.2.3): those that stand, and wrecks for the others."""
    drawing.rect("panel", 322, 76, 70, 330, 8)
    drawing.text(TREBUCHET_X - 4, 42, "Trebuchets", "title narrow")
    drawing.text(TREBUCHET_X, 62, f"{view.trebuchets} of {MAX_TREBUCHETS}", "strong")
    for place in range(MAX_TREBUCHETS):
        y = 84 + place * 76
        drawing.path("stubble-line", f"M328,{y + 62} H388")
        if place < view.trebuchets:
            drawing.use("art-trebuchet", TREBUCHET_X - 30, y, 60)
        else:
            drawing.use("art-wreck", TREBUCHET_X - 30, y, 60)


def _curtain_wall(drawing: Drawing) -> None:
    """The castle's wall at the foot of the card, with its gate where the ram comes and a tower at each end."""
    merlons = "".join(f" v-12 h13 v12 h{11}" for _ in range(13))
    drawing.path("masonry", f"M44,592 V530 h2{merlons} H356 V592Z")
    drawing.path("stoned", "M44,592 V530 H356 V592Z")
    for left in (10, 336):
        drawing.path("masonry", f"M{left},592 V516 h-2 v-14 h12 v7 h9 v-7 h14 v7 h9 v-7 h12 v14 h-2 V592Z")
        drawing.path("stoned", f"M{left},592 V520 H{left + 52} V592Z")
        drawing.path("loophole", f"M{left + 24},536 h4 v9 h5 v4 h-5 v14 h-4 v-14 h-5 v-4 h5Z")
    drawing.path("masonry", "M112,592 V518 h-2 v-10 h10 v5 h8 v-5 h12 v5 h20 v-5 h12 v5 h8 v-5 h10 v10 h-2 V592Z")
    drawing.path("gate", "M130,592 V556 Q150,530 170,556 V592Z")
    drawing.path("grille", "M138,547 V592 M146,541 V592 M154,541 V592 M162,547 V592 M130,562 H170 M130,576 H170")
    for x in (226, 282):
        drawing.path("loophole", f"M{x},546 h4 v9 h5 v4 h-5 v14 h-4 v-14 h-5 v-4 h5Z")
    drawing.path("loophole", "M84,546 h4 v9 h5 v4 h-5 v14 h-4 v-14 h-5 v-4 h5Z")
    drawing.path("rule", "M10,592 H390")


def status_card(view: SiegeView) -> Markup:
    """Wall, morale and supplies, the tunnel and the raided supplies (2.3)."""
    drawing = Drawing(WIDTH, HEIGHT, "ground")
    _parchment(drawing)
    needs = (f"{view.edition.raise_wall_at}+ mends", f"{view.edition.raise_morale_at}+ lifts", "raid to refill")
    for track in STATUSES:
        x = STATUS_X[track]
        drawing.text(x - 32, 38, _STATUS_TITLES[track], "title", "start")
        drawing.text(x - 32, 58, needs[track], "small", "start")
        drawing.path("road", f"M{x - 6},{STATUS_Y[MAX_STATUS]} V{STATUS_Y[0]} H{x + 6} V{STATUS_Y[MAX_STATUS]}Z")
        for level in range(MAX_STATUS, -1, -1):
            y = STATUS_Y[level]
            drawing.rect("space lost" if level == 0 else "space", x - 28, y - 27, 56, 54, 5)
            if level == 0:
                drawing.rect("cross-hatched", x - 28, y - 27, 56, 54, 5)
            drawing.rect("rule", x - 24, y - 23, 48, 46, 3)
            drawing.text(x, y + 10, level, "numeral")
    _tunnel(drawing, view)
    return drawing.picture()


def _tunnel(drawing: Drawing, view: SiegeView) -> None:
    """Earth in section, with the tunnel from the castle to the enemy lines."""
    section = "M8,592 V400 Q60,392 120,398 T230,396 T330,399 T392,396 V582 Q392,592 382,592 H18 Q8,592 8,582Z"
    drawing.path("earth", section)
    drawing.path("hatched", section)
    drawing.path("ground-line", "M8,400 Q60,392 120,398 T230,396 T330,399 T392,396")
    drawing.path("tunnel", f"M{TUNNEL_X[0]},{TUNNEL_Y - 22} H{TUNNEL_X[3]} V{TUNNEL_Y + 26} H{TUNNEL_X[0]}Z")
    for x in range(92, 320, 24):
        drawing.path("prop", f"M{x},{TUNNEL_Y - 22} V{TUNNEL_Y + 26}")
    for place, name in enumerate(TUNNEL_NAMES):
        x = TUNNEL_X[place]
        drawing.rect("space", x - 32, TUNNEL_Y - 32, 64, 64, 30 if place in (1, 2) else 8)
        if place == 0:
            drawing.use("art-castle", x - 25, TUNNEL_Y - 27, 50, "ghost-piece")
        elif place == ENEMY_LINES:
            drawing.use("art-tents", x - 25, TUNNEL_Y - 27, 50, "ghost-piece")
        else:
            drawing.path("chevron", f"M{x - 5},{TUNNEL_Y - 6} L{x + 3},{TUNNEL_Y} L{x - 5},{TUNNEL_Y + 6}")
        drawing.rect("caption", x - 41, TUNNEL_Y + 37, 82, 19, 4)
        drawing.text(x, TUNNEL_Y + 51, name.capitalize(), "small")
    drawing.rect("caption", 198, 406, 190, 34, 6)
    drawing.text(206, 427, "Raided", "small strong", "start")
    for carried in range(MAX_RAIDED):
        x = 330 + carried * 36
        drawing.rect("space", x - 16, 408, 32, 30, 4)
        if carried < view.raided:
            drawing.use("art-sack", x - 14, 409, 28)
    drawing.text(272, 427, f"{view.raided} of {MAX_RAIDED}", "small", "start")
