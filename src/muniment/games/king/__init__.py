"""King of the Tabletop: two to four players raise armies, build and go to war until one is king.

By Tom Wham and Robert Kuntz. ``King`` is the game; the modules are named after the parts of its rulebook.
"""

from muniment.games.king.game import King
from muniment.games.king.options import KingOptions
from muniment.games.king.tiles import KingEdition, read_edition, standard_edition

__all__ = ["King", "KingEdition", "KingOptions", "read_edition", "standard_edition"]
