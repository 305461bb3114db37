"""The agent ``sentry``: Monte Carlo search for 9 Card Siege, with any cards and options, and no table.

* ``player``: the agent; which candidates get how many rounds
* ``rounds``: courses of chance, the same for all candidates
* ``turn``: the rest of the present turn, thought through
* ``judgement``: the chance to hold out at the start of a turn; ``features`` says what it looks at
* ``fitting``: learns the judgement from solved games; needs the extra ``solve``
"""

from muniment.agents.sentry.player import ROLLOUTS, Sentry, estimates
from muniment.agents.sentry.rounds import Candidate, Estimate, Rounds

__all__ = ["ROLLOUTS", "Candidate", "Estimate", "Rounds", "Sentry", "estimates"]
