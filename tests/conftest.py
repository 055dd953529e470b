"""Profiles: `dev` is quick, `ci` has a fixed seed, `thorough` takes its time.

`mutation` is `ci` without shrinking: that a test fails is enough there.
"""

import os
import shutil

import pytest
from hypothesis import HealthCheck, Phase, settings

COMMON = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    print_blob=True,
)
settings.register_profile("dev", COMMON, max_examples=15)
settings.register_profile("ci", COMMON, max_examples=30, derandomize=True, database=None)
settings.register_profile("thorough", COMMON, max_examples=1000)
settings.register_profile(
    "mutation", settings.get_profile("ci"), phases=[Phase.explicit, Phase.generate]
)
settings.load_profile(os.environ.get("ASURA_PROFILE", "ci"))

#: The tests of the page drive a real browser; in CI they fail without one, elsewhere they wait.
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
IN_BROWSER = "tests/verification/report/page/test_browser.py"


def _without_browser() -> bool:
    return BROWSER is None and os.environ.get("CI") != "true"


def pytest_report_header() -> list[str]:
    if _without_browser():
        return [f"chromium is missing: {IN_BROWSER} is deselected (apt-get install chromium)"]
    return []


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if _without_browser():
        left_out = [item for item in items if item.path.as_posix().endswith(IN_BROWSER)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
