"""Before any choice: read the table, make the two passes, and see what is to be decided."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, SupportsFloat

import numpy as np
from numpy.typing import NDArray

from asura.engine import choosing, memory
from asura.engine.choosing import TRIALS, Promise
from asura.engine.free_draws import Pool
from asura.engine.gram import spectrum
from asura.engine.kernels import require_room
from asura.engine.methods import COINS, family
from asura.engine.problem import Problem, Settings, problem
from asura.engine.procedures import Procedure
from asura.engine.rows import Matrix
from asura.engine.tables import all_finite, read_table, with_known
from asura.errors import BudgetOutOfRange, EpsilonOutOfRange, NotAScalar

Indices = NDArray[np.intp]
Progress = Callable[[str, float], None]

#: Square matrices that a plan keeps at a time, besides one per processor.
_SQUARES = 10


def silent(_stage: str, _share: float) -> None:
    """No report of progress."""


def read_budget(budget: object) -> int:
    """A whole number of labels, at least 1."""
    if isinstance(budget, bool) or not isinstance(budget, int | np.integer) or budget < 1:
        raise BudgetOutOfRange(f"budget {budget}: expected a whole number >= 1", value=budget)
    return int(budget)


def read_seed(seed: object) -> int:
    """A whole number."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
        raise NotAScalar(f"seed {seed!r}: expected a whole number", value=seed)
    return int(seed)


def _number(name: str, value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise NotAScalar(f"--{name} {value!r}: expected a number", value=value) from None


def read_epsilon(epsilon: object) -> float:
    """A positive accuracy."""
    try:
        value = float(epsilon) if isinstance(epsilon, SupportsFloat | str) else math.nan
    except ValueError:
        value = math.nan
    if not 0 < value < np.inf:
        raise EpsilonOutOfRange(f"--epsilon {epsilon}: expected a number > 0", value=epsilon)
    return value


@dataclass(frozen=True, repr=False)
class Prepared:
    """A problem after its two passes: what any budget or accuracy is decided from."""

    problem: Problem
    pool: Pool
    identifier: str | None
    started: float

    @property
    def reduced_rank(self) -> float:
        """R_X."""
        return self.pool.spectrum.reduced_rank

    @property
    def useful(self) -> Indices:
        """The rows of X_1 whose labels say something (leverage > 0)."""
        return np.flatnonzero(self.pool.spectrum.leverages > 0)

    @property
    def undetermined(self) -> int:
        """How many directions X_2 says nothing about: so many labels are needed at least."""
        kept = self.pool.spectrum.kept.gram
        values = np.linalg.eigvalsh(kept) if len(kept) else np.zeros(0)
        return int(np.count_nonzero(values <= len(kept) * 1e-13))

    def choice(
        self,
        method: str,
        budget: int | None,
        epsilon: float | None,
        seed: int,
        progress: Progress = silent,
        trials: int = TRIALS,
    ) -> tuple[Pool, Procedure | None, Promise | None]:
        """What to draw from, how, and what that promises.

        Without a procedure only all labels do; without a promise there is no guarantee.
        """
        kind = family(
            method, self.problem, self.pool, seed, lambda share: progress("leverages", share)
        )
        if budget is not None:
            return kind.pool, *choosing.for_budget(kind, budget, progress, trials)
        found = choosing.for_accuracy(kind, epsilon or 0.0, progress, trials)
        return kind.pool, *((None, None) if found is None else found)

    def promise(
        self,
        budget: int | None,
        epsilon: float | None,
        seed: int,
        progress: Progress = silent,
        trials: int = TRIALS,
        method: str = COINS,
    ) -> Promise | None:
        """What a budget buys, or what an accuracy costs; None where there is no promise."""
        return self.choice(method, budget, epsilon, seed, progress, trials)[2]


def _look(features: Matrix, settings: Settings, progress: Progress) -> bool:
    """Whether all numbers are finite, after a kernel that cannot fit was refused."""
    if settings.kernel is not None:
        require_room(features, settings.kernel)
    return all_finite(features, lambda share: progress("reading", share))


def prepare(
    source: object,
    *,
    target: str | None = None,
    identifier: str | None = None,
    features: Sequence[str] | None = None,
    labels: object = None,
    ridge: float = 0.0,
    intercept: bool = True,
    kernel: Literal["rbf", "given"] | None = None,
    length: float | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    decimal: str = ".",
    progress: Progress = silent,
) -> Prepared:
    """Read the table and make the two passes."""
    started = time.monotonic()
    scale = None if length is None else _number("length", length)
    settings = Settings(_number("ridge", ridge), intercept, kernel, scale)
    table = read_table(
        source,
        target=target,
        identifier=identifier,
        features=features,
        delimiter=delimiter,
        header=header,
        decimal=decimal,
        look=lambda features: _look(features, settings, progress),
    )
    if labels is not None:
        table = with_known(table, labels, delimiter=delimiter, decimal=decimal)
    task = problem(table, settings, progress)
    width = task.rows.width
    memory.require(
        8 * width**2 * ((os.cpu_count() or 1) + _SQUARES),
        f"{table.source}: {width} columns",
        "leave some out (--features), or take --kernel",
    )
    found = spectrum(
        task.rows, task.known, task.penalty, lambda share: progress("leverages", share)
    )
    return Prepared(task, Pool(task.rows, task.candidates, found), identifier, started)
