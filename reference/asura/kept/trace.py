"""The trace of a kept variant: the format of Algorithm 2, with a header that names the variant.

`gamma` is gamma (K1) or nu (K2, with N in `draws`). The barriers are cI + uD and -cI + lD, so `u`
and `l` are the factors upper sigma and lower sigma before the step; `index` is n_1 where the coin
left the last step out. `probabilities` are those of X_1. The result has `mid` = sigma, and one
weight w'/sigma per iteration, 0 for a step left out.

>>> from asura.arithmetic import EXACT
>>> from asura.dataset import dataset
>>> from asura.kept.runs import kept_run
>>> from asura.kept.variants import one_sided
>>> data = dataset([[1], [1]], unlabelled=1)
>>> done = kept_run(data, one_sided(data, 1, "1/2"), arithmetic=EXACT)
>>> for line in kept_trace_lines(done):
...     print(line[:72])
{"format":"asura-trace/1","gamma":0.5,"points":[[1],[1]],"unlabelled":1,
{"j":0,"index":0,"l":"0","phi":"2/3","p":"1","weight":"1"}
{"m":1,"l":"1/2","mid":"1","weights":["1"]}
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from asura.algorithm1_regression import Regression
from asura.arithmetic.interface import M, S
from asura.formulas import pace
from asura.kept.runs import KeptRun
from asura.kept.variants import Variant, one_sided, two_sided
from asura.stopping import PAPER, StoppingRule, sure
from asura.trace import (
    HeaderLine,
    IterationLine,
    ResultLine,
    encode_line,
    header_line,
    interpret_header,
    json_scalar,
    json_value,
    trace_scalar,
)


def variant_of(header: HeaderLine) -> Variant:
    """The variant that a header names, for its data."""
    data, parameter, stopping, _ = interpret_header(header)
    if header.variant == "one-sided":
        number = trace_scalar(1 if header.draws is None else header.draws)
        return one_sided(data, number, parameter, ending=header.ending)
    return two_sided(data, parameter, stopping=stopping, ending=header.ending)


def _stopping(variant: Variant) -> StoppingRule:
    """The rule of K1: the paper's, or the level T with goal = (k/gamma^2) R T."""
    if variant.upper is None or variant.potential_rate:
        return PAPER
    if not variant.reduced_rank:
        return sure()  # nothing is drawn, whatever the level
    gamma = variant.step
    return sure(variant.goal * pace(gamma, variant.reduced_rank))


def _draws(variant: Variant) -> Fraction:
    """N of K2, as c = R/(N step); nothing is drawn where R = 0, whatever N is."""
    if not variant.reduced_rank:
        return Fraction(1)
    return variant.reduced_rank / (variant.distance * variant.step)


def kept_trace_lines(
    done: KeptRun[S, M],
    *,
    regression: Regression | None = None,
    probabilities: bool = False,
    implementation: str = "asura-reference",
) -> Iterator[str]:
    """The lines of a kept run's trace, without newlines."""
    data, arithmetic, variant = done.data, done.arithmetic, done.variant
    exact = arithmetic.precision is None
    one = variant.upper is None

    def value(number: S) -> int | float | str:
        return json_value(arithmetic.enclosure(number), exact=exact)

    def factor(rate: S | None, progress: S) -> int | float | str | None:
        return None if rate is None else value(rate * progress)

    yield encode_line(
        header_line(
            data,
            1 - variant.lower if one else variant.step,
            _stopping(variant),
            arithmetic.precision,
            [record.uniform for record in done.iterations],
            implementation,
            variant=variant.name,
            ending=variant.ending,
            draws=json_scalar(_draws(variant)) if one else None,
        )
    )
    barriers = done.barriers
    weights = []
    with arithmetic.working():
        for record in done.iterations:
            drawn, left_out = record.distribution, record.index is None
            weights.append(value(record.weight / done.final.progress))
            yield encode_line(
                IterationLine(
                    j=record.iteration,
                    index=data.unlabelled if record.index is None else record.index,
                    u=factor(barriers.upper_rate, record.progress),
                    l=value(barriers.lower_rate * record.progress),
                    phi=value(drawn.potential),
                    p=None if record.index is None else value(drawn.probability(record.index)),
                    probabilities=[value(drawn.probability(i)) for i in range(data.unlabelled)]
                    if probabilities
                    else None,
                    weight=None if left_out else value(record.weight),
                )
            )
        yield encode_line(
            ResultLine(
                m=len(done.iterations),
                u=factor(barriers.upper_rate, done.final.progress),
                l=value(barriers.lower_rate * done.final.progress),
                mid=value(done.final.progress),
                weights=weights,
                beta=None
                if regression is None
                else [json_value(entry, exact=exact) for entry in regression.enclosures],
            )
        )
