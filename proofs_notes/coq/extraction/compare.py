"""Compare the extracted checker with `asura check` on exact traces.

    make compare

Whole traces: exact runs of the reference (plain and ridge data, both rules) and the exact vectors
must be accepted by both; planted mistakes must be refused by both when they are gross (one part
in ten), and by the extracted checker however small they are (1e-30).

Steps, from the recorded states: runs in rationals, balls and doubles, and vectors, must be accepted
by both; with one value of one line wrong by a thousandth, both must name that line first, the
extracted checker the field besides.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
POINTS = {
    "skew": "1,2\n3,1\n0,1\n",
    "line": "3\n-1\n1/2\n1/2\n",
    "thin": "1,1000\n1,1001\n-2,-2002\n1/3,5\n",
}
RUNS = [
    (name, [*rule, "--gamma", "2/5", *extra])
    for name in POINTS
    for rule in ([], ["--stopping", "sure", "--level", "1/2"])
    for extra in ([], ["--ridge", "1/7"])
]
FIELDS = ("u", "l", "phi", "p", "weight")
Lines = list[dict[str, Any]]


#: How far from the recorded state a value may be, by the arithmetic that computed it.
ALLOWED = {"exact": "0", "ball": "1e-30", "double": "1e-12"}
VECTORS = {
    "exact-*": "0",
    "ball-128": "1e-30",
    "digits-60": "1e-50",
    "digits-15": "1e-12",
    "one-dimension": "1e-20",
    "two-dimensions": "1e-20",
    "skew": "1e-20",
    "scaled": "1e-20",
    "dimension-5": "1e-20",
}
FAULT = re.compile(r"line (\d+), field `(\w+)`")
Place = tuple[int, str]


def asura(*arguments: str) -> subprocess.CompletedProcess[str]:
    """What the command of this environment says."""
    command = shutil.which("asura")
    if command is None:
        raise SystemExit("asura: expected on the PATH")
    return subprocess.run(  # noqa: S603 - the commands are written in this file
        [command, *arguments], capture_output=True, check=False, text=True
    )


def conforms(path: Path) -> bool:
    """Whether `asura check` finds nothing wrong."""
    return asura("check", str(path)).returncode == 0


def accused(paths: list[Path]) -> list[int | None]:
    """The first line that `asura check` finds wrong, in each trace."""
    text = asura("check", "--format", "json", *map(str, paths)).stdout
    firsts = [json.loads(line)["first"] for line in text.splitlines()]
    return [None if first is None else int(first["line"]) for first in firsts]


def asked(*arguments: str | Path) -> str:
    """What the extracted checker says; anything but yes and no is an error."""
    done = subprocess.run(  # noqa: S603 - the program that the Makefile here builds
        [HERE / "checker", *arguments], capture_output=True, check=False, text=True
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"{done.stdout}{done.stderr}".strip())
    return done.stdout


def accepts(path: Path) -> bool:
    """Whether the extracted checker accepts the trace as exact."""
    return asked(path).endswith(": accepted\n")


def refused(allowance: str, paths: list[Path]) -> list[Place | None]:
    """The first line and field that the extracted checker refuses, in each trace."""
    firsts: dict[str, Place | None] = {}
    for said in asked("--steps", allowance, *paths).splitlines():
        name, _, what = said.partition(": ")
        found = FAULT.match(what)
        if found is None and what.startswith("refused") == (firsts.get(name) is None):
            raise SystemExit(f"{said}: expected what is refused, or nothing")
        firsts.setdefault(name, None if found is None else (int(found[1]), found[2]))
    return [firsts[str(path)] for path in paths]


def changed(lines: Lines, place: int, **values: object) -> Lines:
    """The trace with other values on one line, counted from 0."""
    return [*lines[:place], lines[place] | values, *lines[place + 1 :]]


def scaled(value: float | str, relative: Fraction) -> str:
    """A value, wrong by a part of itself; hexadecimal floats are of any length."""
    if isinstance(value, str) and "x" in value:
        digits, power = value.split("p")
        exact = int(digits, 16) * Fraction(2) ** int(power)
    else:
        exact = Fraction(value)
    return str(exact * (1 + relative))


def mistakes(lines: Lines, relative: Fraction) -> Iterator[tuple[str, Lines]]:
    """The trace with one value changed, each field once."""
    place = 1 + len(lines) // 3
    for field in FIELDS:
        yield field, changed(lines, place, **{field: scaled(lines[place][field], relative)})
    yield "m", [*lines[:-2], {"m": len(lines) - 3}]


def wrong_steps(lines: Lines, relative: Fraction) -> Iterator[tuple[Place, Lines]]:
    """The trace with one value of one line wrong, and where: of every line, of the result."""
    for place in range(1, len(lines) - 1):
        line = lines[place]
        for field in FIELDS:
            wrong = scaled(line[field], relative)
            yield (place + 1, field), changed(lines, place, **{field: wrong})
        if "probabilities" in line:
            *others, last = line["probabilities"]
            wrong_list = [*others, scaled(last, relative)]
            yield (place + 1, "probabilities"), changed(lines, place, probabilities=wrong_list)
        if "uniforms" in lines[0]:
            other = (line["index"] + 1) % len(lines[0]["points"])
            yield (place + 1, "index"), changed(lines, place, index=other)
    end = len(lines) - 1
    for field in ("u", "l"):
        wrong = scaled(lines[end][field], relative)
        yield (end + 1, field), changed(lines, end, **{field: wrong})
    yield (end + 1, "m"), changed(lines, end, m=lines[end]["m"] + 1)


class Comparison:
    """What was judged, and where the two do not agree."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / "trace.jsonl"
        self.wrong: list[str] = []
        self.judged = self.steps = 0

    def write(self, lines: Lines, name: str = "trace") -> Path:
        """The file that holds this trace."""
        path = self.folder / f"{name}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return path

    def run(self, name: str, *arguments: str) -> Lines:
        """The trace of a run of the reference."""
        points = self.folder / "points.csv"
        points.write_text(POINTS[name], encoding="utf-8")
        command = ["run", "--points", str(points), "--probabilities", *arguments]
        if asura(*command, "--output", str(self.path)).returncode:
            raise SystemExit(f"asura run failed: {name} {arguments}")
        return [json.loads(line) for line in self.path.read_text("utf-8").splitlines()]

    def hold(self, agreed: bool, what: str) -> None:
        """One judgement."""
        self.judged += 1
        if not agreed:
            self.wrong.append(what)

    def whole(self, name: str, lines: Lines) -> None:
        """An exact trace, and its mistakes, gross and fine."""
        self.write(lines)
        self.hold(accepts(self.path) and conforms(self.path), f"{name}: refused")
        for relative in (Fraction(1, 10), Fraction(1, 10**30)):
            for field, mistaken in mistakes(lines, relative):
                self.write(mistaken)
                gross = relative > Fraction(1, 100) or field == "m"
                caught = not accepts(self.path) and not (gross and conforms(self.path))
                self.hold(caught, f"{name}: {field} not caught")

    def stepwise(self, name: str, allowance: str, lines: Lines) -> None:
        """A trace with its states, and one wrong value after the other."""
        cases: list[tuple[Place | None, Lines]] = [(None, lines)]
        cases += wrong_steps(lines, Fraction(1, 1000))
        paths = [self.write(case, f"case-{i}") for i, (_, case) in enumerate(cases)]
        self.steps += len(cases) - 1
        found = zip(cases, refused(allowance, paths), accused(paths), strict=True)
        for (place, _), first, other in found:
            self.hold(
                first == place and other == (None if place is None else place[0]),
                f"{name}: wrong is {place}, the checker says {first}, asura check line {other}",
            )


