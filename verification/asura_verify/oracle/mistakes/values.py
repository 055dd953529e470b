"""More known mistakes, of the lines that compute a step: whitening, barriers, weights, the end."""

# ruff: noqa: ARG005 - a recipe's lambdas all see the same arguments

from __future__ import annotations

import math

import numpy as np

from asura_verify.oracle.mistakes.recipe import Doubles, Mistake, Recipe

#: What may have been added to the diagonal of the Gram matrix, "for stability".
JITTERS = ("1e-3", "1e-4", "1e-6", "1e-8", "1e-9", "1e-10")


def _single(up: Doubles, low: Doubles) -> float:
    return float(np.float32(np.trace(up + low)))


def _direction(row: Doubles) -> Doubles:
    return np.outer(row, row) / max(float(row @ row), 1e-300)


WHITENING = (
    Mistake(
        "whitening-transposed",
        "U = X L^-1 for the factor G = L L^T: the transposed one is needed, X L^-T",
        Recipe(points="transposed"),
    ),
    Mistake(
        "whitening-inverse",
        "U = X G^-1: the inverse of the Gram matrix in place of its root",
        Recipe(points="gram inverse"),
    ),
    Mistake(
        "whitening-of-moments",
        "U is whitened by the mean of x x^T, not by the sum: it is sqrt(n) times too large",
        Recipe(points="moments"),
    ),
    Mistake(
        "whitening-unlabelled-only",
        "the Gram matrix is that of X_1, not of all points",
        Recipe(points="unlabelled"),
    ),
    Mistake(
        "columns-normalised",
        "the columns are scaled to length 1, and not made orthogonal",
        Recipe(points="unit columns"),
    ),
    Mistake("rows-normalised", "every U(x) is scaled to length 1", Recipe(points="unit rows")),
    Mistake("points-centred", "the mean is subtracted from the points", Recipe(points="centred")),
    Mistake("points-intercept", "a column of ones is appended", Recipe(points="intercept")),
    Mistake(
        "rank-truncated",
        "the smallest singular value is cut off, as with too large an rcond",
        Recipe(points="truncated"),
    ),
    Mistake("points-in-single", "X is rounded to binary32", Recipe(points="single"), slight=True),
    *(
        Mistake(
            f"ridge-jitter-{size}",
            f"{size} is added to the diagonal of the Gram matrix",
            Recipe(jitter=float(size)),
            slight=True,
        )
        for size in JITTERS
    ),
)

