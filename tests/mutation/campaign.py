"""Run the tests against every mutant, each in a process of its own.

The tests are collected once, with every mutant off. A first process runs them all and notes
which mutants each of them reaches; then one forked process a mutant runs the tests that reach
it, quickest first, until one fails. What already runs when modules are imported cannot be
switched on later: such mutants get a process that imports everything anew.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.importing import Finder, Recorder, turn_on
from tests.mutation.weaving import Woven

#: A mutant: its module and its number there.
Key = tuple[str, int]
#: The test that failed; None when none did.
Killer = str | None
Progress = Callable[[int, int, int], None]
#: A test, its seconds and what it reaches.
Row = tuple[str, float, list[Key]]

#: How much longer than usual a test may take with a mutant.
SLOWDOWN = 8.0
#: Seconds after which a test is ended even when it waits instead of computing.
LONGEST = 60.0
#: Bytes of address space of a process: a mutant may ask for everything.
MEMORY = 6 << 30


class SuiteFails(Exception):
    """A test fails without any mutant."""


@dataclass(frozen=True)
class Suite:
    """The tests, and how pytest is to run them."""

    root: Path
    paths: tuple[str, ...]
    first: tuple[str, ...] = ()  # tests that look at everything, tried first
    options: tuple[str, ...] = ()

    def run(self, plugin: object, tests: Sequence[str] = ()) -> None:
        """Collect them in this process, or the files of some, and leave the rest to the plugin."""
        os.chdir(self.root)
        paths = dict.fromkeys(test.partition("::")[0] for test in tests) or self.paths
        early = ("-W", "ignore::pytest.PytestAssertRewriteWarning")  # modules imported before
        quiet = ("-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", *early)
        pytest.main([*quiet, *self.options, *paths], plugins=[plugin])


# -- processes ---------------------------------------------------------------------------------


@contextlib.contextmanager
def _scratch() -> Iterator[None]:
    """A folder for temporary files that goes with the process."""
    folder = tempfile.mkdtemp()
    os.environ["PYTEST_DEBUG_TEMPROOT"] = folder
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _forked(work: Callable[[], object], *, limited: bool) -> tuple[int, int]:
    """Start work in a child; its answer is JSON on the pipe that is returned with its number."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    code = 1
    try:
        os.close(reading)
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silence, stream)
        if limited:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        with _scratch():
            answer = work()
        with os.fdopen(writing, "w") as pipe:
            json.dump(answer, pipe)
        code = 0
    finally:
        os._exit(code)


def _answer(reading: int, status: int) -> object:
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    if os.WIFSIGNALED(status):
        late = os.WTERMSIG(status) in {signal.SIGALRM, signal.SIGPROF}
        return "(out of time)" if late else "(crashed)"
    if status:
        return None  # the campaign's own trouble is nobody's kill
    return json.loads(text)


def _one(work: Callable[[], object]) -> Any:
    """Work in a child, and wait for it; large answers are read while it writes."""
    child, reading = _forked(work, limited=False)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    if status:
        raise SuiteFails(text or "a process of the campaign broke down")
    return json.loads(text)


def _many(
    assigned: Mapping[Key, Sequence[str]],
    work: Callable[[Key, Sequence[str]], object],
    order: Callable[[Key, Sequence[str], Counter[str]], list[str]],
    jobs: int,
    progress: Progress,
) -> dict[Key, Killer]:
    """All mutants, some at a time; of tests that are as near, what has killed others is first."""
    outcomes: dict[Key, Killer] = {}
    running: dict[int, tuple[Key, int]] = {}
    waiting = list(assigned.items())[::-1]
    kills: Counter[str] = Counter()
    survived = 0
    while waiting or running:
        while waiting and len(running) < jobs:
            key, tests = waiting.pop()
            task = partial(work, key, order(key, tests, kills))
            child, reading = _forked(task, limited=True)
            running[child] = key, reading
        child, status = os.wait()
        key, reading = running.pop(child)
        killer = _answer(reading, status)
        outcomes[key] = None if killer is None else str(killer)
        kills[str(killer)] += 1
        survived += killer is None
        progress(len(outcomes), len(assigned), survived)
    return outcomes


