"""Vectors of the variants: tight rates, and K1 and K2 with every ending and stopping rule."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from asura.algorithm1_regression import active_regression
from asura.arithmetic import EXACT, AnyArithmetic, BallArithmetic, MultiprecisionArithmetic
from asura.dataset import Dataset, dataset, ridge
from asura.kept.runs import KeptRun, kept_run
from asura.kept.trace import kept_trace_lines
from asura.kept.variants import Variant, one_sided, two_sided
from asura.randomness import Chooser, uniforms
from asura.rates import TIGHT_RATES
from asura.run import run
from asura.sampling import WeightedSample
from asura.stopping import sure
from asura.trace import trace_lines
from asura_verify.conforming.cases import uniforms as doubles
from asura_verify.conforming.vectors.many_digits import Hashed
from asura_verify.conforming.vectors.model import Vector
from asura_verify.conforming.vectors.writing import (
    in_digits,
    in_strings,
    named_vector,
    right_vector,
    written,
    wrong_lines,
)
from asura_verify.implementations.exhibit import Exhibit
from asura_verify.implementations.kept_cases import kept_case
from asura_verify.implementations.kept_exhibits import KEPT_EXHIBITS, kinds

_LABELS = [1, 2, 4, 8, 3, 5]
_LINE = dataset([[1], [2], [-1], [3]], unlabelled=3, labels=_LABELS[:4])
_PLANE = dataset([[1, 0], [1, 1], [1, -2], [3, 0], [0, 4]], unlabelled=3, labels=_LABELS[:5])
_RIDGE = ridge([[1, 2], [3, 1], [0, 1], [2, -1]], "3/2", labels=_LABELS[:4])
_EDGES: dict[str, tuple[str, Dataset]] = {
    "no-kept": ("X_2 is empty: D is the identity", dataset([[1, 0], [1, 1], [1, -2]])),
    "all-kept": ("X_1 is empty: nothing is drawn", dataset([[1], [2]], unlabelled=0)),
    "light-pool": ("R is about 1e-8", dataset([["1e-4"], [1]], unlabelled=1)),
    "zero-row": ("a zero row in X_1", dataset([[0, 0], [1, 2], [2, 1], [1, 0]], unlabelled=3)),
    "singular-target": ("D is singular", dataset([[1, 0], [2, 0], [1, 1]], unlabelled=2)),
    "dependent-columns": ("rank 1 in two columns", dataset([[1, 2], [2, 4]], unlabelled=1)),
}
#: The kind and the seed of a wrong trace, where they are not the first ones.
_PLACES = {"kept-scaled-coin": (0, 3), "kept-forgotten-coin": (1, 1), "kept-rates-swapped": (0, 1)}


class _Done:
    """The sample of a run, as a procedure for Algorithm 1."""

    def __init__(self, done: KeptRun[Any, Any]) -> None:
        self._done = done

    def sample(self, _data: Dataset, _chooser: Chooser) -> WeightedSample[Any, Any]:
        """The points of the run, and X_2."""
        return self._done.sample


def _records(done: KeptRun[Any, Any]) -> Iterator[dict[str, Any]]:
    """Every field that a trace of a variant may have."""
    fit = None
    if all(label is not None for label in done.data.labels):
        fit = active_regression(done.data, _Done(done))
    return map(json.loads, kept_trace_lines(done, regression=fit, probabilities=True))


def _run(
    data: Dataset, variant: Variant, numbers: Sequence[object], arithmetic: AnyArithmetic
) -> KeptRun[Any, Any]:
    return kept_run(data, variant, arithmetic=arithmetic, chooser=uniforms(numbers))


def _schemes(data: Dataset) -> dict[str, tuple[str, Variant]]:
    sided, rule = "K1, two-sided, ", sure("3/2")
    return {
        "two-sided": (sided + "the paper's rule", two_sided(data, "1/4")),
        "two-sided-sure": (sided + "the sure rule", two_sided(data, "1/4", stopping=rule)),
        "two-sided-clip": (
            sided + "clipped", two_sided(data, "1/4", stopping=rule, ending="clip"),
        ),
        "two-sided-coin": (
            sided + "with a coin", two_sided(data, "1/4", stopping=rule, ending="coin"),
        ),
        "one-sided-clip": ("K2, one-sided, clipped", one_sided(data, 6, "1/3", ending="clip")),
        "one-sided-coin": ("K2, one-sided, with a coin", one_sided(data, 6, "1/3")),
    }  # fmt: skip


def right_variants() -> Iterator[Vector]:
    """Right traces: every scheme on three datasets, and the edges."""
    balls = BallArithmetic(256)
    for place, (where, data) in enumerate(
        (("line", _LINE), ("plane", _PLANE), ("ridge", _RIDGE)), start=1
    ):
        for name, (comment, variant) in _schemes(data).items():
            done = _run(data, variant, doubles(place, 80), balls)
            lines = in_digits(_records(done))
            yield right_vector(f"{name}-{where}", comment, "variant", lines, [variant.name])
    for name, (comment, data) in _EDGES.items():
        for kind in ("two-sided-sure", "one-sided-coin"):
            _, variant = _schemes(data)[kind]
            lines = in_digits(_records(_run(data, variant, doubles(7, 80), balls)))
            yield right_vector(f"{kind}-{name}", comment, "variant", lines, [variant.name])
    tie = one_sided(_LINE, 1, "1/3", ending="clip")
    lines = in_digits(_records(_run(_LINE, tie, doubles(1, 8), balls)))
    yield right_vector("one-sided-tie", "N = 1: the first step is the last one", "variant", lines)
    made = run(_PLANE, "3/5", arithmetic=balls, chooser=uniforms(doubles(3, 80)), rates=TIGHT_RATES)
    lines = in_digits(map(json.loads, trace_lines(made, probabilities=True)))
    yield right_vector("tight-rates", "Algorithm 2 at tight rates", "variant", lines)


def computed_variants() -> Iterator[Vector]:
    """As an arithmetic computes them, and with fields left out."""
    for name, comment, arithmetic in (
        ("exact", "exact rationals", EXACT),
        ("digits-15", "computed in 15 digits, and reported as it is", MultiprecisionArithmetic(15)),
    ):
        for kind, (_, variant) in _schemes(_LINE).items():
            if kind in {"two-sided", "one-sided-coin"}:
                done = _run(_LINE, variant, doubles(2, 80), arithmetic)
                text = written(map(in_strings, _records(done)))
                yield right_vector(f"{kind}-{name}", comment, "variant", text, [variant.name])
    _, variant = _schemes(_PLANE)["one-sided-clip"]
    whole = in_digits(_records(_run(_PLANE, variant, doubles(2, 80), BallArithmetic(256))))
    first, *rest = (json.loads(line) for line in whole)
    header = {k: v for k, v in first.items() if k not in {"labels", "uniforms"}}
    bare = [{k: r[k] for k in ("j", "index", "m") if k in r} for r in rest]
    comment = "picks alone: the end of the run is judged"
    lines = written([header, *bare])
    made = right_vector("one-sided-indices-only", comment, "coverage", lines, [variant.name])
    yield Vector(made.name, comment, ["coverage", "variant"], made.slugs, "conforms", None, lines)


def wrong_variant_trace(exhibit: Exhibit) -> list[str]:
    """The trace of a mistake, in numbers of 60 digits."""
    place, seed = _PLACES.get(exhibit.mistake, (0, 1))
    header = kept_case(seed, kinds(exhibit)[place], randomness=Hashed(seed))
    return wrong_lines(exhibit, header)


def wrong_variant(exhibit: Exhibit) -> Vector:
    """A wrong trace whose mistake is named first."""
    return named_vector(exhibit, wrong_variant_trace(exhibit), "mistake", "variant")


def variant_vectors() -> Iterator[Vector]:
    """All of them."""
    yield from right_variants()
    yield from computed_variants()
    yield from map(wrong_variant, KEPT_EXHIBITS)