def compare(comparison: Comparison) -> None:
    """Runs and vectors, whole and step by step."""
    for name, arguments in RUNS:
        lines = comparison.run(name, "--arithmetic", "exact", *arguments)
        comparison.whole(f"{name} {arguments}", lines)
    for name in POINTS:
        for arithmetic, allowance in ALLOWED.items():
            lines = comparison.run(name, "--arithmetic", arithmetic, "--gamma", "2/5")
            comparison.stepwise(f"{name} in {arithmetic}", allowance, lines)
    vectors = comparison.folder / "vectors"
    asura("vectors", "--traces", str(vectors))
    for pattern, allowance in VECTORS.items():
        for vector in sorted(vectors.glob(f"{pattern}.jsonl")):
            lines = [json.loads(line) for line in vector.read_text("utf-8").splitlines()]
            comparison.stepwise(vector.stem, allowance, lines)
            if allowance == "0":
                comparison.hold(accepts(vector) and conforms(vector), f"{vector.stem}: refused")


def main() -> int:
    """0 when both agree everywhere."""
    with tempfile.TemporaryDirectory() as folder:
        comparison = Comparison(Path(folder))
        compare(comparison)
    count = f"{comparison.judged} traces judged, {comparison.steps} of them with one wrong step"
    print("\n".join([*comparison.wrong, f"{count}; {len(comparison.wrong)} disagreements"]))
    return 1 if comparison.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
