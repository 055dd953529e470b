"""Mutation testing: every small change to the sampler or the oracle must fail a test.

`python -m tests.mutation run`, `check` and `verify`.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("ASURA_PROFILE", "mutation")

import flint  # noqa: F401 - what every process needs is imported once
import hypothesis  # noqa: F401
import mpmath  # noqa: F401
import msgspec  # noqa: F401
import numpy as np  # noqa: F401
import typer.testing  # noqa: F401

from tests.mutation.campaign import LONGEST, Campaign, Key, Reach, Suite, SuiteFails
from tests.mutation.record import Count, Record, counted, exists, read_reasons
from tests.mutation.targets import FIRST, ROOT, SUITE, TARGETS, source_of
from tests.mutation.weaving import Woven, weave


def console() -> Callable[[int, int, int], None]:
    """Progress, on a stream that the children do not silence."""
    stream = os.fdopen(os.dup(2), "w")
    living = stream.isatty()
    start = time.monotonic()

    def show(done: int, total: int, survived: int) -> None:
        line = f"{done} of {total} mutants, {survived} survive, {time.monotonic() - start:.0f} s"
        if living:
            print(f"\r{line}", end="" if done < total else "\n", file=stream, flush=True)
        elif done % 100 == 0 or done == total:
            print(line, file=stream, flush=True)

    return show


def report(count: Count) -> int:
    """The sentence and the exit code."""
    for fault in count.faults:
        print(fault)
    print(
        f"{count.mutants} mutants: {count.killed} killed, {count.excused} equivalent, "
        f"{len(count.faults)} faults"
    )
    return 1 if count.faults else 0


def _campaign(
    arguments: argparse.Namespace,
    files: Mapping[str, tuple[Path, Woven]],
    paths: Sequence[str],
    patience: float,
) -> Campaign:
    return Campaign(
        files,
        Suite(arguments.root, tuple(paths), FIRST, tuple(arguments.option)),
        jobs=arguments.jobs,
        budget=arguments.budget,
        patience=patience,
        progress=console(),
    )


def run(arguments: argparse.Namespace, files: Mapping[str, tuple[Path, Woven]]) -> int:
    """Judge what is new, changed, alive or killed by a test that is gone, or all."""
    record = Record.read(arguments.record)
    woven = {module: each for module, (_, each) in files.items()}
    chosen = set(arguments.only or woven)
    wanted = [
        (module, mutant)
        for module, each in woven.items()
        for mutant in each.mutants
        if module in chosen
        and (
            arguments.all
            or not record.knows(module, mutant, each)
            or (killer := record.killer(module, mutant)) is None
            or not exists(killer, arguments.root)
        )
    ]
    campaign = _campaign(arguments, files, arguments.suite, arguments.patience)
    start = time.monotonic()
    reach = campaign.reach()
    print(f"{len(reach.seconds)} tests reach {len(reach.tests)} mutants, "
          f"{time.monotonic() - start:.0f} s", file=sys.stderr)  # fmt: skip
    for each_module, group in groupby(wanted, key=lambda pair: pair[0]):
        assigned: dict[Key, list[str]] = {}
        for module, mutant in group:
            key = (module, mutant.number)
            early = key in reach.early
            assigned[key] = _everything(module, reach) if early else reach.tests.get(key, [])
        print(each_module, file=sys.stderr)
        outcomes = campaign.judge(assigned, reach)
        record.update(woven, outcomes)
        record.write(arguments.record)
    return report(counted(woven, record, read_reasons(arguments.reasons)))


def _everything(module: str, reach: Reach) -> list[str]:
    """All tests, those first that reach the module."""
    near = {test for (m, _), tests in reach.tests.items() if m == module for test in tests}
    return sorted(reach.seconds, key=lambda test: (test not in near, reach.seconds[test]))


def check(arguments: argparse.Namespace, files: Mapping[str, tuple[Path, Woven]]) -> int:
    """The gate alone: nothing is run."""
    woven = {module: each for module, (_, each) in files.items()}
    reasons = read_reasons(arguments.reasons)
    return report(counted(woven, Record.read(arguments.record), reasons))


def verify(arguments: argparse.Namespace, files: Mapping[str, tuple[Path, Woven]]) -> int:
    """Whether a sample of the recorded kills still happens, each by the test that is named."""
    record = Record.read(arguments.record)
    kills = [
        (module, mutant, killer)
        for module, (_, each) in files.items()
        for mutant in each.mutants
        if (killer := record.killer(module, mutant)) is not None and not killer.startswith("(")
    ]
    sample = random.Random(arguments.seed).sample(kills, min(arguments.count, len(kills)))  # noqa: S311
    names: dict[Key, str] = {}
    assigned = {}
    for module, mutant, killer in sample:
        names[module, mutant.number] = f"{module}, {mutant.scope}: {mutant.name}"
        assigned[module, mutant.number] = [killer]
    paths = sorted({killer.partition("::")[0] for _, _, killer in sample})
    campaign = _campaign(arguments, files, paths, LONGEST)  # a named test must fail, not be ended
    reach = campaign.reach(trial=False)
    outcomes = campaign.judge(
        {key: tests for key, tests in assigned.items() if tests[0] in reach.seconds}, reach
    )
    # A mutant that is on from the first import may break that import before the test fails.
    alive = [
        key
        for key, tests in assigned.items()
        if key not in outcomes or outcomes[key] not in {*tests, "(import)", "(collection)"}
    ]
    for key in alive:
        print(f"{names[key]}: recorded as killed by {assigned[key][0]}, which does not fail")
    print(f"{len(sample)} recorded kills tried, {len(alive)} did not happen")
    return 1 if alive else 0


def main() -> int:
    """Parse the arguments."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("command", choices=("run", "check", "verify"))
    parser.add_argument("--all", action="store_true", help="run: judge every mutant anew")
    parser.add_argument("--only", nargs="*", metavar="MODULE", help="run: of these modules only")
    parser.add_argument("--budget", type=float, default=30.0, metavar="SECONDS",
                        help="run: of tests for one mutant")  # fmt: skip
    parser.add_argument("--patience", type=float, default=3.0, metavar="SECONDS",
                        help="run: of computing that a test may take in any case")  # fmt: skip
    parser.add_argument("--count", type=int, default=200, help="verify: how many kills")
    parser.add_argument("--seed", type=int, default=1, help="verify: which ones")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    here = Path(__file__).parent
    parser.add_argument("--record", type=Path, default=here / "record")
    parser.add_argument("--reasons", type=Path, default=here / "equivalent")
    parser.add_argument("--root", type=Path, default=ROOT)
    parser.add_argument("--targets", nargs="*", default=TARGETS, metavar="MODULE")
    parser.add_argument("--suite", nargs="*", default=SUITE, metavar="PATH")
    parser.add_argument("--option", action="append", default=[], help="of pytest")
    arguments = parser.parse_args()
    files = {}
    for module in arguments.targets:
        path = source_of(module, arguments.root)
        files[module] = path, weave(path.read_text("utf-8"))
    try:
        commands = {"run": run, "check": check, "verify": verify}
        return commands[arguments.command](arguments, files)
    except SuiteFails as error:
        print(error)
        return 2


if __name__ == "__main__":
    sys.exit(main())
