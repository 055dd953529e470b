"""The two promises of a plan, at full size: no budget exceeded, no certificate wrong.

    python -m tests.benchmarks.promises [--plans 10000] [--damaged 1050]

The tests of the gate make some of the same plans and damage some of the same samples. A plan is
whole: a table with odd rows, a question, trials, the final draw, the certificate, the fit. Slow
methods are one plan in fifty. A damaged sample may keep the delta of the good one only where exact
arithmetic finds that it still holds.
"""

from __future__ import annotations

import argparse
import itertools
from collections import Counter

from asura.engine import choosing
from tests.reference.engine.test_certificate import damaged
from tests.reference.engine.test_plan import MIXTURE, SLOW, whole_plan


def plans(count: int) -> tuple[Counter[str], int]:
    """So many plans, each checked, by method; and how many questions were refused by name."""
    made: Counter[str] = Counter()
    refused = 0
    for seed in itertools.count():
        if made.total() == count:
            return made, refused
        quick = MIXTURE[len(SLOW) + seed % (len(MIXTURE) - len(SLOW))]
        name = whole_plan(10**5 + seed, quick if seed % 50 else SLOW[seed // 50 % len(SLOW)], True)
        if name is None:
            refused += 1
        else:
            made[name] += 1
    raise AssertionError


def main() -> None:
    """Print what was kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plans", type=int, default=10_000)
    parser.add_argument("--damaged", type=int, default=1050)
    options = parser.parse_args()
    choosing._REDRAWS, choosing._SLOW_PILOTS = 50, 3  # tiny tables need no more
    made, refused = plans(options.plans)
    shares = ", ".join(f"{name} {number}" for name, number in made.most_common())
    print(f"{made.total()} whole plans within their budget ({shares})")
    print(f"{refused} questions refused by name")
    samples = [damaged(seed) for seed in range(options.damaged)]
    kept = [each for each in samples if not each.refused]
    wrong = [each for each in kept if not each.still_true]
    print(f"{len(samples) - len(kept)} of {len(samples)} damaged samples refused their delta")
    print(f"{len(kept)} keep it, {len(wrong)} of them wrongly")
    for each in kept:
        print(f"  {each.what}: {each.found:.6g} instead of {each.honest:.6g}")


if __name__ == "__main__":
    main()
