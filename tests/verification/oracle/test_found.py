"""What independent programs once found: honest ones accused, wrong ones let through."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from asura_verify.implementations.cases import case
from asura_verify.implementations.correct import loop, scaled
from asura_verify.implementations.exhibit import Exhibit
from asura_verify.implementations.exhibits import EXHIBITS, NAMELESS
from asura_verify.implementations.methods import METHODS, _by_inverses, with_its_whitening
from asura_verify.implementations.survey import attempt
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Ruling

ACQUITTED = (Ruling.CONFORMS, Ruling.UNDECIDED)


def header_of(rows: Any, seed: int, gamma: float = 0.25, **fields: Any) -> dict[str, Any]:
    rng = np.random.default_rng([41, seed])
    points = np.asarray(rows).tolist()
    length = int(3 * len(points[0]) / gamma**2) + 20
    return {
        "format": "asura-trace/1", "gamma": gamma, "points": points, "unlabelled": len(points),
        "labels": rng.standard_normal(len(points)).tolist(),
        "uniforms": rng.random(length).tolist(), **fields,
    }  # fmt: skip


def light(seed: int) -> dict[str, Any]:
    rng = np.random.default_rng([1, seed])
    return header_of(rng.standard_normal((8, 3)) * 10 ** rng.uniform(-8, 0, (8, 1)), seed)


def tiny_ridge(seed: int) -> dict[str, Any]:
    rng = np.random.default_rng([2, seed])
    rows = np.vstack([rng.standard_normal((7, 3)), np.eye(3)])
    scales = [1.0] * 7 + [1e-14, 1.0, 1e3]
    return header_of(rows, seed, 0.2, squared_scales=scales)


HONEST: dict[str, Callable[[int], dict[str, Any]]] = {
    "a row of 4e-19": lambda seed: header_of([[4e-19, 4e-19], [-1, -1], [1, -1]], seed),
    "rows from 1e-8": light,
    "a probability of 1e-598": lambda seed: header_of([[1e-299, 0], [1, 0], [0, 1], [1, 1]], seed),
    "ridge with a tiny lambda": tiny_ridge,
    "gamma near 1/2": lambda seed: header_of(case(seed, scaled=False)["points"], seed, 0.49),
}


@pytest.mark.parametrize("data", HONEST)
@pytest.mark.parametrize("name", sorted(set(METHODS) - {"multiprecision"}))
def test_honest_programs_are_acquitted(name: str, data: str) -> None:
    for seed in range(2):
        header = HONEST[data](seed)
        lines = attempt(METHODS[name], header)
        if lines is None:
            continue  # breaks down, and says nothing
        judgement = check_lines(lines)
        assert judgement.ruling in ACQUITTED, (judgement.first, judgement.remarks)
        if name in {"singular-vectors", "eigenvalues", "orthogonal-solve", "with-its-whitening"}:
            assert judgement.ruling is Ruling.CONFORMS


def in_units(seed: int) -> dict[str, Any]:
    """Condition about 19 with scaled columns, and 1e5 without."""
    rng = np.random.default_rng([3, seed])
    return header_of(rng.standard_normal((10, 3)) * 10 ** np.linspace(2, -2, 3), seed)


def every(field: str, factor: float) -> Callable[[list[Any]], None]:
    def change(records: list[Any]) -> None:
        for j, record in enumerate(records[1:-1]):
            record[field] *= 1 + factor * (j if field in "ul" else 1)

    return change


def start(records: list[Any]) -> None:
    records[1]["l"] *= 1 + 1e-7


def answer(records: list[Any]) -> None:
    records[-1]["beta"] = [b * (1 + 1e-7) for b in records[-1]["beta"]]


def weights(records: list[Any]) -> None:
    records[-1]["weights"] = [w * (1 + 1e-9) for w in records[-1]["weights"]]


@pytest.mark.parametrize(
    "change", [start, answer, weights, every("weight", 1e-9), every("u", 1e-8), every("l", 1e-8)]
)
def test_little_is_seen_in_columns_of_other_units(change: Callable[[list[Any]], None]) -> None:
    for seed in range(2):
        header = in_units(seed)
        lines = METHODS["singular-vectors"](header, header["uniforms"])
        assert check_lines(lines).ruling is Ruling.CONFORMS
        records = [json.loads(line) for line in lines]
        change(records)
        wrong = check_lines([json.dumps(record) for record in records])
        assert wrong.ruling is Ruling.VIOLATES


def test_few_bits_that_are_declared_as_many_are_seen() -> None:
    header = in_units(0)
    single = METHODS["single-precision"](header, header["uniforms"])
    said = json.loads(single[0]) | {"precision": 53}
    assert check_lines([json.dumps(said), *single[1:]]).ruling is Ruling.VIOLATES
    rounded = header | {"gamma": float(np.float32(0.3))}
    lines = METHODS["singular-vectors"](rounded, header["uniforms"])
    said = json.loads(lines[0]) | {"gamma": 0.3}
    assert check_lines([json.dumps(said), *lines[1:]]).ruling is Ruling.VIOLATES


@pytest.mark.parametrize("decades", [7.4, 8.0])
def test_no_gross_mistake_conforms_on_nearly_singular_data(decades: float) -> None:
    header = case(3, decades=decades, scaled=False)
    right = attempt(METHODS["singular-vectors"], header)
    count = 0
    for exhibit in EXHIBITS[int(decades) % 7 :: 5]:
        lines = attempt(exhibit.run, header)
        if lines is not None and lines != right:
            count += 1
            assert check_lines(lines).ruling is not Ruling.CONFORMS, exhibit.mistake
    assert count > 10
    assert right is not None
    assert check_lines(right).ruling is Ruling.CONFORMS


def test_a_reported_whitening_is_judged_and_sharpens_the_rest() -> None:
    """At condition 1e8: p and all that follows from it off by 1e-6, in one step."""
    header = case(2, decades=8.0, scaled=False)
    lines = with_its_whitening(header, header["uniforms"])
    records = [json.loads(line) for line in lines]
    step, factor = records[6], 1 + 1e-6
    step["p"] *= factor
    step["probabilities"] = [p * factor for p in step["probabilities"]]
    step["weight"] /= factor
    records[-1]["weights"][5] /= factor
    wrong = [json.dumps(record) for record in records]
    judgement = check_lines(wrong)
    assert judgement.first is not None
    assert (judgement.first.field, judgement.first.j) == ("p", 5)
    assert check_lines(lines).ruling is Ruling.CONFORMS
    unsaid = dict(records[0])
    del unsaid["whitening"]  # X times an inverse factor has lost more than half of the bits
    assert check_lines([json.dumps(unsaid), *lines[1:]]).ruling is Ruling.UNDECIDED
    header = case(2, decades=2.0, scaled=False)
    lines = with_its_whitening(header, header["uniforms"])
    first = json.loads(lines[0])
    bent = first | {"whitening": [[2 * x for x in row] for row in first["whitening"]]}
    found = check_lines([json.dumps(bent), *lines[1:]]).first
    assert found is not None
    assert (found.line, found.field) == (1, "whitening")
    short = records[0] | {"whitening": records[0]["whitening"][:-1]}
    assert check_lines([json.dumps(short), *lines[1:]]).ruling is Ruling.MALFORMED


def told(lines: list[str], *fields: str) -> list[str]:
    """The same trace with a part of its fields."""
    kept = {"j", "index", *fields}
    records = [json.loads(line) for line in lines[1:-1]]
    few = [{key: record[key] for key in record if key in kept} for record in records]
    return [lines[0], *(json.dumps(record) for record in few), lines[-1]]


def by_one_sum(lines: list[str]) -> list[str]:
    """A program that computes l anew from l_0 and the sum of all 1/phi."""
    records = [json.loads(line) for line in lines]
    gamma, first, total = records[0]["gamma"], records[1]["l"], 0.0
    for record in records[1:]:
        record["l"] = gamma / (1 + 2 * gamma) * total + first
        total += 1 / record.get("phi", 1.0)
    return [json.dumps(record) for record in records]


def test_a_lower_barrier_without_the_upper_one() -> None:
    """l cancels: its roundings are those of u, which is not there to be seen."""
    passed = 0
    for seed in range(12):
        header = header_of(case(seed, scaled=False)["points"], seed, 0.2)
        lines = attempt(METHODS["orthogonal-solve"], header)
        if lines is None:
            continue
        judgement = check_lines(told(by_one_sum(lines), "l", "phi", "weight"))
        assert judgement.first is None or judgement.first.field != "l", judgement.first
        passed += 1
        records = [json.loads(line) for line in told(lines, "l", "phi", "weight")]
        records[-2]["l"] += 1e-12 * records[-1]["u"]
        assert check_lines([json.dumps(r) for r in records]).ruling is Ruling.VIOLATES
    assert passed > 6


def nearly_singular(seed: int, decades: float, **fields: Any) -> dict[str, Any]:
    rng = np.random.default_rng([5, seed])
    rows = np.linalg.qr(rng.standard_normal((12, 3)))[0] * 10 ** np.linspace(0, -decades, 3)
    turned = rows @ np.linalg.qr(rng.standard_normal((3, 3)))[0]
    return header_of(turned, seed, **fields)


@pytest.mark.parametrize("decades", [6.0, 8.0, 12.0])
@pytest.mark.parametrize("precision", [24, 53])
def test_normal_equations_without_a_digit_are_not_accused(decades: float, precision: int) -> None:
    """Negative probabilities, sums beyond 2, states beyond their barriers, a smaller rank."""
    found = []
    for seed in range(6):
        header = nearly_singular(seed, decades, precision=precision)
        points = np.array(header["points"], dtype=np.float32 if precision == 24 else np.float64)
        coarse = header | {"points": points.astype(float).tolist()}
        for name in ("gram-inverse", "gram-eigenvectors", "cholesky-whitening", "running-sums"):
            lines = attempt(METHODS[name], coarse)
            if lines is not None:
                found.append(
                    check_lines([json.dumps(coarse | {"precision": precision}), *lines[1:]])
                )
    assert [one.first for one in found if one.ruling not in ACQUITTED] == []


def test_a_smaller_rank_of_the_normal_equations_is_open() -> None:
    """u_0 of rank 2 at condition 1e8: 53 bits of X^T X may find no more, those of X do."""
    header = nearly_singular(1, 8.0)
    lines = attempt(METHODS["singular-vectors"], header)
    assert lines is not None
    records = [json.loads(line) for line in lines]
    for field in ("u", "l"):
        records[1][field] *= 2 / 3
    judgement = check_lines([json.dumps(record) for record in records])
    assert judgement.ruling is Ruling.UNDECIDED
    assert "of rank 2 as far as 53 bits can tell" in judgement.remarks
    alone = [
        records[0],
        {k: records[1][k] for k in ("j", "index", "l", "p")},
        records[-1] | {"m": 1},
    ]
    open_ = check_lines([json.dumps(record) for record in alone])
    assert "of rank 2 as far as 53 bits can tell" in open_.remarks


@pytest.mark.parametrize("size", [1e-3, 0.1])
@pytest.mark.parametrize("decades", [7.4, 8.0])
def test_one_wrong_step_on_nearly_singular_data(decades: float, size: float) -> None:
    """One phi alone, which the others outvoted, with all that follows from it."""
    header = nearly_singular(2, decades)
    lines = attempt(METHODS["singular-vectors"], header)
    assert lines is not None
    assert check_lines(lines).ruling is Ruling.CONFORMS
    records = [json.loads(line) for line in lines]
    gamma, place = header["gamma"], 7
    wrong = records[place]
    before = wrong["phi"]
    wrong["phi"] *= 1 + size
    wrong["probabilities"] = [p / (1 + size) for p in wrong["probabilities"]]
    wrong["p"] /= 1 + size
    shift = 1 / wrong["phi"] - 1 / before
    for record in records[place + 1 :]:
        record["u"] += gamma / (1 - 2 * gamma) * shift
        record["l"] += gamma / (1 + 2 * gamma) * shift
    assert check_lines([json.dumps(r) for r in records]).ruling is not Ruling.CONFORMS


@pytest.mark.parametrize("decades", [0.0, 4.0, 6.0, 8.0])
def test_a_relation_is_not_excused_by_the_conditioning(decades: float) -> None:
    """weight = gamma/(phi p + 1e-8): a program that normalises its p has such quotients."""
    (exhibit,) = (one for one in NAMELESS if one.mistake == "weight-epsilon")
    header = nearly_singular(3, decades)
    lines = attempt(exhibit.run, header)
    assert lines is not None
    assert check_lines(lines).ruling is not Ruling.CONFORMS
    right = attempt(METHODS["singular-vectors"], header)
    assert right is not None
    assert check_lines(right).ruling is Ruling.CONFORMS


def test_noise_in_the_probabilities_is_not_the_conditioning() -> None:
    """Probabilities in single precision at condition 1e6, and those of no whitening."""
    header = nearly_singular(4, 6.0, gamma=0.2)
    lines = attempt(METHODS["singular-vectors"], header)
    assert lines is not None
    assert check_lines(lines).ruling is Ruling.CONFORMS
    records = [json.loads(line) for line in lines]
    for record in records[1:-1]:
        single = np.array(record["probabilities"], dtype=np.float32)
        record["probabilities"] = (
            single.astype(float) / float(single.astype(float).sum())
        ).tolist()
        record["p"] = record["probabilities"][record["index"]]
        record["weight"] = header["gamma"] / record["phi"] / record["p"]
    del records[-1]["weights"], records[-1]["beta"]
    judgement = check_lines([json.dumps(r) for r in records])
    assert judgement.ruling is Ruling.UNDECIDED


def test_a_point_lighter_than_any_double_without_its_state() -> None:
    """Reflections know a row of 1e-170 up to a rounding of the others, and no better."""
    rng = np.random.default_rng(6)
    rows = rng.standard_normal((8, 3))
    rows[0] *= 1e-170
    lines = attempt(METHODS["orthogonal-solve"], header_of(rows, 0))
    assert lines is not None
    assert check_lines(told(lines, "probabilities")).ruling is Ruling.CONFORMS


#: Mistakes that lay within what the conditioning excused, each with how it is seen now.
HIDDEN = {
    "whitening-stretched": ("probabilities", "do not sum to 1"),
    "probability-inflated": ("probabilities", "do not sum to 1"),
    "beta-weak-direction": ("beta", "as far from a minimiser as granted"),
    "beta-jitter": ("beta", "beta"),  # far from a minimiser, or too short to be determined
}


@pytest.mark.parametrize("mistake", HIDDEN)
@pytest.mark.parametrize("decades", [6.0, 8.0])
def test_what_the_conditioning_hid_is_open(mistake: str, decades: float) -> None:
    field, words = HIDDEN[mistake]
    (exhibit,) = (one for one in NAMELESS if one.mistake == mistake)
    for seed in (5000, 5001, 5002):
        header = case(seed, dimension=3, decades=decades, scaled=False)
        lines = attempt(exhibit.run, header)
        assert lines is not None
        judgement = check_lines(lines)
        assert judgement.ruling is Ruling.UNDECIDED
        assert judgement.vague[field] >= judgement.checked[field]
        assert any(words in remark for remark in judgement.remarks)
        right = attempt(METHODS["singular-vectors"], header)
        assert right is not None
        assert check_lines(right).ruling is Ruling.CONFORMS


def test_a_run_too_short_for_four_stretches_is_doubted_too() -> None:
    """13 steps at condition 10^9: two stretches are measured, and no whitening explains either."""
    (exhibit,) = (one for one in NAMELESS if one.mistake == "probability-mixed")
    header = case(5003, dimension=3, decades=9.0, scaled=False)
    lines = attempt(exhibit.run, header)
    assert lines is not None
    assert len(lines) - 2 == 13
    judgement = check_lines(lines)
    assert judgement.ruling is Ruling.UNDECIDED
    assert "does not follow from the whitening" in judgement.remarks[-1]
    right = attempt(METHODS["singular-vectors"], header)
    assert right is not None
    assert check_lines(right).ruling is Ruling.CONFORMS


@pytest.mark.parametrize("decades", [5.5, 7.0])
def test_eigenvectors_of_the_gram_matrix_are_not_accused_of_the_data(decades: float) -> None:
    """X^T X of columns as they are loses more than with scaled ones: 15 times the condition."""
    lines = attempt(METHODS["gram-eigenvectors"], case(1, decades=decades, scaled=False))
    assert lines is not None
    judgement = check_lines(lines)
    assert judgement.ruling is Ruling.UNDECIDED
    assert judgement.failed == {}


@pytest.mark.parametrize(
    ("units", "decades"), [(0.0, 0.0), (0.0, 4.0), (0.0, 8.0), (2.0, 0.0), (2.0, 4.0), (4.0, 0.0)]
)
def test_an_answer_by_any_stable_solver_conforms(units: float, decades: float) -> None:
    """Reflections with scaled columns and without, and singular values by a triangular factor."""
    for seed in (1002, 3001):
        header = case(seed, dimension=3, units=units, decades=decades, scaled=False)
        lines = attempt(METHODS["singular-vectors"], header)
        assert lines is not None
        records = [json.loads(line) for line in lines]
        roots, picks = np.sqrt(records[-1]["weights"]), [one["index"] for one in records[1:-1]]
        left = roots[:, None] * np.array(header["points"])[picks]
        right = roots * np.array(header["labels"])[picks]
        sizes = np.linalg.norm(left, axis=0)
        for matrix, back in ((left, 1.0), (left / sizes, sizes)):
            q, r = np.linalg.qr(matrix)
            records[-1]["beta"] = (np.linalg.solve(r, q.T @ right) / back).tolist()
            judgement = check_lines([json.dumps(one) for one in records])
            assert judgement.ruling is Ruling.CONFORMS, judgement.remarks


@pytest.mark.parametrize("decades", [4.0, 6.0])
def test_a_reported_whitening_explains_the_sums(decades: float) -> None:
    """That of the normal equations is off by the square of the condition, and says so itself."""
    header = case(5001, dimension=3, decades=decades, scaled=False)
    rows = scaled(header)
    whitening = np.linalg.inv(np.linalg.cholesky(rows.T @ rows)).T
    lines = loop(
        header | {"whitening": whitening.tolist()}, header["uniforms"], rows @ whitening,
        _by_inverses(rows @ whitening),
    )  # fmt: skip
    judgement = check_lines(lines)
    assert "probabilities" not in judgement.vague
    assert not any("sum to 1" in remark for remark in judgement.remarks)
    without = [json.dumps({k: v for k, v in json.loads(lines[0]).items() if k != "whitening"})]
    judgement = check_lines(without + lines[1:])
    assert any("sum to 1" in remark for remark in judgement.remarks) is (decades == 6.0)


_MASSES = 'p = np.einsum("ni,ij,nj->n", U, E, U) / phi'
_WEIGHT = "weight = gamma / phi / float(p[index])"


@pytest.mark.parametrize("dimension", [3, 8])
@pytest.mark.parametrize("decades", [0.0, 2.0, 2.8])
def test_who_divides_by_the_sum_of_the_masses_is_not_accused(
    dimension: int, decades: float
) -> None:
    """phi is a trace, p = mass/sum and weight = gamma/mass: off by the roundings of two sums."""
    program = Exhibit(
        "normalised",
        (
            (_MASSES, 'mass = np.einsum("ni,ij,nj->n", U, E, U); p = mass / mass.sum()'),
            (_WEIGHT, "weight = gamma / float(mass[index])"),
        ),
    )
    for seed in range(8):
        header = case(seed, dimension=dimension, decades=decades, scaled=False)
        lines = attempt(program.run, header)
        assert lines is not None
        judgement = check_lines(lines)
        assert judgement.ruling is Ruling.CONFORMS, judgement.first


def test_noise_in_columns_of_many_units_is_not_excused_by_them() -> None:
    """p is off by 1e-7, anew at every step: X^T X as it is would explain it, and nothing else."""
    noise = f"{_MASSES} * (1 + 1e-7 * np.sin(9.7 * len(steps) + np.arange(size))); p = p / p.sum()"
    program = Exhibit("noise", ((_MASSES, noise),))
    for seed in (100, 101, 102, 103):
        header = case(seed, dimension=3, units=2.0, scaled=False)
        lines = attempt(program.run, header)
        assert lines is not None
        assert check_lines(lines).ruling is not Ruling.CONFORMS
        right = attempt(METHODS["singular-vectors"], header)
        assert right is not None
        assert check_lines(right).ruling is Ruling.CONFORMS


@pytest.mark.parametrize("seed", [105, 108, 112, 117])
def test_stretches_that_are_neither_loud_nor_quiet_are_doubted(seed: int) -> None:
    """Every probability off by 1e-4 at condition 10^9: doubles cannot even measure it."""
    noise = f"{_MASSES} * (1 + 1e-4 * np.sin(9.7 * len(steps) + np.arange(size))); p = p / p.sum()"
    header = case(seed, dimension=3, decades=9.0, scaled=False)
    lines = attempt(Exhibit("noise", ((_MASSES, noise),)).run, header)
    assert lines is not None
    assert check_lines(lines).ruling is not Ruling.CONFORMS


# -- programs with freedoms of their own -----------------------------------------------------------


def run_of(
    header: dict[str, Any], rows: Any, bracket: Any, *, second: Any = None, pick: Any = None,
    alphas: bool = False,
) -> list[dict[str, Any]]:  # fmt: skip
    """Algorithm 2 with p = mass/(sum of the masses); a mass may be computed a second time."""
    d, gamma = rows.shape[1], header["gamma"]
    upper, lower, total = 2 * d / gamma, -2 * d / gamma, 0.0
    form: Any = np.zeros((d, d))
    steps: list[dict[str, Any]] = []
    for r in header["uniforms"]:
        if upper - lower + total >= 8 * d / gamma:
            break
        phi, masses = bracket(upper, form, lower)
        masses = np.maximum(masses, 0)
        partial = np.cumsum(masses)
        chosen = int(np.searchsorted(partial, r * partial[-1], side="right"))
        index = min(chosen if pick is None else pick(r), len(masses) - 1)
        mass = masses[index] if second is None else second(upper, form, lower, index)
        steps.append(
            {
                "j": len(steps), "index": index, "u": upper, "l": lower, "phi": float(phi),
                "p": float(masses[index] / partial[-1]), "weight": float(gamma / mass),
                "probabilities": (masses / partial[-1]).tolist(),
            }
        )  # fmt: skip
        form = form + gamma / mass * np.outer(rows[index], rows[index])
        upper, lower = upper + gamma / (1 - 2 * gamma) / phi, lower + gamma / (1 + 2 * gamma) / phi
        total += phi
    mid = (upper + lower) / 2
    result: dict[str, Any] = {"m": len(steps), "u": upper, "l": lower, "mid": mid}
    result["weights"] = [step["weight"] / mid for step in steps]
    if alphas:
        result["alphas"] = [step["p"] * step["weight"] / mid for step in steps]
    return [header, *steps, result]


def checked(records: list[dict[str, Any]], *hidden: str) -> Ruling:
    kept = [{k: v for k, v in record.items() if k not in hidden} for record in records]
    return check_lines([json.dumps(record) for record in kept]).ruling


def gram_bracket(rows: Any) -> Any:
    gram = rows.T @ rows

    def bracket(upper: float, form: Any, lower: float) -> Any:
        inverse = np.linalg.inv(upper * gram - form) + np.linalg.inv(form - lower * gram)
        return np.trace(gram @ inverse), np.einsum("ni,ij,nj->n", rows, inverse, rows)

    return bracket


@pytest.mark.parametrize("decades", [2.0, 4.0, 5.0, 7.0])
def test_a_mass_that_is_computed_twice(decades: float) -> None:
    """Once for all points by an inverse, and once for the one that was picked by a solve."""
    for seed in range(4):
        header = case(seed, scaled=False, decades=decades)
        rows = np.array(header["points"])
        gram = rows.T @ rows

        def second(
            upper: float, form: Any, lower: float, i: int, x: Any = rows, g: Any = gram
        ) -> Any:
            above, below = upper * g - form, form - lower * g
            return x[i] @ (np.linalg.solve(above, x[i]) + np.linalg.solve(below, x[i]))

        found = checked(run_of(header, rows, gram_bracket(rows), second=second))
        assert found in ACQUITTED
        assert decades > 2 or found is Ruling.CONFORMS


@pytest.mark.parametrize("hidden", [(), ("weight",), ("p", "probabilities"), ("phi",)])
def test_alphas_by_p_and_the_weight(hidden: tuple[str, ...]) -> None:
    """Where p is divided by the sum of the masses they are not gamma/(phi mid)."""
    for seed in range(4):
        header = case(seed, scaled=False, decades=1.0 + seed)
        rows = np.array(header["points"])
        records = run_of(header, rows, gram_bracket(rows), alphas=True)
        assert checked(records, *hidden) in ACQUITTED


@pytest.mark.parametrize("hidden", [(), ("u", "l"), ("weight",), ("phi", "p")])
def test_eigenvectors_of_squares_in_columns_of_other_units(hidden: tuple[str, ...]) -> None:
    """An intercept and a year: eigenvalues of X^T X from 10 to 10^8."""
    for seed in range(3):
        rng = np.random.default_rng([43, seed])
        rows = np.column_stack([np.ones(12), rng.uniform(1990, 2020, 12), rng.standard_normal(12)])
        values, vectors = np.linalg.eigh(rows.T @ rows)
        white = rows @ vectors / np.sqrt(values)
        assert (
            checked(run_of(header_of(rows, seed), white, _by_inverses(white)), *hidden) in ACQUITTED
        )


@pytest.mark.parametrize("decades", [5.0, 6.0, 8.0])
def test_picks_that_ignore_the_probabilities_do_not_conform(decades: float) -> None:
    for seed in range(2):
        header = case(seed, scaled=False, decades=decades)
        rows = np.linalg.svd(np.array(header["points"]), full_matrices=False)[0]
        count = len(rows)
        bracket = _by_inverses(rows)
        right = run_of(header, rows, bracket)
        wrong = run_of(header, rows, bracket, pick=lambda r, n=count: int(r * n))
        for hidden in (("probabilities",), ("probabilities", "phi")):
            assert checked(right, *hidden) is Ruling.CONFORMS
            assert checked(wrong, *hidden) is not Ruling.CONFORMS


@pytest.mark.parametrize("decades", [6.0, 8.0])
def test_a_reported_whitening_that_is_off_does_not_conform(decades: float) -> None:
    header = case(3, scaled=False, decades=decades)
    points = np.array(header["points"])
    factor = np.linalg.inv(np.linalg.qr(points)[1])
    for off, right in ((0.0, True), (1e-5, False), (3e-3, False)):
        whitening = factor * (1 + off)
        rows = points @ whitening
        said = header | {"whitening": whitening.tolist()}
        found = checked(run_of(said, rows, _by_inverses(rows)))
        assert (found is Ruling.CONFORMS) is right


def test_a_replayed_value_that_only_squares_explain_does_not_conform() -> None:
    """One p off by a hundredth where nothing else is reported, at condition 5e6."""
    for seed in range(3):
        header = case(seed, scaled=False, decades=6.7)
        rows = np.linalg.svd(np.array(header["points"]), full_matrices=False)[0]
        records = run_of(header, rows, _by_inverses(rows))
        hidden = ("u", "l", "phi", "weight", "probabilities", "weights")
        right = checked(records, *hidden)  # at 5e6 squares of some samples keep no digit
        assert right is (Ruling.CONFORMS if seed else Ruling.UNDECIDED)
        records[3]["p"] *= 1.01
        assert checked(records, *hidden) is not Ruling.CONFORMS


def test_a_rank_that_bits_cannot_tell_where_no_barrier_shows_it() -> None:
    """float32 sees rank 3 of four columns in units of 10^4; p shows it, as u and l would."""
    rng = np.random.default_rng(44)
    rows = rng.standard_normal((10, 4)) * [1, 1, 3e4, 1e-4]
    single = rows.astype(np.float32)
    left, values, _ = np.linalg.svd(single, full_matrices=False)
    white = left[:, values > 1e-6 * values[0]].astype(float)
    assert white.shape[1] == 3
    header = header_of(single.astype(float), 0) | {"precision": 24}
    records = run_of(header, white, _by_inverses(white))
    for record in records[1:]:
        for field in ("u", "l", "phi", "p", "weight", "mid"):
            if field in record:
                record[field] = float(np.float32(record[field]))
    hidden = ("probabilities", "weights", "labels")
    assert checked(records, *hidden) in ACQUITTED
    assert checked(records, *hidden, "u", "l") in ACQUITTED


def test_a_middle_by_its_own_sum() -> None:
    header = case(1, scaled=False)
    rows = np.linalg.svd(np.array(header["points"]), full_matrices=False)[0]
    records = run_of(header, rows, _by_inverses(rows))
    gamma, total = header["gamma"], 0.0
    for step in records[1:-1]:
        total += 1 / step["phi"]
    records[-1]["mid"] = gamma / (1 - 4 * gamma**2) * total
    records[-1]["weights"] = [step["weight"] / records[-1]["mid"] for step in records[1:-1]]
    assert checked(records) is Ruling.CONFORMS


# -- few fields, and what ties them ----------------------------------------------------------------


def orthonormal(header: dict[str, Any]) -> list[dict[str, Any]]:
    """An honest run that reports every field."""
    rows = np.linalg.svd(np.array(header["points"]), full_matrices=False)[0]
    return run_of(header, rows, _by_inverses(rows), alphas=True)


def left_with(
    records: list[dict[str, Any]], iterations: set[str], result: set[str]
) -> list[dict[str, Any]]:
    """A part of the fields of every line."""
    header, *steps, last = records
    return [
        header,
        *({k: v for k, v in step.items() if k in {"j", "index", *iterations}} for step in steps),
        {k: v for k, v in last.items() if k in {"m", *result}},
    ]


@pytest.mark.parametrize(
    ("data", "off"),
    [
        ({"units": 4.0}, 9.0), ({"units": 3.0}, 0.01), ({"units": 2.0}, 1e-6),
        ({"decades": 6.0}, 0.01), ({"decades": 5.0}, 1e-4),
    ],
)  # fmt: skip
def test_one_tie_that_is_broken_is_enough(data: dict[str, Any], off: float) -> None:
    """phi and p stand beside the weight in one line of all."""
    for seed in range(3):
        header = case(seed, dimension=3, scaled=False, **data)
        records = orthonormal(header)
        few = left_with(records, {"weight"}, set())
        for field in ("phi", "p"):
            few[4][field] = records[4][field]
        right = checked(few)
        assert right in ACQUITTED
        few[4]["weight"] *= 1 + off
        assert checked(few) is not Ruling.CONFORMS


@pytest.mark.parametrize("data", [{"decades": d} for d in (3.0, 6.0, 8.0, 9.0)] + [{"units": 2.0}])
@pytest.mark.parametrize("fields", [{"u", "l"}, {"u", "l", "p", "weight"}])
def test_barriers_tie_each_other(data: dict[str, Any], fields: set[str]) -> None:
    """(l - l_0)/(u - u_0) knows no data: a rate, or one barrier, that is off by 1e-9 is wrong."""
    header = case(2, dimension=3, scaled=False, **data)
    few = left_with(orthonormal(header), fields, {"u", "l"})
    assert checked(few) in ACQUITTED
    start = few[1]["l"]
    for record in few[2:]:
        record["l"] = start + (record["l"] - start) * (1 + 1e-9)
    assert checked(few) is Ruling.VIOLATES
    for field in ("u", "l"):
        few = left_with(orthonormal(header), fields, {"u", "l"})
        few[5][field] += 1e-9 * abs(few[5]["u"])
        assert checked(few) is Ruling.VIOLATES


@pytest.mark.parametrize("barrier", ["u", "l"])
def test_the_middle_ties_one_barrier(barrier: str) -> None:
    for decades in (3.0, 8.0):
        header = case(2, dimension=3, scaled=False, decades=decades)
        few = left_with(orthonormal(header), {"u", "l"}, {barrier, "mid"})
        assert checked(few) in ACQUITTED
        few[-1]["mid"] *= 1 + 1e-9
        assert checked(few) is Ruling.VIOLATES


@pytest.mark.parametrize("exponent", [4.0, 4.5, 5.0, 6.0])
def test_a_whitening_by_eigenvectors_of_squares_in_other_units(exponent: float) -> None:
    """It is off by as much as normal equations of columns as they are; or it has no digit left."""
    for seed in range(6):
        rng = np.random.default_rng([45, seed])
        points = rng.standard_normal((12, 4)) * 10 ** np.linspace(-exponent, exponent, 4)
        values, vectors = np.linalg.eigh(points.T @ points)
        if values[0] <= 0:
            continue  # breaks down, and says nothing
        whitening = vectors / np.sqrt(values)
        header = header_of(points, seed) | {"whitening": whitening.tolist()}
        rows = points @ whitening
        assert checked(run_of(header, rows, _by_inverses(rows))) in ACQUITTED


@pytest.mark.parametrize("gamma", [0.05, 0.3, 0.49, 0.4999])
@pytest.mark.parametrize("hidden", [(), ("phi",), ("phi", "p", "weight")])
def test_a_middle_by_a_sum_whatever_gamma_is(gamma: float, hidden: tuple[str, ...]) -> None:
    """1 - 4 gamma^2 cancels near 1/2; and where phi is absent the sum is that of u and l."""
    for seed in range(4):
        header = header_of(case(seed, dimension=2, scaled=False)["points"], seed, gamma)
        records = orthonormal(header)
        total = sum(1 / step["phi"] for step in records[1:-1])
        middle = gamma / (1 - 4 * gamma * gamma) * total
        last = {"m": len(records) - 2, "mid": middle}
        last |= {field: records[-1][field] for field in ("u", "l")}
        last["weights"] = [step["weight"] / middle for step in records[1:-1]]
        assert checked([*records[:-1], last], *hidden) is Ruling.CONFORMS
        last["mid"] *= 1 + 1e-9
        assert checked([*records[:-1], last], *hidden) is Ruling.VIOLATES


@pytest.mark.parametrize(
    "hidden", [(), ("u", "l"), ("phi", "u", "l"), ("p", "u", "l"), ("phi", "p", "u", "l", "weight")]
)
def test_a_rank_by_a_threshold_is_open_whatever_is_reported(hidden: tuple[str, ...]) -> None:
    """Of columns in units from 10^-8 to 10^8 doubles see three; a result shows u_m and l_m."""
    for seed in range(3):
        rng = np.random.default_rng([46, seed])
        points = rng.standard_normal((14, 4)) * 10 ** np.linspace(-8, 8, 4)
        left, values, _ = np.linalg.svd(points, full_matrices=False)
        rows = left[:, values > 14 * 2.0**-52 * values[0]]
        assert rows.shape[1] == 3
        header, *steps, last = run_of(header_of(points, seed), rows, _by_inverses(rows))
        steps = [{k: v for k, v in step.items() if k not in hidden} for step in steps]
        few = [header, *steps, {k: last[k] for k in ("m", "u", "l")}]
        assert checked(few) is Ruling.UNDECIDED


@pytest.mark.parametrize("fields", [{"u"}, {"l"}, {"mid"}, {"u", "l", "mid"}])
def test_a_gamma_whose_rates_few_bits_do_not_carry(fields: set[str]) -> None:
    """499999/500000 of 1/2 in binary32: 1 - 2 gamma has hardly a digit, and u_1 none."""
    gamma, one, two = np.float32(0.499999), np.float32(1), np.float32(2)
    upper = two / gamma
    phi = one / upper + one / upper
    above = upper + gamma / (one - two * gamma) / phi
    below = gamma / (one + two * gamma) / phi - upper
    last = {"u": float(above), "l": float(below), "mid": float((above + below) / two)}
    header = {
        "format": "asura-trace/1", "gamma": "499999/1000000", "points": [[1]], "unlabelled": 1,
        "precision": 24,
    }  # fmt: skip
    result = {"m": 1} | {field: last[field] for field in fields}
    assert checked([header, {"j": 0, "index": 0}, result]) in ACQUITTED


@pytest.mark.parametrize(
    ("data", "iterations", "result", "field", "off"),
    [
        ({"decades": 3.0}, {"weight"}, {"weights"}, "weights", 1e-9),
        ({"decades": 6.0}, {"weight"}, {"weights"}, "weights", 1e-9),
        ({"units": 4.0}, {"weight"}, {"weights"}, "weights", 1e-9),
        ({"units": 4.0}, set(), {"u", "mid"}, "mid", 1e-9),
        ({"units": 4.0}, set(), {"u", "l"}, "u", 1e-9),
        ({"units": 4.0}, set(), {"l", "mid"}, "l", 1e-9),
        ({"decades": 3.0}, {"p", "weight"}, {"alphas", "mid"}, "mid", 1e-6),
    ],
)
def test_two_sides_of_a_relation_are_enough(
    data: dict[str, Any], iterations: set[str], result: set[str], field: str, off: float
) -> None:
    """weight/weights is one number; barriers start at some rank; alphas are p weight/mid."""
    for seed in range(2, 5):
        few = left_with(
            orthonormal(case(seed, dimension=3, scaled=False, **data)), iterations, result
        )
        assert checked(few) in ACQUITTED
        last = few[-1]
        if field == "weights":
            last[field][len(last[field]) // 2] *= 1 + off
        else:
            last[field] *= 1 + off
        assert checked(few) is Ruling.VIOLATES


def test_a_claim_about_a_gamma_that_few_bits_do_not_carry_convicts_nobody() -> None:
    """binary32 has 1 - 4 gamma^2 of 499999/500000 of 1/2 to a tenth: the alphas sum to that."""
    gamma, one, two = np.float32(0.499999), np.float32(1), np.float32(2)
    upper = two / gamma
    phi = one / upper + one / upper
    above = upper + gamma / (one - two * gamma) / phi
    below = gamma / (one + two * gamma) / phi - upper
    mid = (above + below) / two
    weight = gamma / phi
    header = {
        "format": "asura-trace/1", "gamma": "499999/1000000", "points": [[1]], "unlabelled": 1,
        "precision": 24,
    }  # fmt: skip
    step = {
        "j": 0, "index": 0, "u": float(upper), "l": float(-upper), "phi": float(phi), "p": 1.0,
        "weight": float(weight),
    }  # fmt: skip
    result = {
        "m": 1, "u": float(above), "l": float(below), "mid": float(mid),
        "weights": [float(weight / mid)], "alphas": [float(gamma / (phi * mid))],
    }  # fmt: skip
    assert checked([header, step, result]) in ACQUITTED
