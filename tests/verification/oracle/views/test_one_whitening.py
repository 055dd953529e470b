"""One whitening in `asura check`: what passed step by step is caught by the run as a whole."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from asura_verify.implementations.cases import case
from asura_verify.implementations.correct import Doubles, Implementation, loop, scaled
from asura_verify.implementations.methods import METHODS
from asura_verify.implementations.survey import attempt
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Judgement, Ruling
from asura_verify.oracle.views.one_whitening import OneWhitening

#: From the call j: what a program does to A, and to the masses.
Slip = Callable[[int, Doubles, Doubles], tuple[Doubles, Doubles]]


def program(header: dict[str, Any], slip: Slip) -> list[str]:
    """Singular vectors, and a mistake."""
    rows = np.linalg.svd(scaled(header), full_matrices=False)[0]
    one = np.eye(rows.shape[1])
    calls = [0]

    def bracket(u: float, form: Doubles, low: float) -> tuple[float, Doubles]:
        form, factors = slip(calls[0], form, np.ones(len(rows)))
        calls[0] += 1
        inverse = np.linalg.inv(u * one - form) + np.linalg.inv(form - low * one)
        masses = np.einsum("ni,ij,nj->n", rows, inverse, rows) * factors
        return float(np.sum(masses)), masses

    return loop(header, header["uniforms"], rows, bracket)


def honest(_j: int, form: Doubles, factors: Doubles) -> tuple[Doubles, Doubles]:
    return form, factors


def one_slip(size: float, at: int) -> Slip:
    """One probability is off, at one step."""

    def slip(j: int, form: Doubles, factors: Doubles) -> tuple[Doubles, Doubles]:
        if j == at:
            factors[0] += size
        return form, factors

    return slip


def drift(size: float, since: int) -> Slip:
    """A is off by so much more at every step."""

    def slip(j: int, form: Doubles, factors: Doubles) -> tuple[Doubles, Doubles]:
        return form * (1 + size * max(0, j - since)), factors

    return slip


def weights(size: float, since: int) -> Slip:
    """A is made of other weights than are reported."""

    def slip(j: int, form: Doubles, factors: Doubles) -> tuple[Doubles, Doubles]:
        return form * (1 + (size if j >= since else 0.0)), factors

    return slip


def alone(lines: list[str], monkeypatch: pytest.MonkeyPatch) -> Judgement:
    """Every step judged by itself."""
    with monkeypatch.context() as patch:
        patch.setattr(OneWhitening, "block", lambda _self, _lines: None)
        return check_lines(lines)


MISTAKES: dict[str, Callable[[float], Slip]] = {
    "drift": lambda _cond: drift(1e-8, 12),
    "weights": lambda cond: weights(1e-9 * cond, 12),
    "slip": lambda cond: one_slip(1e-9 * cond, 14),
    "early slip": lambda cond: one_slip(1e-9 * cond, 2),
}


@pytest.mark.parametrize("decades", [6.0, 7.0, 8.0])
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_that_the_conditioning_hid(
    decades: float, mistake: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    header = case(2, decades=decades, scaled=False, dimension=3) | {"gamma": 0.2}
    lines = program(header, MISTAKES[mistake](10.0**decades))
    judgement = check_lines(lines)
    assert judgement.ruling is Ruling.UNDECIDED
    assert "whitening that other steps show" in judgement.remarks[-1]
    before = alone(lines, monkeypatch)
    assert before.ruling in (Ruling.CONFORMS, Ruling.UNDECIDED)
    assert check_lines(program(header, honest)).ruling is Ruling.CONFORMS


@pytest.mark.parametrize("name", ["cholesky", "gram-inverse", "cholesky-whitening", "jacobi"])
@pytest.mark.parametrize("decades", [1.5, 3.0, 5.0, 7.0])
def test_no_method_is_accused(name: str, decades: float) -> None:
    """Methods that lose digits anew at every step, and those that do not."""
    for seed in range(3):
        header = case(seed, decades=decades, scaled=False)
        lines = attempt(METHODS[name], header)
        if lines is not None:
            assert check_lines(lines).ruling in (Ruling.CONFORMS, Ruling.UNDECIDED)


def raw_bracket(header: dict[str, Any], uniforms: Any) -> list[str]:
    """A whitened state, and masses by the form P F P^T on the points as they are."""
    rows = scaled(header)
    whitening = np.linalg.inv(np.linalg.qr(rows)[1])
    one = np.eye(len(whitening))

    def bracket(u: float, form: Doubles, low: float) -> tuple[float, Doubles]:
        inner = np.linalg.inv(u * one - form) + np.linalg.inv(form - low * one)
        outer = whitening @ inner @ whitening.T
        return float(np.trace(inner)), np.einsum("ni,ij,nj->n", rows, outer, rows)

    return loop(header, uniforms, rows @ whitening, bracket)


def whitened_anew(header: dict[str, Any], uniforms: Any) -> list[str]:
    """The sum B on the points as they are, whitened by triangular solves at every step."""
    rows = scaled(header)
    factor = np.linalg.cholesky(rows.T @ rows)
    one = np.eye(len(factor))

    def bracket(u: float, total: Doubles, low: float) -> tuple[float, Doubles]:
        form = np.linalg.solve(factor, np.linalg.solve(factor, total).T)
        inner = np.linalg.inv(u * one - form) + np.linalg.inv(form - low * one)
        outer = np.linalg.solve(factor.T, np.linalg.solve(factor.T, inner).T)
        return float(np.trace(inner)), np.einsum("ni,ij,nj->n", rows, outer, rows)

    return loop(header, uniforms, rows, bracket)


def whitened_twice(header: dict[str, Any], uniforms: Any) -> list[str]:
    """U(x) for the masses at once, and for A anew, with other roundings."""
    rows = scaled(header)
    whitening = np.linalg.inv(np.linalg.qr(rows)[1])
    one, whitened = np.eye(len(whitening)), rows @ whitening
    again = np.array([np.cumsum((whitening * row[:, None])[::-1], axis=0)[-1] for row in rows])

    def bracket(u: float, form: Doubles, low: float) -> tuple[float, Doubles]:
        inner = np.linalg.inv(u * one - form) + np.linalg.inv(form - low * one)
        return float(np.trace(inner)), np.einsum("ni,ij,nj->n", whitened, inner, whitened)

    return loop(header, uniforms, again, bracket)


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_program_that_begins_to_lose_digits_is_not_accused(seed: int) -> None:
    """It whitens the sum of raw points anew; the far ones cost digits once they are picked."""
    rng = np.random.default_rng(seed)
    d, size = int(rng.integers(2, 5)), 10 ** rng.uniform(4.5, 6.5)
    points = rng.standard_normal((d + 4, d))
    points[-2:] += size * rng.standard_normal(d)
    first = 2 * d + 2  # steps that do not pick the far points
    shares = np.sum(np.linalg.qr(points)[0][-2:] ** 2) / d
    uniforms = rng.uniform(size=900)
    uniforms[:first] *= (1 - shares) * 0.9
    header = {
        "format": "asura-trace/1",
        "gamma": 0.3,
        "points": points.tolist(),
        "unlabelled": len(points),
        "uniforms": uniforms.tolist(),
    }
    judgement = check_lines(whitened_anew(header, header["uniforms"]))
    assert judgement.ruling in (Ruling.CONFORMS, Ruling.UNDECIDED), judgement.first


@pytest.mark.parametrize("run", [raw_bracket, whitened_anew, whitened_twice])
@pytest.mark.parametrize("decades", [1.0, 2.0, 4.0, 6.0])
def test_programs_that_whiten_in_other_ways_are_not_accused(
    run: Implementation, decades: float
) -> None:
    for seed in range(3):
        lines = attempt(run, case(seed, decades=decades, scaled=False))
        if lines is not None:
            assert check_lines(lines).ruling in (Ruling.CONFORMS, Ruling.UNDECIDED)


def test_what_is_granted_to_the_normal_equations_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without `STEADY` somebody who is right is suspected, and told apart by nothing."""
    import asura_verify.oracle.views.one_whitening as module

    suspected = []

    def prove(_self: OneWhitening, *_given: object) -> None:
        suspected.append(True)

    monkeypatch.setattr(OneWhitening, "_prove", prove)
    headers = [case(seed, decades=1.0 + seed % 3, scaled=False) for seed in range(24)]
    traces = [attempt(METHODS["gram-inverse"], header) for header in headers]
    found = [lines for lines in traces if lines is not None]
    for lines in found:
        check_lines(lines)
    assert not suspected
    monkeypatch.setattr(module, "STEADY", 0.0)
    for lines in found:
        check_lines(lines)
    assert suspected


def test_without_probabilities_nothing_is_said() -> None:
    header = case(2, decades=6.0, scaled=False, dimension=3)
    lines = [json.loads(line) for line in program(header, one_slip(1e-8, 12))]
    assert check_lines([json.dumps(line) for line in lines]).ruling is Ruling.UNDECIDED
    kept = [{key: line[key] for key in line if key != "probabilities"} for line in lines]
    assert check_lines([json.dumps(line) for line in kept]).ruling is Ruling.CONFORMS


def test_scalars_that_are_written_as_strings() -> None:
    header = case(2, decades=6.0, scaled=False, dimension=3)
    lines = [json.loads(line) for line in program(header, one_slip(1e-3, 12))]
    for line in lines[1:-1]:
        line["phi"] = line["phi"].hex()
        line["probabilities"] = [x.hex() for x in line["probabilities"]]
    assert "whitening" in check_lines([json.dumps(line) for line in lines]).remarks[-1]
