"""The audit: run every task, keep what is finished, compute every verdict."""

from __future__ import annotations

import hashlib
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from importlib import metadata
from operator import itemgetter
from pathlib import Path

import msgspec

import asura
from asura.errors import UnwritableFile, missing_package
from asura.files import directory
from asura_verify.auditing.tasks import Task, merged, missing_solver, perform, plan
from asura_verify.proofs.theorems import SOURCES
from asura_verify.registry.claim import Claim, UnknownClaim
from asura_verify.registry.evidence import Evidence
from asura_verify.registry.ruling import ClaimRuling, rule_claim

JOURNAL = "evidence.jsonl"
#: What Python and Coq leave beside their sources.
COMPILED = frozenset({".pyc", ".vo", ".vok", ".vos", ".glob", ".aux", ".d", ".cache"})


@dataclass(frozen=True)
class Audit:
    """What an audit found; `unfinished` names the claims that still wait for a task."""

    rulings: tuple[ClaimRuling, ...]
    unfinished: tuple[str, ...]
    seed: int
    factor: float
    seconds: float
    interrupted: bool = False

    def __getitem__(self, slug: str) -> ClaimRuling:
        for ruling in self.rulings:
            if ruling.claim.slug == slug:
                return ruling
        raise UnknownClaim(f"{slug!r}: expected a claim that was judged", value=slug)

    def __repr__(self) -> str:
        count = Counter(ruling.printed.word.value for ruling in self.rulings)
        words = [f"{number} {word!r}" for word, number in count.most_common()]
        waiting = [f"{len(self.unfinished)} unfinished"] if self.unfinished else []
        return f"Audit({', '.join([*words, *waiting])})"


class _Entry(msgspec.Struct):
    task: str
    evidence: list[Evidence]


class _Header(msgspec.Struct):
    fingerprint: str


#: The folders of both packages.
PACKAGES = (Path(str(asura.__file__)).parent, Path(__file__).parents[1])
#: The libraries whose answers the evidence repeats.
LIBRARIES = ("hypothesis", "mpmath", "numpy", "python-flint", "sympy", "z3-solver")


def fingerprint(seed: int, factor: float) -> str:
    """What must be equal for finished tasks to be taken over: all that a verdict rests on.

    That is the seed and the factor, Python and the libraries, every file of both packages (the
    pinned theorems are among them), and every file of the machine-checked development.
    """
    digest = hashlib.sha256(f"{seed}:{factor}:{sys.version}".encode())
    for library in LIBRARIES:
        digest.update(f"{library} {_version(library)}\n".encode())
    for folder in (*PACKAGES, SOURCES):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix not in COMPILED:
                content = path.read_bytes()
                digest.update(f"{path.relative_to(folder)}\0{len(content)}\0".encode())
                digest.update(content)
    return digest.hexdigest()


def _version(library: str) -> str:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return "absent"


@dataclass
class Journal:
    """Finished tasks in a file, one line each, so that an interrupted audit goes on."""

    folder: Path | None
    mark: str
    finished: dict[str, list[Evidence]] = field(default_factory=dict)

    def open(self) -> None:
        """Take over what an earlier audit of the same sources finished."""
        if self.folder is None:
            return
        path = directory(self.folder) / JOURNAL
        try:
            lines = path.read_bytes().splitlines() if path.exists() else []
            if lines and self._header(lines[0]) == self.mark:
                self._take_over(lines[1:])
            path.write_bytes(msgspec.json.encode(_Header(self.mark)) + b"\n")
            for key, evidence in self.finished.items():
                self._append(path, key, evidence)
        except OSError as error:
            raise UnwritableFile(f"{path}: {error.strerror or error}", value=path) from None

    def _header(self, line: bytes) -> str:
        try:
            return msgspec.json.decode(line, type=_Header).fingerprint
        except msgspec.DecodeError:
            return ""

    def _take_over(self, lines: list[bytes]) -> None:
        for line in lines:
            try:
                entry = msgspec.json.decode(line, type=_Entry)
            except msgspec.DecodeError:
                continue  # the line that an interruption cut in half
            self.finished[entry.task] = entry.evidence

    def _append(self, path: Path, key: str, evidence: list[Evidence]) -> None:
        with path.open("ab") as stream:
            stream.write(msgspec.json.encode(_Entry(key, evidence)) + b"\n")

    def add(self, key: str, evidence: list[Evidence]) -> None:
        """One more finished task."""
        self.finished[key] = evidence
        if self.folder is not None:
            self._append(self.folder / JOURNAL, key, evidence)


