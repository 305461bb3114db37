"""9 Card Siege: a solo game of seven event cards, a fortress and three days, by Chris Hansen."""

from muniment.games.siege.edition import SiegeEdition, load_edition, standard_edition
from muniment.games.siege.game import Siege
from muniment.games.siege.options import SiegeOptions

__all__ = ["Siege", "SiegeEdition", "SiegeOptions", "load_edition", "standard_edition"]
