"""The wheel is whole: installed outside the repository, it shows what the clone shows."""

import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from asura_verify.claims import CLAIMS

ROOT = Path(__file__).parents[1]
SLUGS = ["rr-ridge", "stop-text"]
BUILD = "import sys, hatchling.build as b; print(getattr(b, sys.argv[1])(sys.argv[2]))"


def build(kind: str, folder: Path) -> Path:
    done = subprocess.run(
        [sys.executable, "-c", BUILD, kind, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return folder / done.stdout.split()[-1]


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel, and of this one only the packages of others."""
    folder = tmp_path_factory.mktemp("package")
    wheel = build("build_wheel", folder)
    home = folder / "environment"
    venv.create(home, with_pip=False)
    site = next(home.glob("lib/python*/site-packages"))
    others = [path for path in sys.path if path.endswith("site-packages")]
    # A .pth file inside these folders is not followed, so the clone itself stays out of reach.
    (site / "others.pth").write_text("\n".join(others))
    command = [sys.executable, "-m", "pip", "--python", str(home / "bin" / "python"), "install"]
    subprocess.run([*command, "--quiet", "--no-deps", "--no-index", str(wheel)], check=True)
    return home / "bin" / "asura"


def run(program: Path, *arguments: str, folder: Path) -> str:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [program, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def without_times(text: str) -> str:
    return re.sub(r'("seconds": |, )\d+\.\d+( s\.)?', "", text)


def test_the_wheel_is_not_the_clone(installed: Path, tmp_path: Path) -> None:
    code = "import asura, asura_verify; print(asura.__file__, asura_verify.__file__)"
    places = run(installed.with_name("python"), "-c", code, folder=tmp_path).split()
    assert all(Path(place).is_relative_to(installed.parents[1]) for place in places)


def test_claims_vectors_and_version_are_those_of_the_clone(installed: Path, tmp_path: Path) -> None:
    here = Path(sys.executable).with_name("asura")
    for arguments in (["claims"], ["vectors"], ["--version"]):
        shown = run(installed, *arguments, folder=tmp_path)
        assert shown == run(here, *arguments, folder=tmp_path)
    assert all(claim.slug in run(installed, "claims", folder=tmp_path) for claim in CLAIMS)


def test_the_page_is_that_of_the_clone(installed: Path, tmp_path: Path) -> None:
    here = Path(sys.executable).with_name("asura")
    quick = ["--thorough", "0.01", "--jobs", "1", "--format", "json"]
    pages, reports = [], []
    for name, program in (("wheel", installed), ("clone", here)):
        folder = tmp_path / name
        shown = run(program, "audit", *SLUGS, *quick, "--output", str(folder), folder=tmp_path)
        reports.append(without_times(shown))
        pages.append(without_times((folder / "audit.html").read_text(encoding="utf-8")))
    assert reports[0] == reports[1]
    assert pages[0] == pages[1]
    assert pages[0].count('<details class="note">') == len(SLUGS)
    assert '"strength": "machine-checked"' in reports[0]


def test_recording_from_the_wheel_writes_one_file(installed: Path, tmp_path: Path) -> None:
    def files() -> dict[Path, int]:
        every = (path for path in installed.parents[1].rglob("*") if path.is_file())
        return {path: path.stat().st_mtime_ns for path in every if path.suffix != ".pyc"}

    before = files()
    quick = ["--thorough", "0.01", "--jobs", "1"]
    run(installed, "audit", "rr-ridge", *quick, "--record", "verdicts.json", folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["verdicts.json"]
    assert files() == before


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="a source distribution has no history")
def test_the_source_distribution_has_what_its_tests_need(tmp_path: Path) -> None:
    import tarfile

    archive = build("build_sdist", tmp_path)
    with tarfile.open(archive) as content:
        names = {name.partition("/")[2] for name in content.getnames()}
    tracked = subprocess.run(
        ["git", "ls-files", "tests", "reference", "verification", "proofs_notes", "docs"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert set(tracked) <= names
    assert {"Makefile", "pyproject.toml", "README.md", "CHANGELOG.md", ".ci/lock.py"} <= names
    assert {"requirements.lock", "requirements-lowest.lock", "SECURITY.md"} <= names


def test_the_lowest_versions_are_those_that_are_declared() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = (ROOT / "requirements-lowest.lock").read_text().splitlines()
    assert not [line for line in lines if "://" in line]
    locked = dict(line.split()[0].split("==") for line in lines if "==" in line)
    extras = project["optional-dependencies"]
    declared = [
        *project["dependencies"],
        *(each for name in extras if name != "dev" for each in extras[name]),
    ]
    lowest: dict[str, list[tuple[int, ...]]] = {}
    for each in declared:
        name, _, bound = each.partition(">=")
        if bound:
            numbers = tuple(map(int, bound.partition(",")[0].split(".")))
            lowest.setdefault(name, []).append(numbers)
    for name, bounds in lowest.items():
        expected = max(bounds)
        assert tuple(map(int, locked[name].split(".")))[: len(expected)] == expected, name
