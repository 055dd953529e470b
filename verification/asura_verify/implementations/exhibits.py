"""The wrong implementations: the textbook with one line changed, and its right diagnosis."""

from __future__ import annotations

from asura_verify.implementations.exhibit import (
    CHOSEN,
    CLOCK,
    FACTOR,
    FIRST,
    GAMMA,
    LOW,
    MID,
    PHI,
    ROOTS,
    SVD,
    UP,
    WEIGHT,
    D,
    E,
    picks,
    wrong,
)
from asura_verify.implementations.rarer import ANSWERS, CHANCES, USES, VALUES

_LINES = (
    wrong("potential-product", PHI, "phi = float(np.trace(upper @ lower))"),
    wrong("potential-upper-only", PHI, "phi = float(np.trace(upper))"),
    wrong("potential-lower-only", PHI, "phi = float(np.trace(lower))"),
    wrong("potential-halved", PHI, "phi = float(np.trace(upper + lower)) / 2"),
    wrong("bracket-upper-only", E, "E = upper", PHI, "phi = float(np.trace(upper))"),
    wrong("bracket-lower-only", E, "E = lower", PHI, "phi = float(np.trace(lower))"),
    wrong("weight-without-probability", WEIGHT, "weight = gamma / phi"),
    wrong("weight-square-root", WEIGHT, "weight = float(np.sqrt(gamma / phi / p[index]))"),
    wrong("weight-without-potential", WEIGHT, "weight = gamma / float(p[index])"),
    wrong("weight-without-gamma", WEIGHT, "weight = 1 / phi / float(p[index])"),
    wrong("weight-times-probability", WEIGHT, "weight = gamma / phi * float(p[index])"),
    wrong("weight-times-potential", WEIGHT, "weight = gamma * phi / float(p[index])"),
    wrong("update-without-weight", FACTOR, "factor = 1.0"),
    wrong("update-without-probability", FACTOR, "factor = gamma / phi"),
    wrong("update-squared", FACTOR, "factor = weight**2"),
    wrong("matrix-never-updated", FACTOR, "factor = 0.0"),
    wrong(
        "matrix-stale",
        "upper = np.linalg.inv(u * identity - A)",
        "upper = np.linalg.inv(u * identity - before)",
        "lower = np.linalg.inv(A - l * identity)",
        "lower = np.linalg.inv(before - l * identity)",
    ),
    wrong(
        "rates-swapped",
        UP,
        "u = u + gamma / (1 + 2 * gamma) / phi",
        LOW,
        "l = l + gamma / (1 - 2 * gamma) / phi",
    ),
    wrong("upper-rate-sign", UP, "u = u + gamma / (1 + 2 * gamma) / phi"),
    wrong("lower-rate-sign", LOW, "l = l + gamma / (1 - 2 * gamma) / phi"),
    wrong(
        "rates-one-gamma",
        UP,
        "u = u + gamma / (1 - gamma) / phi",
        LOW,
        "l = l + gamma / (1 + gamma) / phi",
    ),
    wrong("rates-plain", UP, "u = u + gamma / phi", LOW, "l = l + gamma / phi"),
    wrong(
        "rates-times-potential",
        UP,
        "u = u + gamma / (1 - 2 * gamma) * phi",
        LOW,
        "l = l + gamma / (1 + 2 * gamma) * phi",
    ),
    wrong(
        "rates-without-potential",
        UP,
        "u = u + gamma / (1 - 2 * gamma)",
        LOW,
        "l = l + gamma / (1 + 2 * gamma)",
    ),
    wrong("lower-sign", LOW, "l = l - gamma / (1 + 2 * gamma) / phi"),
    wrong("upper-frozen", UP, "u = u + 0.0"),
    wrong("lower-frozen", LOW, "l = l + 0.0"),
    wrong(
        "rates-next-potential",
        UP,
        "new = float(np.trace(np.linalg.inv(u * identity - A) + np.linalg.inv(A - l * identity)));"
        " u = u + gamma / (1 - 2 * gamma) / new",
        LOW,
        "l = l + gamma / (1 + 2 * gamma) / new",
    ),
    wrong("barriers-halved", FIRST, "u, l = d / gamma, -d / gamma"),
    wrong("barriers-without-dimension", FIRST, "u, l = 2 / gamma, -2 / gamma"),
    wrong("barriers-doubled", FIRST, "u, l = 4 * d / gamma, -4 * d / gamma"),
    wrong("gamma-halved", GAMMA, 'gamma = float(header["gamma"]) / 2'),
    wrong("gamma-rooted", GAMMA, 'gamma = float(header["gamma"]) ** 0.5'),
    wrong("gamma-squared", GAMMA, 'gamma = float(header["gamma"]) ** 2'),
    wrong("dimension-is-width", D, "d = width"),
    wrong("dimension-is-size", D, "d = size"),
    wrong("raw-coordinates", SVD, "U, values = X, np.ones(width)"),
    wrong("scales-ignored", SVD, "U, values, _ = np.linalg.svd(points, full_matrices=False)"),
    wrong(
        "scales-not-rooted",
        SVD,
        "U, values, _ = np.linalg.svd(squared[:, None] * points, full_matrices=False)",
    ),
    wrong("stop-gap-only", CLOCK, "clock = u - l"),
    wrong("stop-sum-only", CLOCK, "clock = total"),
    wrong("stop-growth", CLOCK, "clock = (u - l) - (first_u - first_l) + total"),
    wrong("stop-bound-doubled", "bound = 4 * d", "bound = 8 * d"),
    wrong("stop-one-late", CLOCK, "clock = (last_u - last_l) + last_total"),
    wrong("mid-upper", MID, "mid = u"),
    wrong("mid-sum", MID, "mid = u + l"),
    wrong("mid-gap", MID, "mid = (u - l) / 2"),
    wrong("mid-first-barrier", MID, "mid = (first_u + l) / 2"),
    wrong("mid-first-lower", MID, "mid = (u + first_l) / 2"),
    wrong("mid-previous", MID, "mid = (last_u + last_l) / 2"),
    wrong("weights-unnormalised", "[w / mid for w", "[w for w"),
    wrong("weights-times-mid", "[w / mid for w", "[w * mid for w"),
    wrong("alpha-with-probability", "share = gamma / phi", "share = weight"),
    wrong("alpha-unnormalised", "[a / mid for a", "[a for a"),
    wrong("beta-unweighted", ROOTS, "roots = np.ones(len(chosen))"),
    wrong(
        "beta-unlabelled-only",
        CHOSEN,
        "chosen = [i for i in picks if i < unlabelled]; "
        "weighting = np.array([w for i, w in zip(picks, scaled) if i < unlabelled])",
    ),
    wrong("beta-squared-weights", ROOTS, "roots = np.abs(weighting)"),
    wrong("beta-rooted-weights", ROOTS, "roots = np.abs(weighting) ** 0.25"),
    wrong(
        "beta-distinct",
        CHOSEN,
        "kept = dict(zip(picks, scaled)); "
        "chosen, weighting = list(kept), np.array(list(kept.values()))",
    ),
    wrong("beta-everything", CHOSEN, "chosen, weighting = list(range(size)), np.ones(size)"),
    wrong(
        "probability-unnormalised",
        '"p": float(p[index])',
        '"p": float(p[index]) * phi',
        '"probabilities": p.tolist()',
        '"probabilities": (p * phi).tolist()',
    ),
    wrong("index-from-one", '"index": index', '"index": index + 1'),
    wrong("reports-after-step", '"u": old_u', '"u": u', '"l": old_l', '"l": l'),
    wrong("m-off-by-one", '"m": len(steps)', '"m": len(steps) + 1'),
    wrong(
        "stop-one-early",
        "if clock >= bound",
        "ahead = float(np.trace(np.linalg.inv(u * identity - A) + np.linalg.inv(A - l * identity)"
        "))\n        moved = 4 * gamma**2 / (1 - 4 * gamma**2) / ahead\n"
        '        sure = header.get("stopping") == "sure"\n'
        "        if clock + moved + (0 if sure else ahead) >= bound",
    ),
)

