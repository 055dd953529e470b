"""More known mistakes, of what is reported: iterations, weights at the end, alphas and beta."""

# ruff: noqa: ARG005 - a recipe's lambdas all see the same arguments

from __future__ import annotations

import math

import numpy as np

from asura_verify.oracle.mistakes.recipe import Mistake, Recipe

REPORTS = (
    Mistake(
        "weight-reported-normalised",
        "the weight of an iteration is w_j, divided by mid; it must be w'_j",
        Recipe(reported_weight=lambda w, mid, p: w / mid),
    ),
    Mistake(
        "weight-reported-rooted",
        "the weight of an iteration is sqrt(w'_j), the factor of a row",
        Recipe(reported_weight=lambda w, mid, p: math.sqrt(abs(w))),
    ),
    Mistake(
        "weight-reported-share",
        "the weight of an iteration is gamma/Phi_j, though the matrix is right",
        Recipe(reported_weight=lambda w, mid, p: w * p),
    ),
    Mistake(
        "weight-reported-inverse-probability",
        "the weight of an iteration is 1/p_j, though the matrix is right",
        Recipe(reported_weight=lambda w, mid, p: 1 / p),
    ),
    Mistake(
        "potential-reported-mean",
        "the reported potential is divided by d, though the run is right",
        Recipe(reported_potential=lambda phi, d: phi / d),
    ),
    Mistake(
        "potential-reported-inverse",
        "the reported potential is 1/Phi_j, though the run is right",
        Recipe(reported_potential=lambda phi, d: 1 / phi),
    ),
    Mistake(
        "reports-swapped",
        "u and l are exchanged in the iterations",
        Recipe(reported_barriers=lambda up, low: (low, up)),
    ),
    Mistake(
        "lower-reported-positive",
        "-l is reported for l in the iterations",
        Recipe(reported_barriers=lambda up, low: (up, -low)),
    ),
    Mistake(
        "probability-logarithm",
        "the reported p is a logarithm",
        Recipe(reported_probability=lambda p, phi: np.log(np.maximum(p, 1e-300))),
    ),
    Mistake(
        "probability-cumulative",
        "the reported p is the sum up to the point",
        Recipe(reported_probability=lambda p, phi: np.cumsum(p)),
    ),
    Mistake(
        "probability-clipped",
        "the reported p is at least a hundredth",
        Recipe(reported_probability=lambda p, phi: np.maximum(p, 0.01)),
    ),
    Mistake(
        "probability-rounded",
        "the reported p is rounded to four digits after the point",
        Recipe(reported_probability=lambda p, phi: np.round(p, 4)),
        slight=True,
    ),
    Mistake(
        "probability-in-single",
        "the reported p is rounded to binary32",
        Recipe(reported_probability=lambda p, phi: p.astype(np.float32).astype(np.float64)),
        slight=True,
    ),
    Mistake(
        "probability-twice-normalised",
        "the reported p is divided by Phi_j twice",
        Recipe(reported_probability=lambda p, phi: p / phi),
    ),
)