STEPS = (
    Mistake(
        "potential-mean",
        "the potential is divided by the dimension",
        Recipe(potential=lambda up, low: float(np.trace(up + low)) / len(up)),
    ),
    Mistake(
        "potential-in-single",
        "the potential is rounded to binary32",
        Recipe(potential=_single),
        slight=True,
    ),
    Mistake(
        "bracket-squared",
        "potential and probabilities are made of squares of the inverses",
        Recipe(
            bracket=lambda up, low: up @ up + low @ low,
            potential=lambda up, low: float(np.trace(up @ up + low @ low)),
        ),
    ),
    Mistake(
        "masses-after-barriers",
        "the masses see the barriers after the step, the potential those before it",
        Recipe(early_barriers=True),
    ),
    Mistake(
        "weight-previous-potential",
        "the weight has the potential of the iteration before",
        Recipe(weight_potential="previous"),
    ),
    Mistake(
        "weight-previous-probability",
        "the weight has the probability of the iteration before",
        Recipe(weight_probability="previous"),
    ),
    Mistake(
        "weight-next-potential",
        "the weight has the potential after the barriers have moved",
        Recipe(weight_potential="next"),
    ),
    Mistake(
        "weight-doubled",
        "the weight is twice as large",
        Recipe(weight=lambda g, phi, p: 2 * g / phi / p),
    ),
    Mistake(
        "weight-squared-gamma",
        "the weight has gamma^2",
        Recipe(weight=lambda g, phi, p: g * g / phi / p),
    ),
    Mistake(
        "weight-squared-probability",
        "the weight is divided by p_j twice",
        Recipe(weight=lambda g, phi, p: g / phi / p / p),
    ),
    Mistake(
        "update-without-potential",
        "the matrix is updated with gamma/p_j, though the weight is right",
        Recipe(update=lambda g, phi, p: g / p),
    ),
    Mistake(
        "update-doubled",
        "every update is made twice",
        Recipe(update=lambda g, phi, p: 2 * g / phi / p),
    ),
    Mistake(
        "update-rooted",
        "the matrix is updated with the square root of the weight",
        Recipe(update=lambda g, phi, p: math.sqrt(abs(g / phi / p))),
    ),
    Mistake(
        "update-subtracted",
        "the matrix is diminished by w x x^T",
        Recipe(update=lambda g, phi, p: -g / phi / p),
    ),
    Mistake(
        "update-direction",
        "the matrix is updated with the direction of U(x), not with U(x)",
        Recipe(outer=_direction),
    ),
    Mistake(
        "upper-sign",
        "the upper barrier moves down",
        Recipe(upper_step=lambda g, phi: -g / (1 - 2 * g) / phi),
    ),
    Mistake(
        "rates-previous-potential",
        "the barriers move with the potential of the iteration before",
        Recipe(rate_potential="previous"),
    ),
    Mistake(
        "rates-four-gamma",
        "the rates have 1 - 4 gamma and 1 + 4 gamma",
        Recipe(
            upper_step=lambda g, phi: g / (1 - 4 * g) / phi,
            lower_step=lambda g, phi: g / (1 + 4 * g) / phi,
        ),
    ),
    Mistake(
        "rates-doubled",
        "the barriers move twice as far",
        Recipe(
            upper_step=lambda g, phi: 2 * g / (1 - 2 * g) / phi,
            lower_step=lambda g, phi: 2 * g / (1 + 2 * g) / phi,
        ),
    ),
    Mistake(
        "rates-halved",
        "the barriers move half as far",
        Recipe(
            upper_step=lambda g, phi: g / (1 - 2 * g) / phi / 2,
            lower_step=lambda g, phi: g / (1 + 2 * g) / phi / 2,
        ),
    ),
    Mistake(
        "rates-without-gamma",
        "the rates lack the factor gamma",
        Recipe(
            upper_step=lambda g, phi: 1 / (1 - 2 * g) / phi,
            lower_step=lambda g, phi: 1 / (1 + 2 * g) / phi,
        ),
    ),
    Mistake(
        "rates-squared-potential",
        "the rates are divided by Phi_j twice",
        Recipe(
            upper_step=lambda g, phi: g / (1 - 2 * g) / phi / phi,
            lower_step=lambda g, phi: g / (1 + 2 * g) / phi / phi,
        ),
    ),
    Mistake(
        "rates-unscaled",
        "the barriers move by gamma/(Phi_j - 2 gamma) and gamma/(Phi_j + 2 gamma)",
        Recipe(
            upper_step=lambda g, phi: g / (phi - 2 * g) if phi != 2 * g else math.nan,
            lower_step=lambda g, phi: g / (phi + 2 * g),
        ),
    ),
    Mistake(
        "barriers-without-gamma",
        "the first barriers are 2d and -2d",
        Recipe(first=lambda d, g: (2 * d, -2 * d)),
    ),
    Mistake(
        "barriers-squared-gamma",
        "the first barriers are 2d/gamma^2 and -2d/gamma^2",
        Recipe(first=lambda d, g: (2 * d / g / g, -2 * d / g / g)),
    ),
    Mistake(
        "barriers-rooted-dimension",
        "the first barriers have sqrt(d) for d",
        Recipe(first=lambda d, g: (2 * math.sqrt(d) / g, -2 * math.sqrt(d) / g)),
    ),
    Mistake(
        "barriers-asymmetric",
        "the first lower barrier is -d/gamma",
        Recipe(first=lambda d, g: (2 * d / g, -d / g)),
    ),
    Mistake("gamma-doubled", "gamma is doubled", Recipe(gamma=lambda g: 2 * g)),
    Mistake(
        "gamma-in-single",
        "gamma is rounded to binary32",
        Recipe(gamma=lambda g: float(np.float32(g))),
        slight=True,
    ),
    Mistake(
        "gamma-one-digit", "gamma is rounded to one digit", Recipe(gamma=lambda g: round(g, 1))
    ),
    Mistake(
        "dimension-plus-one",
        "d counts one dimension too many",
        Recipe(dimension=lambda rank, width, size: rank + 1),
    ),
    Mistake(
        "dimension-minus-one",
        "d counts one dimension too few",
        Recipe(dimension=lambda rank, width, size: rank - 1),
    ),
)

STOPS = (
    Mistake("stop-bound-halved", "the loop ends at 4d/gamma", Recipe(bound=lambda d, g: 4 * d / g)),
    Mistake("stop-bound-six", "the loop ends at 6d/gamma", Recipe(bound=lambda d, g: 6 * d / g)),
    Mistake(
        "stop-bound-without-dimension",
        "the loop ends at 8/gamma, without d",
        Recipe(bound=lambda d, g: 8 / g),
    ),
    Mistake(
        "stop-bound-squared-gamma",
        "the loop ends at 8d/gamma^2",
        Recipe(bound=lambda d, g: 8 * d / g / g),
    ),
    Mistake(
        "stop-sum-late",
        "the sum of potentials lacks that of the last iteration",
        Recipe(clock=lambda at: at.gap + at.potential_sum - at.last_potential),
    ),
    Mistake(
        "stop-sum-early",
        "the sum of potentials has that of the coming iteration",
        Recipe(clock=lambda at: at.gap + at.potential_sum + at.potential),
    ),
    Mistake(
        "stop-last-potential",
        "the loop adds the last potential to the gap, not the sum of all",
        Recipe(clock=lambda at: at.gap + at.last_potential),
    ),
    Mistake(
        "stop-sum-of-barriers",
        "the loop watches u + l in place of u - l",
        Recipe(clock=lambda at: at.upper + at.lower + at.potential_sum),
    ),
    Mistake(
        "stop-upper",
        "the loop watches u in place of u - l",
        Recipe(clock=lambda at: at.upper + at.potential_sum),
    ),
)

VALUES = (*WHITENING, *STEPS, *STOPS)
