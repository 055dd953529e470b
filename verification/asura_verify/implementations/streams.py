"""Uniforms that depend on each other, behind picks that are otherwise right.

A stream says of every uniform how it is distributed given all before it: with that, the draws that
any test needs are known.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asura_verify.implementations import textbook
from asura_verify.implementations.sampling import bare, instance
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.picks.distribution import FALSE_ALARM, DistributionReport, DistributionTest

Doubles = NDArray[np.float64]
#: From the probabilities of the points: those of the pick, given all uniforms before.
Law = Callable[[Doubles], Doubles]
Stream = Callable[[np.random.Generator], Iterator[tuple[float, Law | None]]]

_NORMAL = NormalDist()
#: A generator that begins again.
PERIOD = 1000
#: The correlation of neighbours, of the normal variables behind the uniforms.
CORRELATION = 0.5
#: The parts of [0, 1) of which each has one uniform in a group.
STRATA = 16


def _certain(r: float) -> Law:
    """The uniform is known before."""

    def law(p: Doubles) -> Doubles:
        found = np.zeros_like(p)
        found[int(np.searchsorted(np.cumsum(p)[:-1], r, side="right"))] = 1.0
        return found

    return law


def antithetic(rng: np.random.Generator) -> Iterator[tuple[float, Law | None]]:
    """Pairs r, 1 - r."""
    while True:
        r = float(rng.uniform())
        yield r, None
        yield 1 - r, _certain(1 - r)


def correlated(rng: np.random.Generator) -> Iterator[tuple[float, Law | None]]:
    """A Gaussian chain."""
    narrow = math.sqrt(1 - CORRELATION**2)
    z = float(rng.standard_normal())
    while True:
        old, z = z, CORRELATION * z + narrow * float(rng.standard_normal())

        def law(p: Doubles, old: float = old) -> Doubles:
            edges = (_NORMAL.inv_cdf(float(x)) for x in np.cumsum(p)[:-1])
            below = [_NORMAL.cdf((edge - CORRELATION * old) / narrow) for edge in edges]
            return np.diff([0.0, *below, 1.0])

        yield _NORMAL.cdf(z), law


def periodic(rng: np.random.Generator) -> Iterator[tuple[float, Law | None]]:
    """The same thousand again and again."""
    known = rng.uniform(size=PERIOD).tolist()
    yield from ((r, None) for r in known)
    yield from ((r, _certain(r)) for r in itertools.cycle(known))


def additive(rng: np.random.Generator) -> Iterator[tuple[float, Law | None]]:
    """Steps of the golden section."""
    r = float(rng.uniform())
    yield r, None
    while True:
        r = (r + (math.sqrt(5) - 1) / 2) % 1
        yield r, _certain(r)


def wandering(rng: np.random.Generator) -> Iterator[tuple[float, Law | None]]:
    """Steps of up to a fifth, modulo 1; the law is that of ten thousand such steps."""
    r = float(rng.uniform())
    yield r, None
    while True:
        old, r = r, (r + float(rng.uniform(-0.2, 0.2))) % 1

        def law(p: Doubles, old: float = old) -> Doubles:
            ends = np.cumsum(p)[:-1]
            steps = (old + (np.arange(10_000) + 0.5) / 25_000 - 0.2) % 1
            picks = np.searchsorted(ends, steps, side="right")
            return np.bincount(picks, minlength=len(p)) / len(steps)

        yield r, law


def stratified(rng: np.random.Generator) -> Iterator[tuple[float, Law | None]]:
    """Groups of sixteen, one in each sixteenth, shuffled."""
    while True:
        order = rng.permutation(STRATA)
        for count, part in enumerate(order):
            left = np.isin(np.arange(STRATA), order[:count], invert=True).astype(np.float64)

            def law(p: Doubles, left: Doubles = left) -> Doubles:
                edges = np.append(0.0, np.cumsum(left / left.sum()))
                ends = np.interp(np.cumsum(p)[:-1], np.arange(STRATA + 1) / STRATA, edges)
                return np.diff([0.0, *ends, 1.0])

            yield (float(part) + float(rng.uniform())) / STRATA, law


STREAMS: dict[str, Stream] = {
    "uniforms-antithetic": antithetic,
    "uniforms-correlated": correlated,
    "uniforms-periodic": periodic,
    "uniforms-moved": additive,
    "uniforms-dependent": wandering,
    "uniforms-stratified": stratified,
}


@dataclass(frozen=True, slots=True)
class Hunt:
    """How one stream was found out; the necessary draws are those that bring log(1/a) nats."""

    report: DistributionReport
    necessary: int | None

    @property
    def ratio(self) -> float | None:
        """Draws that it took, over the necessary ones."""
        if self.report.decided_at is None or not self.necessary:
            return None
        return self.report.decided_at / self.necessary


def _divergence(law: Law | None, p: Doubles) -> float:
    if law is None:
        return 0.0
    q = law(p)
    seen = (q > 0) & (p > 0)
    return float(np.sum(q[seen] * np.log(q[seen] / p[seen])))


def hunt(stream: Stream, limit: int, seed: int) -> Hunt:
    """Traces that show indices alone, until the stream is found out."""
    test, plain = DistributionTest(), instance()
    source = stream(np.random.default_rng(seed))
    longest = int(8 * len(plain["points"][0]) / float(plain["gamma"]) ** 2) + 20
    waiting: list[tuple[float, Law | None]] = []
    gained, draws, necessary = 0.0, 0, None
    while True:
        waiting += itertools.islice(source, longest - len(waiting))
        header = plain | {"uniforms": [r for r, _ in waiting]}
        lines = textbook.run(header, header["uniforms"])
        records: list[dict[str, Any]] = [json.loads(line) for line in lines[1:-1]]
        for (_, law), record in zip(waiting, records, strict=False):
            gained += _divergence(law, np.array(record["probabilities"]))
            draws += 1
            if necessary is None and gained >= math.log(1 / FALSE_ALARM):
                necessary = draws
        waiting = waiting[len(records) :]
        check_lines(bare(lines), test=test)
        (report,) = test.reports()
        if report.biased or draws >= limit:
            return Hunt(report, necessary)


def stream_table(limit: int, seeds: range) -> str:
    """Every stream, as Markdown."""
    lines = [
        "| uniforms | necessary | seen after | worst ratio | explanation |",
        "| --- | ---: | ---: | ---: | --- |",
    ]
    for name, stream in STREAMS.items():
        hunts = [hunt(stream, limit, seed) for seed in seeds]
        seen = [h.report.decided_at for h in hunts if h.report.decided_at is not None]
        needed = sorted(h.necessary for h in hunts if h.necessary is not None)
        ratios = [h.ratio for h in hunts if h.ratio is not None]
        after = f"{min(seen)} to {max(seen)}" if len(seen) == len(hunts) else "not always"
        said = sorted({h.report.explanation for h in hunts if h.report.explanation})
        lines.append(
            f"| `{name}` | {needed[len(needed) // 2] if needed else ''} | {after} "
            f"| {f'{max(ratios):.2f}' if len(ratios) == len(hunts) else ''} | {'; '.join(said)} |"
        )
    return "\n".join(lines)
