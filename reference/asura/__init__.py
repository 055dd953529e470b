"""ASURA, semi-supervised active regression: Algorithms 1, 2 and 3 of the paper, exactly.

>>> import asura
>>> data = asura.ridge([[1, 2], [3, 1], [0, 1]], "1/2", labels=[1, "1/3", 0.25])
>>> data
Dataset(5 points of width 2, 3 of them unlabelled)
>>> fit = asura.regress(data, gamma="1/8", seed=7)
>>> fit
Regression(paid=3, draws=70, loss/OPT=1.0854 (exact), m=78)
>>> fit.coef.round(3)
array([-0.02 ,  0.451])

Numbers go in as integers, fractions, floats or strings ("1/3", "0.1") and are read exactly; they
come out as fractions and enclosures. A dozen names are all that most people need; everything else
has one place, in the order of the paper:

- `asura.dataset`: points X_1 and X_2, labels, ridge and kernel ridge regression;
- `asura.dimensions`: the reduced rank and its relatives (Section 3);
- `asura.algorithm2_asura`: Algorithm 2, with `asura.stopping` (when it ends) and `asura.run`;
- `asura.algorithm1_regression`: Algorithm 1, with `asura.sampling`, `asura.randomness` and
  `asura.labels`;
- `asura.algorithm3_packing` and `asura.lower_bound`: the lower bound (Section 5);
- `asura.guarantees`: from an accuracy to gamma, with explicit constants;
- `asura.arithmetic`: the four arithmetics; `asura.coordinates`: why no root is needed;
- `asura.trace`: what an implementation shows of its run.

From a table to a model, in doubles with rigorous checks: `asura.plan`, in `asura.engine`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asura.lazily import lazily

if TYPE_CHECKING:
    from asura.dataset import dataset as data
    from asura.dataset import kernel_ridge, ridge
    from asura.dimensions import reduced_rank
    from asura.engine.plan import plan
    from asura.engine.plan_files import load_plan, save_plan
    from asura.errors import AsuraError
    from asura.front_door import regress, sample
    from asura.rbf import rbf_kernel
    from asura.trace import trace_lines

    __version__: str

#: Where each name of the front door is defined; it is imported when it is first used.
_PLACES = {
    "AsuraError": "asura.errors",
    "data": "asura.dataset:dataset",
    "kernel_ridge": "asura.dataset",
    "load_plan": "asura.engine.plan_files",
    "plan": "asura.engine.plan",
    "rbf_kernel": "asura.rbf",
    "reduced_rank": "asura.dimensions",
    "regress": "asura.front_door",
    "ridge": "asura.dataset",
    "sample": "asura.front_door",
    "save_plan": "asura.engine.plan_files",
    "trace_lines": "asura.trace",
}

__all__ = [
    "AsuraError",
    "__version__",
    "data",
    "kernel_ridge",
    "load_plan",
    "plan",
    "rbf_kernel",
    "reduced_rank",
    "regress",
    "ridge",
    "sample",
    "save_plan",
    "trace_lines",
]


def _version() -> str:
    """The version of the installed package; it is written in pyproject.toml alone."""
    from importlib import metadata  # noqa: PLC0415 takes longer than the rest of this module

    try:
        return metadata.version("asura-reference")
    except metadata.PackageNotFoundError:
        return "not installed"


_get, __dir__ = lazily(__name__, _PLACES)


def __getattr__(name: str) -> object:
    return _version() if name == "__version__" else _get(name)