# -- pytest ------------------------------------------------------------------------------------


def _failing(items: Sequence[pytest.Item], limits: Mapping[str, float]) -> str | None:
    """The first test that fails, if any; one that computes for too long ends the process."""
    for item, following in zip(items, [*items[1:], None], strict=False):
        signal.setitimer(signal.ITIMER_PROF, limits[item.nodeid])
        signal.setitimer(signal.ITIMER_REAL, max(LONGEST, 4 * limits[item.nodeid]))
        reports = runtestprotocol(item, log=False, nextitem=following)
        if any(report.failed for report in reports):
            return item.nodeid
    return None


@dataclass(frozen=True)
class Reach:
    """What a run without mutants has shown."""

    seconds: dict[str, float]
    tests: dict[Key, list[str]]  # that reach a mutant, in the order to try them
    early: set[Key]  # reached by importing


def _noted(items: Sequence[pytest.Item], recorders: Mapping[str, Recorder]) -> list[Row]:
    rows = []
    for module, recorder in recorders.items():
        turn_on(module, recorder)
    for item, following in zip(items, [*items[1:], None], strict=True):
        for recorder in recorders.values():
            recorder.reached.clear()
        start = time.perf_counter()
        reports = runtestprotocol(item, log=False, nextitem=following)
        if any(report.failed for report in reports):
            text = "\n".join(report.longreprtext for report in reports if report.failed)
            raise SuiteFails(f"{item.nodeid} fails without a mutant:\n{text}")
        reached = [(r.module, number) for r in recorders.values() for number in r.reached]
        rows.append((item.nodeid, time.perf_counter() - start, reached))
    return rows


def mirrors(test: str, module: str) -> bool:
    """Whether a test is of the module itself: in the file of its name, or in its docstrings.

    >>> mirrors("tests/verification/oracle/truth/test_replay.py::test_a", "oracle.truth.replay")
    True
    >>> mirrors("tests/verification/oracle/test_check_parts.py::test_b", "oracle.truth.replay")
    False
    """
    path = Path(test.partition("::")[0])
    *_, room, name = ("", *module.split("."))
    stem = path.stem.removeprefix("test_")
    return path.parent.name == room and (stem == name or stem.startswith(f"{name}_"))


def _varied(rows: list[Row], first: tuple[str, ...]) -> list[Row]:
    """What looks at everything, then quick tests: one case of each before the second of any."""
    ranked = []
    cases: Counter[str] = Counter()
    for row in sorted(rows, key=lambda row: row[1]):
        name = row[0].partition("[")[0]
        ranked.append((not name.startswith(first), cases[name], row[1], row))
        cases[name] += 1
    return [row for *_, row in sorted(ranked, key=lambda rank: rank[:3])]


class _Collected:
    """A pytest plugin that gets the collected tests, and runs them as it sees fit."""

    def __init__(self, loop: Callable[[list[pytest.Item]], None]) -> None:
        self._loop = loop
        self.fault: str | None = "the tests cannot be collected"

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if not session.testsfailed:
            try:
                self._loop(session.items)
                self.fault = None
            except SuiteFails as error:
                self.fault = str(error)
        return True


def _imported(finder: Finder) -> None:
    finder.install()
    for module in finder.switches:
        __import__(module)


