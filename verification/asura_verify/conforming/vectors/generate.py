"""Make the vectors: right traces from rigorous balls, wrong ones from the museum."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from asura.algorithm1_regression import active_regression
from asura.arithmetic import EXACT, AnyArithmetic, BallArithmetic, MultiprecisionArithmetic
from asura.dataset import Dataset, dataset, kernel_ridge
from asura.randomness import Seed, uniforms
from asura.run import Run, run
from asura.sampling import Done
from asura.stopping import PAPER, StoppingRule, sure
from asura.trace import trace_lines
from asura_verify.conforming.cases import Case, recorded
from asura_verify.conforming.cases import uniforms as doubles
from asura_verify.conforming.vectors.many_digits import Hashed
from asura_verify.conforming.vectors.model import (
    FLAGS,
    FORMAT,
    Vector,
    VectorGroup,
    encoded,
    manifest_of,
)
from asura_verify.conforming.vectors.variants import variant_vectors
from asura_verify.conforming.vectors.writing import (
    COUNTS,
    DIGITS,
    in_digits,
    in_strings,
    named_vector,
    right_vector,
    written,
    wrong_lines,
)
from asura_verify.formulas import curvature
from asura_verify.implementations.exhibit import Exhibit
from asura_verify.implementations.exhibits import COMMON
from asura_verify.implementations.survey import instance
from asura_verify.instances.certified import certified_sets

#: The instance of a mistake, where it is not the first one.
_SEEDS = {
    "barriers-without-dimension": 1,
    "stop-one-late": 1,
    "index-from-one": 1,
    "picks-uniform": 1,
    "picks-leverage": 1,
    "picks-rooted": 1,
    "picks-stale": 4,
    "picks-never-last": 1,
}


def _data(header: dict[str, Any]) -> Dataset:
    return dataset(
        header["points"],
        unlabelled=header["unlabelled"],
        squared_scales=header.get("squared_scales"),
        labels=header.get("labels"),
    )


def _lines(done: Run[Any, Any]) -> Iterator[dict[str, Any]]:
    """Every field that a trace may have."""
    fit = active_regression(done.data, Done(done))
    return map(json.loads, trace_lines(done, regression=fit, probabilities=True))


def right_trace(
    data: Dataset, gamma: object, numbers: Sequence[object], rule: StoppingRule
) -> list[str]:
    """A trace from balls, rounded to some digits, with every field."""
    done = run(
        data, gamma, arithmetic=BallArithmetic(256), chooser=uniforms(numbers), stopping=rule
    )

    return in_digits(_lines(done))


def _case_vector(case: Case) -> Vector:
    header = case.header
    rule = sure(header["level"]) if header.get("stopping") == "sure" else PAPER
    lines = right_trace(_data(header), header["gamma"], header["uniforms"], rule)
    return right_vector(case.name, case.meaning, case.flags[0], lines)


def _kernel_vector() -> Vector:
    kernel = kernel_ridge(
        [["2", "1", "0"], ["1", "2", "1"], ["0", "1", "2"]], "1/3", labels=[1, 2, 4]
    )
    lines = right_trace(kernel, "1/4", doubles(1, 160), PAPER)
    return right_vector("kernel", "kernel ridge regression", "scales", lines, ["kernel-is-ssar"])


def feature_vectors(feature: str) -> Iterator[Vector]:
    """The recorded cases of a feature, and kernel ridge regression."""
    yield from (_case_vector(case) for case in recorded() if feature in case.flags)
    if feature == "scales":
        yield _kernel_vector()


#: How near the named worst cases come to a tie: one rounding of a double, and far less.
_NEAR = (("ulp", Fraction(1, 2**53)), ("hair", Fraction(1, 2**90)))


_EDGES: dict[str, tuple[str, list[list[object]]]] = {
    "light-row": ("a row of 4e-19", [["4e-19", "4e-19"], [-1, -1], [1, -1]]),
    "light-rows": ("rows from 1e-8 to 1", [["1e-8", "2e-8"], ["3e-4", 0], [1, 1], [1, -2]]),
    "lightest-row": ("a row whose mass no double holds", [["1e-170", 0], [1, 1], [1, -2]]),
    "nearly-equal": (
        "columns that differ by 2^-30", [[1, 1], [1, "1073741825/1073741824"], [2, 2]],
    ),
    "nearly-singular": (
        "a third direction of 1e-9", [[1, 0, 0], [0, 1, 0], [1, 1, "1e-9"], [2, -1, 0]],
    ),
    "units": (
        "columns in units from 1e-6 to 1e6", [["1e6", 0], ["1e6", "1e-6"], ["-2e6", "3e-6"]],
    ),
}  # fmt: skip


def worst_vectors() -> Iterator[Vector]:
    """Ties that are nearly met, light rows and data that are nearly singular."""
    rest = doubles(5, 200)
    thirds = dataset([[1, 0], [1, 0], [0, 1], [1, 1]], labels=[1, 2, 4, 8])

    def vector(
        name: str,
        comment: str,
        data: Dataset,
        gamma: object = "1/4",
        numbers: Sequence[object] = rest,
        rule: StoppingRule = PAPER,
    ) -> Vector:
        return right_vector(
            f"worst-{name}", comment, "worst", right_trace(data, gamma, numbers, rule)
        )

    # At j = 0 the picks are by leverage: of these points 2/5, 2/5, 3/5, 3/5 of d = 2.
    first = Fraction(1, 5)
    for name, size in _NEAR:
        for side, sign in (("below", -1), ("above", 1)):
            near = first + sign * size
            comment = f"r_0 is {side} an end of two intervals by {size}"
            yield vector(f"pick-{name}-{side}", comment, thirds, numbers=[near, *rest])
    # On a line the clock does not depend on the picks: after one step it is known exactly.
    gamma, line = Fraction(1, 4), dataset([[1], [2], [-1]], labels=[1, 2, 4])
    clock = 4 / gamma + 4 * gamma / curvature(gamma)
    reached = clock * gamma / 4 - 1
    for name, size in _NEAR:
        for side, sign in (("reached", -1), ("missed", 1)):
            comment = f"the bound is {side} by a share of {size}"
            level = reached + sign * size
            yield vector(f"stop-{name}-{side}", comment, line, gamma, rule=sure(level))
    for name, (comment, points) in _EDGES.items():
        data = dataset(points, labels=[1, 2, 4, 8][: len(points)])
        yield vector(name, comment, data, "1/3")
    for name, ridge in (("tiny", "1e-12"), ("huge", "1e12")):
        rows = [[1, 2], [3, 1], [0, 1], [1, 0], [0, 1]]
        scales = [1, 1, 1, ridge, ridge]
        data = dataset(rows, squared_scales=scales, unlabelled=3, labels=[1, 2, 4, 0, 0])
        yield vector(f"ridge-{name}", f"ridge regression with lambda = {ridge}", data, "1/3")


#: What each set is reduced to: X_1, and the points of X, so that the files stay small.
_NIST = {
    "Norris": (4, 12), "Pontius": (4, 12), "NoInt1": (6, 11), "NoInt2": (2, 3),
    "Wampler1": (6, 10), "Wampler5": (6, 10), "Longley": (8, 16), "Filip": (6, 16),
}  # fmt: skip


def nist_vectors() -> Iterator[Vector]:
    """NIST's sets, thinned evenly, some labels free; at most a dozen steps."""
    for given in certified_sets():
        if given.name not in _NIST:
            continue
        first, count = _NIST[given.name]
        whole = given.data
        kept = [i * (whole.size - 1) // (count - 1) for i in range(count)]
        points = [whole.points[i] for i in kept]
        if given.name == "Filip":  # in powers of x it is beyond doubles: the rank is 10 for them
            middle = [Fraction(2, 5) * (row[1] + 6) for row in points]
            points = [tuple(t**power for power in range(11)) for t in middle]
        data = dataset(points, unlabelled=first, labels=[whole.labels[i] for i in kept])
        gamma = "1/3" if data.dimension < 6 else "9/20"
        lines = right_trace(data, gamma, doubles(7, 200), PAPER)
        comment = f"{given.name} of StRD, {count} of {whole.size} points, d = {data.dimension}"
        comment += ", in powers of 2 (x + 6)/5" if given.name == "Filip" else ""
        yield right_vector(f"nist-{given.name.lower()}", comment, "nist", lines)


def arithmetic_vectors() -> Iterator[Vector]:
    """Runs as they are computed: exact, in balls, and with the roundings of some bits."""
    line, plane = [["1"], ["2"], ["-1/3"]], [["1", "0"], ["0", "1"], ["1", "1"]]
    exact, rounded = "exact rationals", "computed in {} digits, and reported as it is"
    cases: list[tuple[str, str, str, list[list[str]], str, AnyArithmetic]] = [
        ("exact-one-dimension", exact, "exact", line, "1/3", EXACT),
        ("exact-two-dimensions", exact, "exact", plane, "9/20", EXACT),
        ("ball-128", "midpoints of balls", "rounded", plane, "1/3", BallArithmetic(128)),
    ]
    for digits in (7, 15, 60):
        points, arithmetic = [*plane, [str(digits), "7"]], MultiprecisionArithmetic(digits)
        comment = rounded.format(digits)
        cases.append((f"digits-{digits}", comment, "rounded", points, "1/3", arithmetic))
    for seed, (name, comment, flag, points, gamma, chosen) in enumerate(cases, start=1):
        data = dataset(points, labels=[1, 2, 4, 8][: len(points)])
        done = run(data, gamma, arithmetic=chosen, chooser=Seed(seed))
        text = written(map(in_strings, _lines(done)))
        yield right_vector(name, comment, flag, text)


def coverage_vectors() -> Iterator[Vector]:
    """The same run with fewer fields: what is absent is not judged, the rest is."""
    header = next(case.header for case in recorded() if case.name == "two-dimensions")
    whole = right_trace(_data(header), header["gamma"], header["uniforms"], PAPER)
    first, *rest = (json.loads(line) for line in whole)
    bare = {"format", "gamma", "points", "unlabelled"}
    for name, comment, above, below in (
        ("indices-only", "picks alone: the stop is judged", bare, set[str]()),
        ("uniforms-only", "picks, and what decided them", bare | {"uniforms"}, set[str]()),
        ("weights-only", "picks and weights", bare, {"weight", "weights"}),
        ("barriers-only", "picks and barriers", bare, {"u", "l"}),
    ):
        kept = [
            {k: x for k, x in first.items() if k in above | {"precision"}},
            *({k: x for k, x in record.items() if k in below | COUNTS} for record in rest),
        ]
        yield right_vector(name, comment, "coverage", written(kept))


def wrong_trace(exhibit: Exhibit) -> list[str]:
    """The trace of a mistake: hashes and integer arithmetic, no double of any machine."""
    seed = _SEEDS.get(exhibit.mistake, 0)
    return wrong_lines(exhibit, instance(exhibit, seed, Hashed(seed)))


def wrong_vector(exhibit: Exhibit) -> Vector:
    """A trace in which the mistake is named before all others."""
    return named_vector(exhibit, wrong_trace(exhibit), "mistake")


def malformed_vectors() -> Iterator[Vector]:
    """What is no trace."""
    good = right_trace(dataset([[1], [2]], labels=[1, 2]), "1/4", [0.5] * 20, PAPER)

    def vector(name: str, comment: str, lines: list[str]) -> Vector:
        return Vector(f"malformed-{name}", comment, ["malformed"], [], "malformed", None, lines)

    def header(old: str, new: str) -> list[str]:
        changed = good[0].replace(old, new)
        if changed == good[0]:
            raise LookupError(old)
        return [changed, *good[1:]]

    plain, key, quarter, points = good[0], '"unlabelled":2', '"gamma":"1/4"', '[["1"],["2"]]'
    wrong_index = good[1].replace('"index":1', '"index":2')
    yield vector("empty", "nothing", [])
    yield vector("no-result", "the file is cut", good[:-1])
    yield vector("cut-line", "the last line is cut", [*good[:-1], good[-1][:-9]])
    yield vector("no-header", "the header is missing", good[1:])
    yield vector("two-headers", "a second header", [plain, *good])
    yield vector("after-result", "lines after the result", [*good, good[-1]])
    yield vector("skipped-iteration", "j jumps", [*good[:2], *good[3:]])
    yield vector("repeated-key", "a key twice", header(key, f"{key},{key}"))
    yield vector("unknown-field", "a field that is none", header(key, f'{key},"x":1'))
    yield vector("other-format", "another format", header("asura-trace/1", "asura-trace/9"))
    yield vector("gamma-half", "gamma must be below 1/2", header(quarter, '"gamma":0.5'))
    yield vector("gamma-nan", "NaN is no number", header(quarter, '"gamma":"nan"'))
    yield vector("gamma-infinite", "infinity is no number", header(quarter, '"gamma":1e999'))
    yield vector("huge-exponent", "1e999999999", header(quarter, '"gamma":"1e999999999"'))
    yield vector("rank-zero", "all points are zero", header(points, '[["0"],["0"]]'))
    yield vector("ragged", "rows of different length", header(points, '[["1"],["2","3"]]'))
    yield vector("uniform-one", "a uniform must be below 1", header(':["1/2"', ':["1"'))
    yield vector("index-too-large", "no such point", [plain, wrong_index, *good[2:]])
    yield vector("not-json", "text", [*good[:2], "u = 8", *good[3:]])


def groups(exhibits: tuple[Exhibit, ...] = COMMON) -> Iterator[VectorGroup]:
    """All groups, made anew."""
    balls = f"rigorous balls of 256 bits, rounded to {DIGITS} digits"
    features = dict.fromkeys(case.flags[0] for case in recorded())
    made: tuple[tuple[str, str, Iterable[Vector]], ...] = (
        *((feature, balls, feature_vectors(feature)) for feature in features),
        ("worst", balls, worst_vectors()),
        ("nist", balls, nist_vectors()),
        ("arithmetics", "the reference, as each arithmetic computes", arithmetic_vectors()),
        ("coverage", f"{balls}; fields left out", coverage_vectors()),
        ("malformed", "a correct trace, damaged", malformed_vectors()),
        (
            "mistakes",
            "the museum's wrong implementations, in 60 digits",
            (wrong_vector(e) for e in exhibits),
        ),
        ("variants", f"{balls}, or the museum in 60 digits", variant_vectors()),
    )
    for name, provenance, vectors in made:
        found = list(vectors)
        used = sorted({flag for vector in found for flag in vector.flags})
        yield VectorGroup(FORMAT, name, provenance, {flag: FLAGS[flag] for flag in used}, found)


def files() -> dict[str, bytes]:
    """The files of the package, made anew."""
    found = list(groups())
    made = {f"{group.group}.json": encoded(group) for group in found}
    counts = {f"{group.group}.json": len(group.vectors) for group in found}
    return {**made, "manifest.json": encoded(manifest_of(made, counts))}