ENDS = (
    Mistake("mid-lower", "mid is l_m", Recipe(mid=lambda e: e.lower)),
    Mistake("mid-full-gap", "mid is u_m - l_m", Recipe(mid=lambda e: e.upper - e.lower)),
    Mistake(
        "mid-geometric",
        "mid is the geometric mean of u_m and l_m",
        Recipe(mid=lambda e: math.sqrt(abs(e.upper * e.lower))),
    ),
    Mistake(
        "mid-harmonic",
        "mid is the harmonic mean of u_m and l_m",
        Recipe(mid=lambda e: 2 * e.upper * e.lower / (e.upper + e.lower)),
    ),
    Mistake(
        "mid-negated", "mid has the wrong sign", Recipe(mid=lambda e: -(e.upper + e.lower) / 2)
    ),
    Mistake(
        "weights-rooted",
        "the final weights are square roots, the factors of rows",
        Recipe(normalised=lambda weights, mid: np.sqrt(np.abs(weights / mid))),
    ),
    Mistake(
        "weights-sum-one",
        "the final weights are divided by their sum, not by mid",
        Recipe(normalised=lambda weights, mid: weights / max(float(np.sum(weights)), 1e-300)),
    ),
    Mistake(
        "weights-mean",
        "the final weights are divided by m, not by mid",
        Recipe(normalised=lambda weights, mid: weights / max(len(weights), 1)),
    ),
    Mistake(
        "weights-mean-one",
        "the final weights are scaled to mean 1",
        Recipe(normalised=lambda weights, mid: weights / max(float(np.mean(weights)), 1e-300)),
    ),
    Mistake(
        "weights-twice-normalised",
        "the final weights are divided by mid twice",
        Recipe(normalised=lambda weights, mid: weights / mid / mid),
    ),
    Mistake(
        "weights-in-single",
        "the final weights are rounded to binary32",
        Recipe(
            normalised=lambda weights, mid: (weights / mid).astype(np.float32).astype(np.float64)
        ),
    ),
    Mistake(
        "alpha-without-gamma",
        "alpha_j lacks the factor gamma",
        Recipe(alpha=lambda shares, weights, mid, g: shares / g / mid),
    ),
    Mistake(
        "alpha-squared-gamma",
        "alpha_j has gamma^2",
        Recipe(alpha=lambda shares, weights, mid, g: shares * g / mid),
    ),
    Mistake(
        "alpha-times-potential",
        "alpha_j is gamma Phi_j/mid",
        Recipe(alpha=lambda shares, weights, mid, g: g * g / shares / mid),
    ),
    Mistake(
        "alpha-sum-one",
        "the alphas are scaled to sum 1",
        Recipe(alpha=lambda shares, weights, mid, g: shares / max(float(np.sum(shares)), 1e-300)),
    ),
    Mistake(
        "alpha-twice-normalised",
        "the alphas are divided by mid twice",
        Recipe(alpha=lambda shares, weights, mid, g: shares / mid / mid),
    ),
)

REGRESSIONS = (
    Mistake(
        "beta-labels-unweighted",
        "the rows of the regression are weighted, its labels are not",
        Recipe(regression="labels unweighted"),
    ),
    Mistake(
        "beta-points-unweighted",
        "the labels of the regression are weighted, its rows are not",
        Recipe(regression="points unweighted"),
    ),
    Mistake(
        "beta-scales-ignored",
        "the regression has rows without their scales",
        Recipe(regression="unscaled"),
    ),
    Mistake(
        "beta-scales-not-rooted",
        "the regression has rows c x, not sqrt(c) x",
        Recipe(regression="scaled twice"),
    ),
    Mistake(
        "beta-without-last",
        "the last pick is missing in the regression",
        Recipe(regression="without last"),
    ),
    Mistake("beta-alphas", "the regression is weighted by the alphas", Recipe(regression="shares")),
    Mistake(
        "beta-inverse-probability",
        "the regression is weighted by 1/p_j",
        Recipe(regression="inverse probability"),
    ),
    Mistake("beta-negated", "beta has the wrong sign", Recipe(regression="negated")),
    Mistake(
        "beta-intercept",
        "the regression has an intercept, which is not reported",
        Recipe(regression="intercept"),
    ),
    Mistake(
        "beta-unit-columns",
        "beta belongs to columns that were scaled to length 1",
        Recipe(regression="unit columns"),
    ),
    Mistake("beta-ridge", "the regression has a ridge of 1", Recipe(regression="ridge")),
    Mistake(
        "beta-distinct-unweighted",
        "every sampled point enters the regression once, unweighted",
        Recipe(regression="distinct unweighted"),
    ),
)

ANSWERS = (*REPORTS, *ENDS, *REGRESSIONS)
