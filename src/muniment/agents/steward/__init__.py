"""The agent ``steward``: a sound hand-written player of King of the Tabletop, the yardstick of later agents.

* ``player``: the agent, which hands every kind of decision to its function
* ``table``: what its view says; ``force``: what groups of characters can do
* ``home``: mustering, special characters, building; ``land``: lands and tiles for gold
* ``war``, ``lineup``, ``battle``: whom to attack, who stands where, who takes the hits
* ``magic``, ``charm``: the items; ``deeds``: thief, assassin, trades
"""

from muniment.agents.steward.player import Steward

__all__ = ["Steward"]
