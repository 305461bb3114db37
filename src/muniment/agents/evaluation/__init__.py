"""Winning chances of King of the Tabletop positions, learned from games that agents played against themselves.

``chances`` is what a search asks at its leaves. ``features`` says what is measured, ``weights`` reads and writes what
was learned; ``selfplay`` and ``fitting``, which need the extra ``train``, learn it anew (``muniment train king``).
"""

from muniment.agents.evaluation.chances import Evaluation, chances

__all__ = ["Evaluation", "chances"]
