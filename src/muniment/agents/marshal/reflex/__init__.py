"""The quick player inside the search: plays a re-dealt state on by rules of thumb, a few microseconds a decision.

It acts on a full state, since that costs no view, but looks only at what the seat to act may see: its own tiles, what
is open, and how many face-down tiles lie where. A face-down tile of another counts as the average character.

* ``player``: the quick player; ``plain``: choices that need no thought
* ``home``, ``land``, ``war``, ``lineup``: its choices at home, about a land, in war, and where tiles go
* ``worth``, ``odds``: what tiles and lands are worth to whom, and the chance of so many hits
"""

from muniment.agents.marshal.reflex.lineup import Plan
from muniment.agents.marshal.reflex.player import Reflex

__all__ = ["Plan", "Reflex"]
