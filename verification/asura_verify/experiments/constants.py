"""The paper's constants beside the exact values and beside what runs show, as gamma shrinks."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from flint import arb, arb_mat
from matplotlib.figure import Figure

from asura.dataset import Dataset, ridge
from asura.dimensions import leverage_scores, reduced_rank
from asura.randomness import Seed
from asura.run import Run, longest, run
from asura.scalars import Enclosure, point, rational
from asura_verify import formulas
from asura_verify.experiments import plots
from asura_verify.experiments.data import made_up, rational_rows
from asura_verify.experiments.model import (
    Experiment,
    Job,
    Row,
    chosen,
    distinct,
    job_seed,
    number,
    outward,
    repeats,
)

GAMMAS = ("1/4", "1/8", "1/16", "1/32", "1/64")
COLUMNS = ("quantity", "gamma", "run", "printed", "sharp", "observed_lower", "observed_upper")

#: The constants as the paper prints them.
PRINTED: dict[str, float] = {
    "m γ²/d": 2.0,
    "(u - l) γ/d": 9.0,
    "(u/l - 1)/γ": 3456.0,
    "spectrum of AᵀA - I, /γ": 1728.0,
    "sum of α": 1024.0,
    "largest α K/γ²": 512.0,
    "draws γ²/R": 4.0,
}
#: r_m is at least this with probability 3/4 (identity-4), and the sharp constants use it.
LIKELY_RATE = Fraction(1, 5)


@cache
def problem() -> Dataset:
    """Twelve points in the plane with ridge 2."""
    return ridge(rational_rows(made_up(3, 12, 2)), 2)


def sharp(gamma: Fraction, dimension: int) -> dict[str, float | None]:
    """What the audit shows instead: surely, or with probability 3/4 where r_m enters."""
    ball = arb(rational(gamma))
    rbar = float(formulas.clock_ceiling(ball, dimension, formulas.rho(ball)))
    margin = (1 - 2 * gamma) * LIKELY_RATE - 2 * gamma
    return {
        "m γ²/d": float(longest(dimension, gamma) * gamma**2 / dimension),
        "(u - l) γ/d": 4 * (1 + rbar),
        "(u/l - 1)/γ": float(4 * (1 + LIKELY_RATE) / margin) if margin > 0 else None,
        "spectrum of AᵀA - I, /γ": float(2 * (1 + 1 / LIKELY_RATE)),
        "sum of α": float(formulas.curvature(gamma)),
        "largest α K/γ²": float(2 / LIKELY_RATE),
        "draws γ²/R": float(1 - 2 * gamma**2),
    }


def _deviation(done: Run[arb, arb_mat]) -> arb:
    """max |eigenvalue of A^T A - 1| in the plane, from the trace and the determinant."""
    gram, total = done.algorithm.frame.gram, done.final.accumulated
    mid = (done.final.upper + done.final.lower) / 2
    quotient = gram.solve(total)
    half = (quotient[0, 0] + quotient[1, 1]) / 2
    root = (half * half - quotient.det()).sqrt()
    return arb.max(abs((half + root) / mid - 1), abs((half - root) / mid - 1))


def _largest_alpha_k(done: Run[arb, arb_mat]) -> arb:
    """max_j alpha_j K_j = (gamma/mid) max over j and x of |U(x)|^2/(U(x)^T E_j U(x))."""
    scores = [arb(rational(score)) for score in leverage_scores(done.data)]
    largest = arb(0)
    for record in done.iterations:
        masses = record.distribution.masses
        for index, score in enumerate(scores):
            largest = arb.max(largest, score / masses[index])
    return largest * done.algorithm.gamma / ((done.final.upper + done.final.lower) / 2)


def observed(done: Run[arb, arb_mat]) -> dict[str, Enclosure]:
    """Every quantity of one run, certified; u/l only where l_m > 0."""
    gamma, dimension = done.gamma, done.data.dimension
    enclose, exact = done.arithmetic.enclosure, done.arithmetic.scalar
    with done.arithmetic.working():
        upper, lower, g = done.final.upper, done.final.lower, done.algorithm.gamma
        found = {
            "m γ²/d": point(done.length * gamma**2 / dimension),
            "(u - l) γ/d": enclose((upper - lower) * exact(gamma / dimension)),
            "spectrum of AᵀA - I, /γ": enclose(_deviation(done) / g),
            "sum of α": done.alpha_sum,
            "largest α K/γ²": enclose(_largest_alpha_k(done) / (g * g)),
            "draws γ²/R": point(done.draws * gamma**2 / reduced_rank(done.data)),
        }
        if lower > 0:
            found["(u/l - 1)/γ"] = enclose((upper / lower - 1) / g)
    return found


def measured(gamma: str, runs: int, seed: int) -> list[Row]:
    """Certified runs at one gamma, with the paper's stop."""
    rows: list[Row] = []
    data = problem()
    bounds = sharp(Fraction(gamma), data.dimension)
    for index in range(runs):
        done = run(data, gamma, chooser=Seed(job_seed(seed, gamma, index)))
        for quantity, value in observed(done).items():
            lower, upper = outward(value)
            bound = bounds[quantity]
            rows.append(
                {
                    "quantity": quantity,
                    "gamma": gamma,
                    "run": index,
                    "printed": PRINTED[quantity],
                    "sharp": "" if bound is None else bound,
                    "observed_lower": lower,
                    "observed_upper": upper,
                }
            )
    return rows


