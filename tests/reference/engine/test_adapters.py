"""The adapters keep the contracts of scikit-learn and scikit-activeml."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

from asura.skactiveml import FreeDraws, _leverages
from asura.sklearn import ActiveKernelRidge, ActiveRidge

RNG = np.random.default_rng(2)
FRAME = pd.DataFrame(RNG.standard_normal((120, 3)), columns=["a", "b", "c"])
LABELS = FRAME.to_numpy() @ np.array([1.0, 2.0, -1.0]) + 3 + 0.1 * RNG.standard_normal(120)


ESTIMATORS = [ActiveRidge(trials=4), ActiveKernelRidge(trials=4)]
#: SciPy decides at its import whether it takes other arrays than NumPy's.
OTHER_ARRAYS = "check_array_api_input"


def _named(part: Any) -> str:
    """A name that is the same in every process: not the address of a function."""
    options = getattr(part, "keywords", {})
    name = getattr(getattr(part, "func", part), "__name__", type(part).__name__)
    return "-".join([name, *(f"{key}={value}" for key, value in options.items())])


EVERY = [pair for each in ESTIMATORS for pair in estimator_checks_generator(each)]
CHECKS = [pair for pair in EVERY if not _named(pair[1]).startswith(OTHER_ARRAYS)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("estimator", "check"), CHECKS, ids=_named)
def test_every_check_of_scikit_learn(estimator: Any, check: Callable[[Any], None]) -> None:
    check(clone(estimator))


def test_the_checks_of_other_arrays_in_a_process_of_their_own() -> None:
    left = [pair for pair in EVERY if _named(pair[1]).startswith(OTHER_ARRAYS)]
    if not left:  # nothing is lost: what is not named so is tried above
        pytest.skip("this scikit-learn has no checks of other arrays")
    assert len(left) == len(ESTIMATORS)
    script = (
        "import warnings; warnings.simplefilter('ignore')\n"
        "from sklearn.base import clone\n"
        "from tests.reference.engine.test_adapters import EVERY, OTHER_ARRAYS, _named\n"
        "for estimator, check in EVERY:\n"
        "    if _named(check).startswith(OTHER_ARRAYS): check(clone(estimator)); print('passed')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"SCIPY_ARRAY_API": "1", "PYTHONPATH": "."},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["passed"] * len(left), done.stderr[-500:]


def test_only_the_labels_of_the_plan_are_read() -> None:
    model = ActiveRidge(budget=40, random_state=1).fit(FRAME, LABELS)
    assert model.n_labels_ == len(model.queried_) <= 40
    others = np.setdiff1d(np.arange(120), model.queried_)
    forged = LABELS.copy()
    forged[others] = 1e9
    again = ActiveRidge(budget=40, random_state=1).fit(FRAME, forged)
    assert again.coef_.tolist() == model.coef_.tolist()
    assert "surely" in model.guarantee_


def test_weights_in_ridge_give_the_same_coefficients() -> None:
    """Up to the rounding of two programs, 1e-11 of the largest."""
    model = ActiveRidge(alpha=2.0, budget=40, random_state=1).fit(FRAME, LABELS)
    rows = model.queried_
    ridge = Ridge(alpha=2.0, solver="svd").fit(
        FRAME.iloc[rows], LABELS[rows], sample_weight=model.weights_
    )
    assert np.abs(ridge.coef_ - model.coef_).max() < 1e-11 * np.abs(ridge.coef_).max()


def test_pipeline_grid_search_and_names() -> None:
    scaler = StandardScaler().set_output(transform="pandas")
    pipeline = make_pipeline(scaler, ActiveRidge(budget=0.5, trials=4, random_state=0))
    search = GridSearchCV(pipeline, {"activeridge__alpha": [0.1, 1e3]}, cv=3).fit(FRAME, LABELS)
    assert search.best_params_ == {"activeridge__alpha": 0.1}
    best = search.best_estimator_[-1]
    assert best.feature_names_in_.tolist() == ["a", "b", "c"]
    assert best.n_labels_ <= 60
    assert search.score(FRAME, LABELS) > 0.99
    kernel = ActiveKernelRidge(0.1, length=2.0, budget=60, random_state=0).fit(FRAME, LABELS)
    assert kernel.score(FRAME, LABELS) > 0.9


@pytest.mark.parametrize("budget", [0, -1, 2.5, True, 0.0])
def test_budgets_that_are_none(budget: Any) -> None:
    with pytest.raises(ValueError, match="budget"):
        ActiveRidge(budget=budget).fit(FRAME, LABELS)


def _unlabelled(known: int) -> Any:
    labels = LABELS.copy()
    labels[known:] = np.nan
    return labels


def test_a_query_has_the_size_asked_for() -> None:
    points = FRAME.to_numpy()
    strategy = FreeDraws(random_state=3)
    for size in (1, 5, 50, 110):
        picks, utilities = strategy.query(
            points, _unlabelled(10), batch_size=size, return_utilities=True
        )
        assert len(set(picks.tolist())) == size
        assert min(picks) >= 10
        assert utilities.shape == (size, 120)
        assert np.isnan(utilities[0]).sum() == 10
        assert np.isnan(utilities[-1]).sum() == 10 + size - 1
        assert len(strategy.weights_) == size
        assert (strategy.weights_ >= 1).all()
    with pytest.warns(UserWarning, match="batch_size"):
        assert len(strategy.query(points, _unlabelled(10), batch_size=111)) == 110


def test_candidates_as_indices_and_as_points() -> None:
    points = FRAME.to_numpy()
    strategy = clone(FreeDraws(random_state=3))
    whole = strategy.query(points, _unlabelled(10), return_utilities=True)
    named = strategy.query(points, _unlabelled(10), np.arange(10, 120), return_utilities=True)
    assert whole[0].tolist() == named[0].tolist()
    given = strategy.query(points, _unlabelled(10), points[10:], return_utilities=True)
    assert given[1][0].tolist() == whole[1][0][10:].tolist()
    assert strategy.query(points, _unlabelled(10), [77]).tolist() == [77]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"alpha": -1.0}, ValueError),
        ({"alpha": float("nan")}, ValueError),
        ({"alpha": "x"}, TypeError),
        ({"fit_intercept": "x"}, TypeError),
    ],
)
def test_strategies_that_are_none(options: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        FreeDraws(**options).query(FRAME.to_numpy(), _unlabelled(10))


def test_single_queries_follow_the_leverages() -> None:
    """Given one of two rows, it is the first with odds l_1 : l_2. False alarm 1e-8."""
    points = np.array([[1.0], [3.0]])
    leverages = _leverages(np.zeros((0, 1)), points, 1.0, False)
    draws = 600
    labels = np.full(2, np.nan)
    first = sum(
        int(FreeDraws(1.0, False, random_state=k).query(points, labels)[0] == 0)
        for k in range(draws)
    )
    chance = float(leverages[0] / leverages.sum())
    assert stats.binomtest(first, draws, chance).pvalue > 1e-8
    assert stats.binomtest(first, draws, 0.5).pvalue < 1e-8  # and a uniform strategy is noticed