_PICKS = (
    picks("picks-uniform", "np.ones(size)"),
    picks("picks-leverage", "leverages"),
    picks("picks-rooted", "np.sqrt(np.maximum(p, 0))"),
    picks("picks-squared", "p**2"),
    picks("picks-stale", "p if earlier is None else earlier"),
    picks("picks-unlabelled-only", "np.where(np.arange(size) < unlabelled, p, 0.0)"),
    picks("picks-tilted", "np.where(np.arange(size) == 0, 1.1 * p, p)"),
    picks("picks-never-last", "np.where(np.arange(size) == size - 1, 0.0, p)"),
    picks("picks-never-first", "np.where(np.arange(size) == 0, 0.0, p)"),
    picks(
        "picks-without-replacement",
        "np.where(np.isin(np.arange(size), picks), 0.0, p) if len(set(picks)) < size else p",
    ),
    picks("picks-greedy", "np.where(np.arange(size) == np.argmax(p), 1.0, 0.0)"),
)

STRUCTURAL = (*_LINES, *VALUES, *ANSWERS)
SAMPLING = (*_PICKS, *CHANCES)
#: Those of which vectors are kept.
COMMON = (*_LINES, *_PICKS)
EXHIBITS = (*STRUCTURAL, *SAMPLING, *USES)
