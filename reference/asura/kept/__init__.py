"""Beyond the paper: keep the labelled points, and sample only what must be paid for.

X_2 is kept whole at weight 1 and never sampled, so that every draw is a label. In the paper's
coordinates sum over X of U U^T = I, D = sum over X_1 of U U^T, R = Tr D = R_X.

- `asura.kept.variants`, `asura.kept.barriers`, `asura.kept.runs`: K1 and K2, the barriers of
  Algorithm 2 moved along D;
- `asura.kept.coins`: K6, independent coins for the points of X_1 (the practical default);
- `asura.kept.screening`: draw for free, check, draw again, then pay; around any procedure;
- `asura.kept.noise`: the procedures that can be screened, with their bounds;
- `asura.kept.choosing`: which coins and which check, for a budget or for an accuracy;
- `asura.kept.heavy`, `asura.kept.iid`, `asura.kept.estimators`: K4 and K5, heavy points bought
  outright, independent draws, and estimators that correct a first answer;
- `asura.kept.bounds`, `asura.kept.tuning`: what is promised, and the best parameters (K3 as well);
- `asura.kept.planning`: which variant for a budget or an accuracy;
- `asura.kept.table`: the constants, certified (`python -m asura.kept`);
- `asura.kept.trials`, `asura.kept.spectrum`, `asura.kept.confidence`, `asura.kept.enumeration`,
  `asura.kept.measures`: what they rest on.
"""
