"""The plugin gives one test per claim."""

import subprocess
import sys
from pathlib import Path

WRAPPER = """
from asura_verify.implementations.exhibits import EXHIBITS
from asura_verify.implementations import textbook

def right(header):
    return textbook.run(header, header["uniforms"])

def wrong(header):
    exhibit = next(e for e in EXHIBITS if e.mistake == "weights-unnormalised")
    return exhibit.run(header, header["uniforms"])

def broken(header):
    raise RuntimeError("no luck")
"""


def plugin(tmp_path: Path, name: str) -> tuple[int, str]:
    (tmp_path / "wrapper.py").write_text(WRAPPER)
    options = ["-p", "no:cacheprovider", "-q", "-v"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "--asura-target", f"wrapper:{name}",
         "--asura-random", "2", "-c", "/dev/null", "--rootdir", str(tmp_path), str(tmp_path)],
        capture_output=True, text=True, cwd=tmp_path, check=False, timeout=120,
    )  # fmt: skip
    return done.returncode, done.stdout


def test_a_right_callable_passes(tmp_path: Path) -> None:
    code, text = plugin(tmp_path, "right")
    assert code == 0, text
    assert "24 passed" in text


def test_a_wrong_callable_fails_its_claim(tmp_path: Path) -> None:
    code, text = plugin(tmp_path, "wrong")
    assert code == 1
    assert "3 failed" in text
    assert "diagnosis: weights-unnormalised" in text


def test_a_broken_callable(tmp_path: Path) -> None:
    code, text = plugin(tmp_path, "broken")
    assert code == 1
    assert "it raises RuntimeError: no luck" in text
