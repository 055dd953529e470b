"""Uniforms that depend on each other or are none, behind picks that are otherwise right.

A stream says of every uniform how it is distributed given all before it: with that, the draws that
any test needs are known. Beside them stand samplers that are wrong at some iterations only.
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
from asura_verify.implementations.exhibit import Exhibit, Implementation
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
#: The correlation of the normal variables behind the uniforms.
CORRELATION = 0.5
#: The numbers of which a coarse uniform is one.
LATTICE = 16


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


def antithetic_later(rng: np.random.Generator) -> Iterator[tuple[float, Law | None]]:
    """Three, then 1 minus each of them."""
    while True:
        known = rng.uniform(size=3).tolist()
        yield from ((r, None) for r in known)
        yield from ((1 - r, _certain(1 - r)) for r in known)


def correlated(lag: int) -> Stream:
    """Gaussian chains, as many as the lag, in turn."""
    narrow = math.sqrt(1 - CORRELATION**2)

    def made(rng: np.random.Generator) -> Iterator[tuple[float, Law | None]]:
        past = rng.standard_normal(lag).tolist()
        while True:
            old = past.pop(0)
            past.append(CORRELATION * old + narrow * float(rng.standard_normal()))

            def law(p: Doubles, old: float = old) -> Doubles:
                edges = (_NORMAL.inv_cdf(float(x)) for x in np.cumsum(p)[:-1])
                below = [_NORMAL.cdf((edge - CORRELATION * old) / narrow) for edge in edges]
                return np.diff([0.0, *below, 1.0])

            yield _NORMAL.cdf(past[-1]), law

    return made


def repeated(rng: np.random.Generator) -> Iterator[tuple[float, Law | None]]:
    """With chance 1/10 the one five draws before."""
    past = rng.uniform(size=5).tolist()
    while True:
        old = past.pop(0)
        past.append(old if rng.uniform() < 0.1 else float(rng.uniform()))

        def law(p: Doubles, old: float = old) -> Doubles:
            return np.asarray(0.9 * p / p.sum() + 0.1 * _certain(old)(p))

        yield past[-1], law


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


def _by_edges(edges: Doubles, heights: Doubles) -> Law:
    """The measure that is heights below edges, and linear between."""
    return lambda p: np.diff([0.0, *np.interp(np.cumsum(p)[:-1], edges, heights), 1.0])


def stratified(parts: int) -> Stream:
    """Groups, one in each part, shuffled."""
    edges = np.arange(parts + 1) / parts

    def made(rng: np.random.Generator) -> Iterator[tuple[float, Law | None]]:
        while True:
            order = rng.permutation(parts)
            for count, part in enumerate(order):
                left = np.isin(np.arange(parts), order[:count], invert=True).astype(np.float64)
                heights = np.append(0.0, np.cumsum(left / left.sum()))
                yield (float(part) + float(rng.uniform())) / parts, _by_edges(edges, heights)

    return made


def ordered(rng: np.random.Generator) -> Iterator[tuple[float, Law | None]]:
    """Pairs, the smaller one first."""
    fine = np.arange(1001) / 1000
    while True:
        low, high = sorted(rng.uniform(size=2).tolist())
        yield low, _by_edges(fine, 1 - (1 - fine) ** 2)
        yield high, _by_edges(np.array([0.0, low, 1.0]), np.array([0.0, 0.0, 1.0]))


def modulo(rng: np.random.Generator) -> Iterator[tuple[float, Law | None]]:
    """A random number reduced modulo 3/4 of its range: a third is twice as likely."""
    law = _by_edges(np.array([0.0, 1 / 3, 1.0]), np.array([0.0, 0.5, 1.0]))
    while True:
        yield float(rng.uniform()) % 0.75 / 0.75, law


def coarse(rng: np.random.Generator) -> Iterator[tuple[float, Law | None]]:
    """Four bits."""

    def law(p: Doubles) -> Doubles:
        below = np.ceil(np.cumsum(p)[:-1] * LATTICE) / LATTICE
        return np.diff([0.0, *below, 1.0])

    while True:
        yield int(rng.integers(LATTICE)) / LATTICE, law


def independent(rng: np.random.Generator) -> Iterator[tuple[float, Law | None]]:
    """As it should be."""
    while True:
        yield float(rng.uniform()), None


STREAMS: dict[str, Stream] = {
    "uniforms-antithetic": antithetic,
    "uniforms-antithetic-later": antithetic_later,
    "uniforms-correlated": correlated(1),
    "uniforms-correlated-later": correlated(3),
    "uniforms-repeated": repeated,
    "uniforms-periodic": periodic,
    "uniforms-moved": additive,
    "uniforms-dependent": wandering,
    "uniforms-stratified": stratified(16),
    "uniforms-stratified-by-48": stratified(48),
    "uniforms-sorted": ordered,
    "uniforms-modulo": modulo,
    "uniforms-coarse": coarse,
}


def _greedy(p: Doubles) -> Doubles:
    return np.asarray(np.eye(len(p))[np.argmax(p)])


def _even(p: Doubles) -> Doubles:
    return np.full(len(p), 1 / len(p))


@dataclass(frozen=True, slots=True)
class Moment:
    """A sampler that is wrong at some iterations: what it picks with there, also as a program."""

    when: Callable[[int], bool]
    law: Law
    program: str

    @property
    def run(self) -> Implementation:
        """The textbook with one line changed."""
        return Exhibit("some", (("chance = p", f"chance = {self.program} else p"),)).run

    def at(self, j: int) -> Law | None:
        """What is picked with at an iteration."""
        return self.law if self.when(j) else None


MOMENTS = {
    "picks-greedy-first": Moment(
        lambda j: j == 0, _greedy, "np.eye(size)[np.argmax(p)] if not steps"
    ),
    "picks-uniform-every-tenth": Moment(
        lambda j: j % 10 == 9, _even, "np.ones(size) if len(steps) % 10 == 9"
    ),
    "picks-uniform-late": Moment(lambda j: j > 30, _even, "np.ones(size) if len(steps) > 30"),
}


@dataclass(frozen=True, slots=True)
class Hunt:
    """How one stream was found out.

    The necessary draws are those that bring log(1/a) nats, or that would at the rate so far.
    """

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


def hunt(name: str, limit: int, seed: int) -> Hunt:
    """Traces that show indices alone, until the stream or the moment is found out."""
    moment, stream = MOMENTS.get(name), STREAMS.get(name, independent)
    run = textbook.run if moment is None else moment.run
    test, plain = DistributionTest(), instance()
    source = stream(np.random.default_rng(seed))
    longest = int(8 * len(plain["points"][0]) / float(plain["gamma"]) ** 2) + 20
    waiting: list[tuple[float, Law | None]] = []
    gained, draws, necessary = 0.0, 0, None
    while True:
        waiting += itertools.islice(source, longest - len(waiting))
        header = plain | {"uniforms": [r for r, _ in waiting]}
        lines = run(header, header["uniforms"])
        records: list[dict[str, Any]] = [json.loads(line) for line in lines[1:-1]]
        for (_, law), record in zip(waiting, records, strict=False):
            known = law if moment is None else moment.at(record["j"])
            gained += _divergence(known, np.array(record["probabilities"]))
            draws += 1
            if necessary is None and gained >= math.log(1 / FALSE_ALARM):
                necessary = draws
        waiting = waiting[len(records) :]
        check_lines(bare(lines), test=test)
        (report,) = test.reports()
        if report.biased or draws >= limit:
            if necessary is None and gained:  # seen earlier than that, by luck
                necessary = math.ceil(draws * math.log(1 / FALSE_ALARM) / gained)
            return Hunt(report, necessary)


def stream_table(limit: int, seeds: range) -> str:
    """Every stream and moment, as Markdown."""
    lines = [
        "| uniforms | necessary | seen after | worst ratio | explanation |",
        "| --- | ---: | ---: | ---: | --- |",
    ]
    for name in (*STREAMS, *MOMENTS):
        hunts = [hunt(name, limit, seed) for seed in seeds]
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
