"""What `asura run --procedure NAME` says: the sample, what it costs, and what it is worth."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from asura.algorithm1_regression import Regression, active_regression
from asura.dataset import Dataset
from asura.dimensions import enclosed_reduced_rank
from asura.randomness import Chooser
from asura.samplers.naming import named
from asura.sampling import WeightedSample
from asura.scalars import Enclosure, fraction, show_scalar, write_scalar


@dataclass(frozen=True)
class _Given:
    """Hands a sample to Algorithm 1 as its sampling procedure."""

    drawn: WeightedSample[Any, Any]

    def sample(self, data: Dataset, chooser: Chooser) -> WeightedSample[Any, Any]:
        """The sample that was drawn already."""
        return self.drawn


@dataclass(frozen=True)
class Sampled:
    """A sample by name, and Algorithm 1 on it when every sampled label is known."""

    name: str
    data: Dataset
    sample: WeightedSample[Any, Any]
    fit: Regression | None
    how: str = "exact"

    @property
    def queries(self) -> list[tuple[int, int, Fraction]]:
        """The points of X_1 in the sample: how often each was drawn, and its whole weight."""
        found: dict[int, tuple[int, Fraction]] = {}
        for index, weight in zip(self.sample.picks, self.sample.weights, strict=True):
            if index < self.data.unlabelled:
                draws, total = found.get(index, (0, Fraction(0)))
                found[index] = (draws + 1, total + fraction(weight))
        return [(index, *found[index]) for index in sorted(found)]

    @property
    def draws(self) -> int:
        """Points of X_1 in the sample, with repetitions."""
        return sum(draws for _, draws, _ in self.queries)


def sample_by_name(
    name: str, size: object, data: Dataset, chooser: Chooser, *, double: bool = False
) -> Sampled:
    """Sample, exactly or in doubles, and regress when the labels allow it."""
    sample = named(name, size, double=double).sample(data, chooser)
    known = all(data.labels[index] is not None for index in sample.picks)
    fit = active_regression(data, _Given(sample)) if known and sample.picks else None
    return Sampled(name, data, sample, fit, "in doubles" if double else "exact")


def show_enclosure(value: Enclosure) -> str:
    """A number for people: as `show_scalar` when exact, else ten digits of the midpoint.

    >>> [show_enclosure(Enclosure(Fraction(a, 3), Fraction(1, 3))) for a in (1, 0)]
    ['1/3', '0.1666666667']
    """
    return show_scalar(value.midpoint) if value.exact else f"{float(value.midpoint):.10g}"


def write_enclosure(value: Enclosure | None) -> str | dict[str, str] | None:
    """The exact text of a number, or of both ends of its interval; None for an unknown one."""
    if value is None:
        return None
    if value.exact:
        return write_scalar(value.midpoint)
    return {"lower": write_scalar(value.lower), "upper": write_scalar(value.upper)}


def regression_facts(fit: Regression | None) -> dict[str, str]:
    """Algorithm 1 as lines of text."""
    if fit is None:
        return {"beta": "needs the labels of the sampled points (--labels)"}
    least = "" if fit.determined else " (least norm: the sample does not determine it)"
    facts = {
        "beta": ", ".join(f"{float(b):.10g}" for b in fit.beta) + least,
        "labels paid for": str(fit.paid),
    }
    if fit.loss is not None and fit.optimum is not None:
        facts["loss"] = f"{show_enclosure(fit.loss)}, OPT {show_enclosure(fit.optimum)}"
        undefined = "undefined, OPT = 0"
        facts["loss/OPT"] = undefined if fit.ratio is None else show_enclosure(fit.ratio)
    return facts


def regression_document(fit: Regression | None) -> dict[str, Any] | None:
    """Algorithm 1 with every number exact, as strings."""
    if fit is None:
        return None
    return {
        "beta": [write_scalar(b) for b in fit.beta],
        "determined": fit.determined,
        "paid": fit.paid,
        "loss": write_enclosure(fit.loss),
        "optimum": write_enclosure(fit.optimum),
        "ratio": write_enclosure(fit.ratio),
    }


def facts(done: Sampled) -> dict[str, str]:
    """The summary as lines of text."""
    data = done.data
    found = {
        "data": f"{data.size} points of rank {data.dimension}, {data.unlabelled} unlabelled",
        "procedure": f"{done.name}, {done.how}",
        "sample": f"{len(done.sample.picks)} points with repetitions",
        "reduced rank R_X": show_enclosure(enclosed_reduced_rank(data)),
        "labels to query": f"{len(done.queries)} distinct, {done.draws} draws",
    }
    if not done.sample.picks:
        return {**found, "beta": "none: the sample is empty"}
    return {**found, **regression_facts(done.fit)}


def document(done: Sampled) -> dict[str, Any]:
    """The summary with every number exact, as strings."""
    return {
        "points": done.data.size,
        "unlabelled": done.data.unlabelled,
        "dimension": done.data.dimension,
        "procedure": done.name,
        "picks": list(done.sample.picks),
        "weights": [write_scalar(fraction(w)) for w in done.sample.weights],
        "reduced_rank": write_enclosure(enclosed_reduced_rank(done.data)),
        "distinct_labels": len(done.queries),
        "draws": done.draws,
        "queries": [
            {"row": row, "draws": draws, "weight": write_scalar(weight)}
            for row, draws, weight in done.queries
        ],
        "regression": regression_document(done.fit),
    }
