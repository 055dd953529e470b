"""Profiles: `dev` is quick, `ci` has a fixed seed, `thorough` takes its time."""

import os

from hypothesis import HealthCheck, settings

COMMON = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    print_blob=True,
)
settings.register_profile("dev", COMMON, max_examples=15)
settings.register_profile("ci", COMMON, max_examples=30, derandomize=True, database=None)
settings.register_profile("thorough", COMMON, max_examples=1000)
settings.load_profile(os.environ.get("ASURA_PROFILE", "ci"))
