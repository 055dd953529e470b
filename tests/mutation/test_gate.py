"""The gate that counts mutants, on a project of its own: it lets nothing through."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

TOY = '''
LIMIT = 10


def clipped(x):
    """The smaller of x and LIMIT."""
    if x > LIMIT:
        return LIMIT
    return x


def forever(x):
    while x > 0:
        x -= 1
    return x
'''
WEAK = """
from toy import clipped, forever

def test_clipped():
    assert clipped(3) == 3

def test_forever():
    assert forever(5) == 0
"""
STRONG = """
from toy import clipped, forever

def test_clipped():
    assert clipped(3) == 3
    assert clipped(11) == 10
    assert clipped(15) == 10

def test_forever():
    assert forever(5) == 0
"""
REASONS = """
[[equivalent]]
reason = "at the limit both branches return it"
[equivalent.mutants]
clipped = ["x > LIMIT -> x >= LIMIT"]

[[equivalent]]
reason = "none"
[equivalent.mutants]
forever = []
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "toy.py").write_text(TOY)
    (tmp_path / "test_toy.py").write_text(STRONG)
    (tmp_path / "equivalent").mkdir()
    (tmp_path / "equivalent/toy.toml").write_text(REASONS)
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    return tmp_path


def mutation(project: Path, command: str, *options: str) -> tuple[int, str]:
    where = {
        "--root": ".",
        "--record": "record",
        "--reasons": "equivalent",
        "--targets": "toy",
        "--suite": "test_toy.py",
        "--patience": "1",
        "--budget": "5",
    }
    arguments = ["--option=-cpytest.ini", *(word for pair in where.items() for word in pair)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.mutation", command, *arguments, *options],
        cwd=project,
        env={"PYTHONPATH": f"{ROOT}:{project}", "PATH": "", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_good_suite_passes_and_every_way_out_is_closed(project: Path) -> None:
    code, text = mutation(project, "run")
    assert "0 faults" in text
    assert code == 0
    record = json.loads((project / "record/toy.json").read_text())
    killers = record["scopes"]
    by_name = {
        name: None if place is None else record["tests"][place]
        for scope in killers.values()
        for name, place in scope["killed_by"].items()
    }
    assert by_name["10 -> 20 in LIMIT = 10"] == "test_toy.py::test_clipped"  # on from the import
    assert by_name["x -= 1 -> pass"] == "(out of time)"
    assert by_name["x > LIMIT -> x >= LIMIT"] is None
    assert mutation(project, "check")[0] == 0
    assert mutation(project, "verify")[0] == 0

    # A survivor without a reason.
    (project / "equivalent/toy.toml").write_text("equivalent = []")
    code, text = mutation(project, "check")
    assert code == 1
    assert "x > LIMIT -> x >= LIMIT survives" in text

    # A reason that says nothing.
    (project / "equivalent/toy.toml").write_text(
        REASONS.replace("at the limit both branches return it", " ")
    )
    assert mutation(project, "check")[0] == 1

    # A reason for a mutant that is killed, or that does not exist.
    for name in ("x -= 1 -> pass", "y -> z"):
        (project / "equivalent/toy.toml").write_text(
            REASONS.replace("forever = []", f'forever = ["{name}"]')
        )
        code, text = mutation(project, "check")
        assert code == 1
        assert "has a reason, and does not survive" in text
    (project / "equivalent/toy.toml").write_text(REASONS)

    # Sources that changed since.
    (project / "toy.py").write_text(TOY.replace("return x\n\n\ndef", "return x + 0\n\n\ndef"))
    code, text = mutation(project, "check")
    assert code == 1
    assert "changed since the last campaign: clipped" in text
    (project / "toy.py").write_text(TOY)

    # Tests that became weaker: recorded kills do not happen.
    (project / "test_toy.py").write_text(WEAK)
    assert mutation(project, "check")[0] == 0
    code, text = mutation(project, "verify")
    assert code == 1
    assert "recorded as killed by test_toy.py::test_clipped, which does not fail" in text

    # Tests that are no more.
    (project / "test_toy.py").write_text(STRONG.replace("test_clipped", "test_other"))
    code, text = mutation(project, "verify")
    assert code == 1
    assert "recorded as killed by test_toy.py::test_clipped, which does not fail" in text

    # A campaign with the weak tests.
    (project / "test_toy.py").write_text(WEAK)
    code, text = mutation(project, "run", "--all")
    assert code == 1
    assert "LIMIT = 10 survives" in text

    # What no test reaches survives.
    (project / "test_toy.py").write_text(WEAK.partition("def test_forever")[0])
    code, text = mutation(project, "run", "--all")
    assert code == 1
    assert "forever: x -= 1 -> pass survives" in text

    # Tests that fail without a mutant prove nothing.
    (project / "test_toy.py").write_text(WEAK.replace("== 3", "== 4"))
    code, text = mutation(project, "run")
    assert code == 2
    assert "fails without a mutant" in text