def plan(size: float, seed: int) -> Sequence[Job]:
    """The jobs, longest first."""
    return [
        Job(measured, (gamma, repeats(12 if Fraction(gamma) > Fraction(1, 20) else 4, size), seed))
        for gamma in reversed(GAMMAS)
    ]


def draw(rows: Sequence[Row]) -> Figure:
    """One panel per constant: printed, sharp, and the largest value that a run showed."""
    with plots.style():
        figure, grid = plots.axes_grid(2, 4, height=4.8)
        panels = list(grid.flat)
        for axes, quantity in zip(panels, PRINTED, strict=False):
            mine = sorted(
                chosen(rows, quantity=quantity), key=lambda row: Fraction(str(row["gamma"]))
            )
            gammas = [str(gamma) for gamma in distinct(mine, "gamma")]
            x = [float(Fraction(gamma)) for gamma in gammas]
            plots.bound(axes, x, [PRINTED[quantity]] * len(x), "printed", 0)
            holds = [
                (float(Fraction(str(row["gamma"]))), number(row, "sharp"))
                for row in mine
                if row["sharp"] != ""
            ]
            plots.series(axes, holds, 0, marker=None, label="what holds")
            largest = [
                max(number(r, "observed_upper") for r in chosen(mine, gamma=g)) for g in gammas
            ]
            seen = list(zip(x, largest, strict=True))
            plots.series(axes, seen, 1, marker="o", linestyle="none", label="largest observed")
            axes.set(xscale="log", title=quantity)
            if PRINTED[quantity] > 10:
                axes.set_yscale("log")
            else:
                axes.set_ylim(0, 1.08 * PRINTED[quantity])
            axes.set_xticks([1 / 64, 1 / 16, 1 / 4], ["1/64", "1/16", "1/4"])
            axes.minorticks_off()
        panels[-1].axis("off")
        panels[-1].legend(*panels[0].get_legend_handles_labels(), loc="center left")
        panels[4].set_xlabel("γ")
    return figure


def findings(rows: Sequence[Row]) -> tuple[str, ...]:
    """Each constant at the smallest gamma."""
    smallest = min(distinct(rows, "gamma"), key=lambda gamma: Fraction(str(gamma)))
    sentences = []
    for quantity, printed in PRINTED.items():
        mine = chosen(rows, quantity=quantity, gamma=smallest)
        if not mine:
            continue
        largest = max(number(row, "observed_upper") for row in mine)
        bound = mine[0]["sharp"]
        holds = f"{float(bound):.4g}" if bound != "" else "nothing at this gamma"
        sentences.append(
            rf"{quantity} at $\gamma = {smallest}$: printed {printed:g}, proved {holds}, "
            f"largest in {len(mine)} runs {largest:.4g}."
        )
    return tuple(sentences)


EXPERIMENT = Experiment(
    "constants",
    "The constants",
    "How loose are the printed constants?",
    "Dashed: the constant as printed. Line: what holds surely, or with probability 3/4 where the "
    "final clock enters. Marks: the largest value in certified runs, $d = 2$, the paper's stop. "
    "Large constants have a logarithmic axis.",
    COLUMNS,
    plan,
    draw,
    findings,
)
