"""The two things that most people do: sample points, and regress on their labels.

>>> from asura.dataset import dataset
>>> points = dataset([[1], [2], [3]], labels=[1, 2, 4])
>>> sample(points, gamma="1/4", arithmetic="exact")
Run(m=9, labels=2, draws=9, gamma=1/4, paper rule, exact)
>>> asked = []
>>> def measure(index):
...     asked.append(index)
...     return 2 * index
>>> regress(dataset([[1], [2], [3]]), gamma="1/4", labels=measure)
Regression(paid=2, draws=9, loss unknown, m=9)
>>> sorted(asked)                                    # each label is asked for once
[1, 2]
>>> regress(points, procedure="volume", size=1)     # another sampler (`asura.samplers.naming`)
Regression(paid=1, draws=1, loss/OPT=1.5556 (exact))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from asura.algorithm1_regression import Regression, active_regression
from asura.arithmetic import (
    EXACT,
    Arithmetic,
    DoubleArithmetic,
    MultiprecisionArithmetic,
)
from asura.dataset import Dataset
from asura.errors import ConflictingOptions, UnknownName
from asura.guarantees import best_guarantee, gamma_for
from asura.randomness import Chooser, Seed
from asura.rates import Rates, rates_named
from asura.run import Run, run
from asura.samplers.naming import named
from asura.sampling import AsuraSampling, SamplingProcedure
from asura.stopping import PAPER, StoppingRule, sure

#: What answers a query: a callable that is asked once per point, or the labels by index.
Labels = Callable[[int], object] | Mapping[int, object] | Sequence[object]

ARITHMETICS: dict[str, Callable[[], Arithmetic[Any, Any] | None]] = {
    "ball": lambda: None,
    "exact": lambda: EXACT,
    "multiprecision": lambda: MultiprecisionArithmetic(50),
    "double": DoubleArithmetic,
}


RULES: dict[str, StoppingRule] = {"paper": PAPER, "sure": sure()}


def _rule(chosen: str | StoppingRule | None) -> StoppingRule | None:
    """A stopping rule by its name; `asura.stopping.sure(T)` has other levels."""
    if not isinstance(chosen, str):
        return chosen
    if chosen not in RULES:
        names = ", ".join(RULES)
        raise UnknownName(f"stopping rule {chosen!r}: expected one of {names}", value=chosen)
    return RULES[chosen]


def _arithmetic(chosen: str | Arithmetic[Any, Any]) -> Arithmetic[Any, Any] | None:
    """An arithmetic by its name; None stands for balls of a fitting precision."""
    if not isinstance(chosen, str):
        return chosen
    if chosen not in ARITHMETICS:
        names = ", ".join(ARITHMETICS)
        raise UnknownName(f"arithmetic {chosen!r}: expected one of {names}", value=chosen)
    return ARITHMETICS[chosen]()


def _parameters(
    data: Dataset,
    gamma: object,
    epsilon: object,
    stopping: str | StoppingRule | None,
    rates: str,
) -> tuple[Fraction, StoppingRule, Rates]:
    """Gamma and the rule: as given, or what the best guarantee needs for an accuracy."""
    if (gamma is None) == (epsilon is None):
        raise ConflictingOptions(
            "expected exactly one of gamma and epsilon", value=(gamma, epsilon)
        )
    rule, chosen = _rule(stopping), rates_named(rates)
    if gamma is not None:
        return chosen.read_gamma(gamma), PAPER if rule is None else rule, chosen
    guarantee = best_guarantee(None if rule is None else rule.name, chosen)
    choice = gamma_for(epsilon, guarantee=guarantee, dimension=data.dimension)
    return choice.gamma, choice.stopping, chosen


def sample(
    data: Dataset,
    gamma: object = None,
    *,
    epsilon: object = None,
    seed: int = 0,
    chooser: Chooser | None = None,
    stopping: str | StoppingRule | None = None,
    rates: str = "paper",
    arithmetic: str | Arithmetic[Any, Any] = "ball",
) -> Run[Any, Any]:
    """Algorithm 2: which points to label, and with what weights.

    Give `gamma`, or an accuracy `epsilon` from which gamma and the stopping rule are computed
    (the sure rule, unless `stopping="paper"`). `rates` are the paper's, or "tight", which need
    fewer labels. `arithmetic` is "ball", "exact", "multiprecision" or "double".
    """
    exact_gamma, rule, chosen = _parameters(data, gamma, epsilon, stopping, rates)
    return run(
        data,
        exact_gamma,
        arithmetic=_arithmetic(arithmetic),
        chooser=Seed(seed) if chooser is None else chooser,
        stopping=rule,
        rates=chosen,
    )


def regress(
    data: Dataset,
    gamma: object = None,
    *,
    epsilon: object = None,
    seed: int = 0,
    chooser: Chooser | None = None,
    stopping: str | StoppingRule | None = None,
    rates: str = "paper",
    arithmetic: str | Arithmetic[Any, Any] = "ball",
    labels: Labels | None = None,
    procedure: str | SamplingProcedure[Any, Any] | None = None,
    size: object = None,
) -> Regression:
    """Algorithm 1: sample, ask for the labels of the sampled points, solve on the sample.

    `labels` answers the queries: a callable that is called once for each point of X_1 that was
    drawn, or the labels by index; by default the labels that the data carry. `procedure` samples
    in another way than Algorithm 2, and then takes neither gamma nor epsilon: by its name and
    `size` (`asura.samplers.naming`), or as an object that has its own (`asura.sampling`).
    """
    if size is not None and not isinstance(procedure, str):
        raise ConflictingOptions("a size without the name of a procedure", value=size)
    if isinstance(procedure, str):
        own = procedure == "asura" and size is None
        procedure = None if own else named(procedure, size, double=arithmetic == "double")
    if procedure is None:
        exact_gamma, rule, chosen = _parameters(data, gamma, epsilon, stopping, rates)
        procedure = AsuraSampling(exact_gamma, _arithmetic(arithmetic), rule, rates=chosen)
    elif gamma is not None or epsilon is not None:
        raise ConflictingOptions(
            "a procedure has its own parameters: expected neither gamma nor epsilon with it",
            value=procedure,
        )
    ask = None if labels is None else labels if callable(labels) else labels.__getitem__
    return active_regression(
        data, procedure, chooser=Seed(seed) if chooser is None else chooser, ask=ask
    )