#: Told after every task: tasks finished, tasks in all, and the claims that it completed.
Watcher = Callable[[int, int, Sequence[ClaimRuling]], None]


class _Board:
    """Which claims wait for which tasks; in which order these end leaves no trace."""

    def __init__(self, selected: Sequence[Claim], tasks: Sequence[Task]) -> None:
        self.claims = {claim.slug: claim for claim in selected}
        self.waiting = {claim.slug: 0 for claim in selected}
        self.place = {task.key: place for place, task in enumerate(tasks)}
        self.evidence: dict[str, list[tuple[int, Evidence]]] = {slug: [] for slug in self.claims}
        for task in tasks:
            for slug in task.slugs:
                self.waiting[slug] += 1

    def enter(self, task: Task, evidence: Sequence[Evidence]) -> list[ClaimRuling]:
        """Take in a finished task; the claims that it completed."""
        for item in evidence:
            self.evidence[item.slug].append((self.place[task.key], item))
        completed = []
        for slug in task.slugs:
            self.waiting[slug] -= 1
            if self.waiting[slug] == 0:
                completed.append(self.ruling(slug))
        return completed

    def ruling(self, slug: str) -> ClaimRuling:
        in_order = sorted(self.evidence[slug], key=itemgetter(0))
        return rule_claim(self.claims[slug], merged(item for _, item in in_order))


def audit(
    selected: Sequence[Claim],
    pool: Executor,
    *,
    seed: int = 0,
    factor: float = 1.0,
    folder: Path | None = None,
    watcher: Watcher | None = None,
    in_flight: int = 1,
    partly: bool = False,
) -> Audit:
    """Gather all evidence and compute the verdicts; Ctrl-C keeps what is finished.

    `in_flight` tasks are with the executor at a time. Without a solver that a proof needs nothing
    is begun, unless the verdicts may rest on a part of the evidence.
    """
    solver = None if partly else missing_solver(selected)
    if solver is not None:
        raise missing_package(f"the proofs of an audit need {solver}", "verify", solver)
    started = time.perf_counter()
    tasks = plan(selected, seed=seed, factor=factor)
    journal = Journal(folder, fingerprint(seed, factor))
    journal.open()
    board = _Board(selected, tasks)
    done = 0
    interrupted = False

    def finish(task: Task, evidence: list[Evidence]) -> None:
        nonlocal done
        done += 1
        completed = board.enter(task, evidence)
        if watcher is not None:
            watcher(done, len(tasks), completed)

    futures: dict[Future[list[Evidence]], Task] = {}
    known = [task for task in tasks if task.key in journal.finished]
    rest = deque(task for task in tasks if task.key not in journal.finished)
    try:
        for task in known:
            finish(task, journal.finished[task.key])
        while rest or futures:
            # A short queue: what is finished is written down before more is begun.
            while rest and len(futures) < in_flight:
                task = rest.popleft()
                futures[pool.submit(perform, task)] = task
            for future in wait(futures, return_when=FIRST_COMPLETED).done:
                task = futures.pop(future)
                evidence = future.result()
                journal.add(task.key, evidence)
                finish(task, evidence)
    except KeyboardInterrupt:
        interrupted = True
        for future in futures:
            future.cancel()
    unfinished = tuple(slug for slug, count in board.waiting.items() if count > 0)
    rulings = tuple(board.ruling(claim.slug) for claim in selected if claim.slug not in unfinished)
    return Audit(rulings, unfinished, seed, factor, time.perf_counter() - started, interrupted)
