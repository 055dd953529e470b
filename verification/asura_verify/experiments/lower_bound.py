"""The instance of Section 5 at finite n: labels that Algorithm 1 and the sign test need."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from flint import arb, ctx
from matplotlib.figure import Figure

from asura.algorithm1_regression import weighted_least_squares
from asura.dataset import Dataset
from asura.lower_bound import gaussian_noise, lower_bound_instance
from asura.randomness import Seed
from asura.sampling import randomized_bss
from asura.scalars import Enclosure, rational
from asura_verify.experiments import plots
from asura_verify.experiments.model import (
    Experiment,
    Job,
    Row,
    chosen,
    columns,
    distinct,
    from_there_on,
    job_seed,
    mean,
    number,
    outward,
    repeats,
)

COPIES = 144
LAMBDA = 1
EPSILONS = ("1/10", "1/40")
DIMENSIONS = (1, 2, 4)
GAMMAS = ("2/5", "1/3", "1/4", "1/6", "1/8", "1/12")
COLUMNS = columns(
    "dimension lambda epsilon copies method parameter run labels_paid signs_right success_lower "
    "success_upper"
)
TEST = "sign test"
ASURA = "Algorithm 1"


def sign_test_success(dimension: int, lam: Fraction, epsilon: Fraction, reads: int) -> Enclosure:
    """P(all d signs right) after `reads` labels a coordinate: Phi(sqrt(k eps (1 + lambda)))^d.

    A label is (1 + lambda) s_i plus normal noise of variance (1 + lambda)/eps, up to scale; the
    sign of the mean is the best test.

    >>> float(sign_test_success(1, Fraction(1), Fraction(1, 10), 0))
    0.5
    """
    with ctx.workprec(96):
        argument = (arb(rational(reads * epsilon * (1 + lam))) / 2).sqrt()
        value = ((1 + argument.erf()) / 2) ** dimension
        middle, radius = value.mid().fmpq(), value.rad().fmpq()
        lower, upper = middle - radius, middle + radius
        return Enclosure(Fraction(int(lower.p), int(lower.q)), Fraction(int(upper.p), int(upper.q)))


def assouad(dimension: int, lam: Fraction, epsilon: Fraction) -> Fraction:
    """(1/2 - 0.0015 (1 + eps lambda))^2 sd/eps, below which no learner succeeds (lower-bound)."""
    root = Fraction(1, 2) - Fraction(15, 10000) * (1 + epsilon * lam)
    return root**2 * dimension / (1 + lam) / epsilon


def tested(dimension: int, epsilon: str) -> list[Row]:
    """The sign test at growing numbers of labels, certified."""
    exact, lam = Fraction(epsilon), Fraction(LAMBDA)
    unit = 1 / (exact * (1 + lam))
    rows: list[Row] = []
    for reads in sorted({max(1, round(unit * k / 8)) for k in range(1, 49)}):
        lower, upper = outward(sign_test_success(dimension, lam, exact, reads))
        rows.append(
            _row(dimension, epsilon, TEST, str(reads), 0, dimension * reads, "", lower, upper)
        )
    return rows


def _row(
    dimension: int,
    epsilon: str,
    method: str,
    parameter: str,
    run: int,
    paid: int,
    right: int | str,
    lower: float | str,
    upper: float | str,
) -> Row:
    return {
        "dimension": dimension,
        "lambda": LAMBDA,
        "epsilon": epsilon,
        "copies": COPIES,
        "method": method,
        "parameter": parameter,
        "run": run,
        "labels_paid": paid,
        "signs_right": right,
        "success_lower": lower,
        "success_upper": upper,
    }


@cache
def _design(dimension: int) -> Dataset:
    """The points, which are the same for all signs and all noise."""
    return lower_bound_instance([1] * dimension, lam=LAMBDA, epsilon=1, copies=COPIES).data


def measured(dimension: int, epsilon: str, gamma: str, runs: int, seed: int) -> list[Row]:
    """Runs of Algorithm 1 with the sure stop, each with signs and noise of its own."""
    data = _design(dimension)
    root = math.isqrt(COPIES)
    rows: list[Row] = []
    for run in range(runs):
        own = job_seed(seed, dimension, epsilon, run)
        signs = [1 if (own >> (8 + i)) & 1 else -1 for i in range(dimension)]
        labels: dict[int, Fraction] = {}
        for i, sign in enumerate(signs):
            noise = gaussian_noise((1 + LAMBDA) / Fraction(epsilon), COPIES, own + i)
            for copy, value in enumerate(noise):
                labels[i * COPIES + copy] = (sign * (1 + LAMBDA) + value) / root
        labels |= {data.unlabelled + i: Fraction(0) for i in range(dimension)}
        sample = randomized_bss(gamma).sample(data, Seed(job_seed(own, gamma)))
        paid = len({pick for pick in sample.picks if pick < data.unlabelled})
        solution, _ = weighted_least_squares(data, sample, labels)
        # Undecided signs would count as wrong; a determined fit in 128 bits has none.
        right = all(beta * sign > 0 for beta, sign in zip(solution, signs, strict=True))
        rows.append(_row(dimension, epsilon, ASURA, gamma, run, paid, int(right), "", ""))
    return rows


def plan(size: float, seed: int) -> Sequence[Job]:
    """The jobs."""
    jobs = []
    for epsilon in EPSILONS:
        for dimension in DIMENSIONS:
            jobs.append(Job(tested, (dimension, epsilon)))
            jobs += [
                Job(measured, (dimension, epsilon, gamma, repeats(32, size), seed))
                for gamma in GAMMAS
            ]
    return jobs


def _curve(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """Mean labels and share of successes of Algorithm 1, one point per gamma."""
    same = [chosen(rows, parameter=parameter) for parameter in distinct(rows, "parameter")]
    return sorted((mean(each, "labels_paid"), mean(each, "signs_right")) for each in same)


def draw(rows: Sequence[Row]) -> Figure:
    """Chance of all signs right against labels in units of sd/eps."""
    with plots.style():
        figure, grid = plots.axes_grid(1, len(DIMENSIONS), height=3.6)
        for axes, dimension in zip(grid[0], DIMENSIONS, strict=True):
            for order, epsilon in enumerate(EPSILONS):
                mine = chosen(rows, dimension=dimension, epsilon=epsilon)
                unit = dimension / (1 + LAMBDA) / float(Fraction(epsilon))
                if order == len(EPSILONS) - 1:  # in these units all are the same curve
                    test = [
                        (number(row, "labels_paid") / unit, number(row, "success_lower"))
                        for row in chosen(mine, method=TEST)
                    ]
                    look = {"marker": None, "linestyle": "-", "label": "sign test, certified"}
                    plots.series(axes, test, 5, **look)
                curve = [(x / unit, y) for x, y in _curve(chosen(mine, method=ASURA))]
                label = f"Algorithm 1, ε = {epsilon}"
                plots.series(axes, curve, order, linestyle="none", label=label)
            exact = Fraction(EPSILONS[-1])
            floor = assouad(1, Fraction(LAMBDA), exact) * exact * (1 + LAMBDA)
            plots.rule(axes, float(floor), "Assouad's bound", horizontal=False)
            plots.rule(axes, 0.75, "probability 3/4")
            axes.set(xscale="log", ylim=(0, 1.03), title=f"d = {dimension}")
            axes.set_xlabel("labels ε/sd")
        grid[0][0].set_ylabel("all signs right")
        figure.legend(*grid[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def _labels_to_reach(curve: Sequence[tuple[float, float]]) -> str:
    """From how many labels on three quarters of the runs succeed."""
    reached = from_there_on(curve, lambda share: share >= 0.75)
    return "more than were tried" if reached is None else f"about {reached:.0f}"


def findings(rows: Sequence[Row]) -> tuple[str, ...]:
    """Labels for probability 3/4, three ways."""
    sentences = []
    for epsilon in EPSILONS:
        for dimension in DIMENSIONS:
            mine = chosen(rows, dimension=dimension, epsilon=epsilon)
            test = min(
                number(row, "labels_paid")
                for row in chosen(mine, method=TEST)
                if number(row, "success_lower") >= 0.75
            )
            algorithm = _labels_to_reach(_curve(chosen(mine, method=ASURA)))
            floor = float(assouad(dimension, Fraction(LAMBDA), Fraction(epsilon)))
            runs = len(distinct(chosen(mine, method=ASURA), "run"))
            sentences.append(
                rf"$d = {dimension}$, $\varepsilon = {epsilon}$, $\lambda = {LAMBDA}$: all signs "
                f"right with probability 3/4 takes the sign test {test:.0f} labels, Algorithm 1 "
                f"{algorithm} (by {runs} runs per point); no learner does with fewer than "
                f"{floor:.2f}."
            )
    sentences.append(
        "Where Algorithm 1 seems to need fewer labels than the sign test, that is the noise of so "
        "few runs: at equal reads no rule beats the sign of the mean."
    )
    return tuple(sentences)


EXPERIMENT = Experiment(
    "lower-bound",
    "The hard instance",
    "How near to the lower bound do the best test and Algorithm 1 come on the instance of "
    "Section 5?",
    r"Chance that all $d$ signs are right against labels in units of $\mathrm{sd}/\varepsilon$. "
    "Lines: the sign test, certified. Marks: Algorithm 1 with the sure stop, which knows nothing "
    "of the instance, each run on its own labels, with 144 copies per coordinate. The vertical "
    "line is Assouad's bound.",
    COLUMNS,
    plan,
    draw,
    findings,
)
