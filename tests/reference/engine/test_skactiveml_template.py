"""The template tests of scikit-activeml, of its last release that brings them along.

`make test` puts that release beside the environment; only its folder skactiveml/tests is used, on
the scikit-activeml that is installed.
"""

from __future__ import annotations

import importlib
import sys
import unittest
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import skactiveml

from asura.skactiveml import FreeDraws

TEMPLATE = Path(sys.prefix) / "template" / "skactiveml"


def suite() -> unittest.TestSuite:
    """All tests of the template for pools with one annotator, on regression."""
    skactiveml.__path__.append(str(TEMPLATE))
    template: Any = importlib.import_module("skactiveml.tests.template_query_strategy")

    base = template.TemplateSingleAnnotatorPoolQueryStrategy

    def set_up(self: Any) -> None:
        labels = np.array([1.0, 2.0, *[np.nan] * 6])
        points = np.random.default_rng(0).standard_normal((8, 2))
        base.setUp(
            self,
            qs_class=FreeDraws,
            init_default_params={},
            query_default_params_reg={"X": points, "y": labels},
        )

    def alpha(self: Any) -> None:
        self._test_param("init", "alpha", [(1.0, None), (-1.0, ValueError), ("a", TypeError)])

    def fit_intercept(self: Any) -> None:
        cases = [(True, None), ("a", TypeError), (2, TypeError)]
        self._test_param("init", "fit_intercept", cases)

    def query(self: Any) -> None:
        picks = FreeDraws(random_state=0).query(**self.query_default_params_reg)
        assert int(picks[0]) in range(2, 8)

    tests = {
        "setUp": set_up,
        "test_init_param_alpha": alpha,
        "test_init_param_fit_intercept": fit_intercept,
        "test_query": query,
    }
    made = type("TestFreeDraws", (base, unittest.TestCase), tests)
    return unittest.defaultTestLoader.loadTestsFromTestCase(made)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(not TEMPLATE.is_dir(), reason="only `make test` installs the template tests")
def test_the_template_tests_of_scikit_activeml() -> None:
    result = unittest.TestResult()
    suite().run(result)
    assert result.testsRun >= 22
    assert not [report for _, report in [*result.failures, *result.errors, *result.skipped]]
