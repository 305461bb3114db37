"""The agent ``marshal``: information-set Monte Carlo tree search for King of the Tabletop.

* ``player``: the agent; ``doctrine``: what it does without search, and does first with it
* ``moves``: what it considers at a decision; a line-up or a squad is one move, carried out tile by tile
* ``search``: deals the hidden tiles again and again, and compares the moves on the same deals
* ``tree``: what the players choose after that, as far as the search has been there
* ``reflex``: the quick player that plays re-dealt states on; leaves are valued by ``agents.evaluation``
* ``budget``: how many iterations, or how long
"""

from muniment.agents.marshal.budget import Budget
from muniment.agents.marshal.player import Marshal

__all__ = ["Budget", "Marshal"]
