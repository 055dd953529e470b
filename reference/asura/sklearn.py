"""scikit-learn estimators that read only the labels they would buy.

`fit(X, y)` plans on X alone, then looks at `y` for the rows of the plan and nowhere else: what
active learning costs and gives on data whose labels are known. Where labels are still to be
measured, use `asura.engine.plan` and its `fit`.

>>> import numpy as np
>>> X = np.random.default_rng(0).standard_normal((200, 3))
>>> model = ActiveRidge(alpha=1.0, budget=40, random_state=0).fit(X, X @ [1.0, 2.0, 3.0])
>>> len(model.queried_) <= 40, model.coef_.round(1).tolist()
(True, [1.0, 2.0, 3.0])
"""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from asura.errors import missing_package

try:
    from sklearn.base import BaseEstimator, RegressorMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError:
    raise missing_package("this module needs scikit-learn", "sklearn", "scikit-learn") from None

from asura.engine.model import Model
from asura.engine.plan import plan

Vector = NDArray[np.float64]


def _budget(budget: int | float | None, rows: int, columns: int) -> int:
    """A number of labels: as given, a share of the rows, or twenty per coefficient."""
    if budget is None:
        return 20 * (columns + 1)
    if isinstance(budget, float) and 0 < budget < 1:
        return max(1, math.floor(budget * rows))
    if isinstance(budget, bool) or int(budget) != budget or budget < 1:
        raise ValueError(f"budget={budget!r}: expected a whole number >= 1 or a share in (0, 1)")
    return int(budget)


def _planned(
    estimator: Any, points: Vector, labels: Vector, settings: dict[str, Any], columns: int
) -> Model:
    """Plan, look at the labels of the plan, fit; what came out is left on the estimator."""
    seed = int(check_random_state(estimator.random_state).randint(2**31 - 1))
    limit = _budget(estimator.budget, len(points), columns)
    chosen = plan(points, budget=limit, seed=seed, trials=estimator.trials, **settings)
    estimator.queried_ = chosen.rows
    estimator.weights_ = chosen.weights
    estimator.n_labels_ = len(chosen.rows)
    estimator.guarantee_ = chosen.guarantee
    estimator.certificate_ = chosen.record.certificate
    return chosen.fit(lambda row: float(labels[row]))


class ActiveRidge(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Ridge regression on the labels of a plan: at most `budget` of them, surely.

    `alpha` is the ridge, as in `sklearn.linear_model.Ridge`; the intercept is never penalised.
    `budget` is a number of labels, a share of the rows, or None: twenty per coefficient.
    """

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        budget: int | float | None = None,
        fit_intercept: bool = True,
        trials: int = 100,
        random_state: Any = None,
    ) -> None:
        self.alpha = alpha
        self.budget = budget
        self.fit_intercept = fit_intercept
        self.trials = trials
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:  # noqa: N803 - scikit-learn's name
        """Buy labels of `y` by a plan on `X`, and fit."""
        points, labels = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        settings = {"ridge": float(self.alpha), "intercept": bool(self.fit_intercept)}
        model = _planned(self, points, np.asarray(labels, float), settings, points.shape[1])
        self.coef_ = model.coefficients
        self.intercept_ = model.intercept
        return self

    def predict(self, X: Any) -> Vector:  # noqa: N803
        """Predictions for new rows."""
        check_is_fitted(self)
        points = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(points @ self.coef_ + self.intercept_)


class ActiveKernelRidge(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Kernel ridge regression with exp(-|x - z|^2/(2 length^2)) on the labels of a plan."""

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        length: float = 1.0,
        budget: int | float | None = 0.5,
        fit_intercept: bool = True,
        trials: int = 100,
        random_state: Any = None,
    ) -> None:
        self.alpha = alpha
        self.length = length
        self.budget = budget
        self.fit_intercept = fit_intercept
        self.trials = trials
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:  # noqa: N803
        """Buy labels of `y` by a plan on `X`, and fit."""
        points, labels = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        settings = {
            "ridge": float(self.alpha),
            "intercept": bool(self.fit_intercept),
            "kernel": "rbf",
            "length": float(self.length),
        }
        self.model_ = _planned(self, points, np.asarray(labels, float), settings, points.shape[1])
        return self

    def predict(self, X: Any) -> Vector:  # noqa: N803
        """Predictions for new rows."""
        check_is_fitted(self)
        points = validate_data(self, X, dtype=np.float64, reset=False)
        return self.model_.predict(points)
