"""Hypothesis for all tests: no verdict depends on how fast the machine is."""

from hypothesis import HealthCheck, settings

# The first text of a fresh clone takes seconds: Hypothesis builds its tables of Unicode then.
settings.register_profile("livesim", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("livesim")