class Campaign:
    """Some modules, woven, and the suite that is to notice their mutants."""

    def __init__(
        self,
        woven: Mapping[str, tuple[Path, Woven]],
        suite: Suite,
        *,
        jobs: int,
        budget: float,  # seconds of tests for one mutant, as they take without it
        patience: float,  # seconds that a test may take in any case
        progress: Progress,
    ) -> None:
        self._woven, self._suite, self._jobs, self._budget = woven, suite, jobs, budget
        self._patience, self._progress = patience, progress

    def _collect(
        self, loop: Callable[[list[pytest.Item]], None], finder: Finder, tests: Sequence[str] = ()
    ) -> None:
        _imported(finder)
        plugin = _Collected(loop)
        self._suite.run(plugin, tests)
        if plugin.fault is not None:
            raise SuiteFails(plugin.fault)

    def reach(self, *, trial: bool = True) -> Reach:
        """Run everything once without a mutant; without a trial, only collect."""

        def work() -> object:
            finder = Finder(self._woven)
            recorders = {module: Recorder(module) for module in self._woven}
            finder.switches.update(recorders)
            answer: dict[str, object] = {}

            def loop(items: list[pytest.Item]) -> None:
                answer["early"] = [(r.module, k) for r in recorders.values() for k in r.reached]
                collected: list[Row] = [(item.nodeid, 0.0, []) for item in items]
                answer["rows"] = _noted(items, recorders) if trial else collected

            try:
                self._collect(loop, finder)
            except SuiteFails as error:
                return {"fault": str(error)}
            return answer

        answer = _one(work)
        if "fault" in answer:
            raise SuiteFails(answer["fault"])
        early = {(module, number) for module, number in answer["early"]}
        tests: dict[Key, list[str]] = {}
        for test, _, reached in _varied(answer["rows"], self._suite.first):
            for module, number in reached:
                tests.setdefault((module, number), []).append(test)
        return Reach({test: seconds for test, seconds, _ in answer["rows"]}, tests, early)

    def judge(self, assigned: Mapping[Key, Sequence[str]], reach: Reach) -> dict[Key, Killer]:
        """Run the tests assigned to each mutant until one fails."""
        late = {key: tests for key, tests in assigned.items() if key not in reach.early}
        early = {key: tests for key, tests in assigned.items() if key in reach.early}
        outcomes = self._switched(late, reach) if late else {}
        return outcomes | (self._anew(early, reach) if early else {})

    def _judged(
        self,
        assigned: Mapping[Key, Sequence[str]],
        work: Callable[[Key, Sequence[str]], object],
        reach: Reach,
    ) -> dict[Key, Killer]:
        def order(key: Key, tests: Sequence[str], kills: Counter[str]) -> list[str]:
            ranked = sorted(tests, key=lambda test: (not mirrors(test, key[0]), -kills[test]))
            spent = accumulate(reach.seconds.get(test, 0.0) for test in ranked)
            return [t for t, total in zip(ranked, spent, strict=True) if total <= self._budget]

        return _many(assigned, work, order, self._jobs, self._progress)

    def _limits(self, tests: Sequence[str], reach: Reach) -> dict[str, float]:
        return {test: self._patience + SLOWDOWN * reach.seconds.get(test, 0.0) for test in tests}

    def _switched(self, assigned: Mapping[Key, Sequence[str]], reach: Reach) -> dict[Key, Killer]:
        """Mutants that are turned on after everything is collected."""

        def session() -> object:
            answer: list[tuple[str, int, str | None]] = []

            def loop(items: list[pytest.Item]) -> None:
                by_name = {item.nodeid: item for item in items}

                def work(key: Key, tests: Sequence[str]) -> object:
                    turn_on(*key)
                    return _failing([by_name[t] for t in tests], self._limits(tests, reach))

                for (module, number), killer in self._judged(assigned, work, reach).items():
                    answer.append((module, number, killer))

            self._collect(loop, Finder(self._woven))
            return answer

        answer = _one(session)
        return {(module, number): killer for module, number, killer in answer}

    def _anew(self, assigned: Mapping[Key, Sequence[str]], reach: Reach) -> dict[Key, Killer]:
        """Mutants that are on from the first import."""

        def work(key: Key, tests: Sequence[str]) -> object:
            module, number = key
            finder = Finder(self._woven)
            finder.switches[module] = number
            found: list[str | None] = []

            def loop(items: list[pytest.Item]) -> None:
                by_name = {item.nodeid: item for item in items}
                whole = all(test in by_name for test in tests)
                limits = self._limits(tests, reach)
                found.append(
                    _failing([by_name[t] for t in tests], limits) if whole else "(collection)"
                )

            try:
                self._collect(loop, finder, tests)
            except Exception:  # noqa: BLE001 - a mutant may break anything
                return "(import)"
            return found[0] if found else "(collection)"

        return self._judged(assigned, work, reach)
