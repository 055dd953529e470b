"""Compare the extracted checker with `asura check` on exact traces.

    make compare

Exact runs of the reference (plain and ridge data, both rules) and the exact vectors must
be accepted by both; planted mistakes must be refused by both when they are gross (one part in
ten), and by the extracted checker however small they are (1e-30).
"""

from __future__ import annotations

import json
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


def asura(*arguments: str) -> int:
    """The exit code of the command of this environment."""
    command = shutil.which("asura")
    if command is None:
        raise SystemExit("asura: expected on the PATH")
    done = subprocess.run(  # noqa: S603 - the commands are written in this file
        [command, *arguments], capture_output=True, check=False
    )
    return done.returncode


def accepts(path: Path) -> bool:
    """Whether the extracted checker accepts the trace; anything but yes and no is an error."""
    done = subprocess.run(  # noqa: S603 - the program that the Makefile here builds
        [HERE / "checker", path], capture_output=True, check=False
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"{path}: {done.stdout.decode().strip()}")
    return done.returncode == 0


def mistakes(lines: Lines, relative: Fraction) -> Iterator[tuple[str, Lines]]:
    """The trace with one value changed, each field once."""
    for field in FIELDS:
        changed = json.loads(json.dumps(lines))
        line = changed[1 + len(lines) // 3]
        line[field] = str(Fraction(line[field]) * (1 + relative))
        yield field, changed
    shorter = [*lines[:-2], {"m": len(lines) - 3}]
    yield "m", shorter


def main() -> int:
    """0 when both agree everywhere."""
    wrong, judged = [], 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.jsonl"
        for name, arguments in RUNS:
            points = Path(folder) / "points.csv"
            points.write_text(POINTS[name], encoding="utf-8")
            command = ["run", "--points", str(points), "--arithmetic", "exact", "--probabilities"]
            if asura(*command, *arguments, "--output", str(path)):
                raise SystemExit(f"asura run failed: {name} {arguments}")
            lines: Lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
            if not accepts(path) or asura("check", str(path)):
                wrong.append(f"{name} {arguments}: refused")
            judged += 1
            for relative in (Fraction(1, 10), Fraction(1, 10**30)):
                for field, changed in mistakes(lines, relative):
                    text = "".join(json.dumps(line) + "\n" for line in changed)
                    path.write_text(text, encoding="utf-8")
                    gross = relative > Fraction(1, 100) or field == "m"
                    if accepts(path) or (gross and not asura("check", str(path))):
                        wrong.append(f"{name} {arguments}: {field} not caught")
                    judged += 1
        vectors = Path(folder) / "vectors"
        asura("vectors", "--traces", str(vectors))
        for vector in sorted(vectors.glob("exact-*.jsonl")):
            judged += 1
            if not accepts(vector) or asura("check", str(vector)):
                wrong.append(f"{vector.name}: refused")
    print("\n".join([*wrong, f"{judged} traces judged, {len(wrong)} disagreements"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
