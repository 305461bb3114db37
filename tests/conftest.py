"""What every test shares: how hypothesis looks for counterexamples.

The profile `ci` tries the same examples in every run, on every machine; HYPOTHESIS_PROFILE=explore tries many
more, new ones in each run, and keeps what it found in .hypothesis/.
"""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("explore", deadline=None, max_examples=5_000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
