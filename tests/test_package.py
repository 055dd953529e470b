"""The wheel is whole: installed outside the repository, it shows what the clone shows."""

import email
import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
import venv
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement

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
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("build_wheel", tmp_path_factory.mktemp("wheel"))


def environment(home: Path) -> list[str]:
    """A new environment, and how pip speaks of it."""
    venv.create(home, with_pip=False)
    return [sys.executable, "-m", "pip", "--python", str(home / "bin" / "python")]


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel, and of this one only the packages of others."""
    home = tmp_path_factory.mktemp("package")
    pip = environment(home)
    site = next(home.glob("lib/python*/site-packages"))
    others = [path for path in sys.path if path.endswith("site-packages")]
    # A .pth file inside these folders is not followed, so the clone itself stays out of reach.
    (site / "others.pth").write_text("\n".join(others))
    subprocess.run([*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True)
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
    return re.sub(r'("seconds": |, | time=")\d+\.\d+( s\.)?', "", text)


def test_the_wheel_is_not_the_clone(installed: Path, tmp_path: Path) -> None:
    code = "import asura, asura_verify; print(asura.__file__, asura_verify.__file__)"
    places = run(installed.with_name("python"), "-c", code, folder=tmp_path).split()
    assert all(Path(place).is_relative_to(installed.parents[1]) for place in places)


def test_claims_vectors_and_version_are_those_of_the_clone(installed: Path, tmp_path: Path) -> None:
    here = Path(sys.executable).with_name("asura")
    for arguments in (["claims", "--format", "json"], ["vectors"], ["--version"]):
        shown = run(installed, *arguments, folder=tmp_path)
        assert shown == run(here, *arguments, folder=tmp_path)
    listed = json.loads(run(installed, "claims", "--format", "json", folder=tmp_path))
    assert [claim["slug"] for claim in listed] == [claim.slug for claim in CLAIMS]
    written = []
    for name, program in (("wheel", installed), ("clone", here)):
        run(program, "vectors", "--output", name, "--traces", f"{name}-traces", folder=tmp_path)
        places = [tmp_path / name, tmp_path / f"{name}-traces"]
        files = [path for place in places for path in sorted(place.rglob("*")) if path.is_file()]
        written.append([(path.name, path.read_bytes()) for path in files])
    assert written[0] == written[1]
    assert len(written[0]) > 100


def test_the_whole_page_is_that_of_the_clone(installed: Path, tmp_path: Path) -> None:
    """All claims: the clone gathers the evidence, and both write all that they say about it."""
    here = Path(sys.executable).with_name("asura")
    quick = ["--thorough", "0.01", "--output"]
    run(here, "audit", *quick, "clone", folder=tmp_path)
    # The wheel takes the evidence over as its own, though its notes lie elsewhere.
    code = "from asura_verify.auditing.perform import fingerprint as f; print(f(0, 0.01), end='')"
    mark = run(installed.with_name("python"), "-c", code, folder=tmp_path)
    _, *evidence = (tmp_path / "clone" / "evidence.jsonl").read_text("utf-8").splitlines()
    journal = "\n".join([f'{{"fingerprint":"{mark}"}}', *evidence, ""])
    (tmp_path / "wheel").mkdir()
    (tmp_path / "wheel" / "evidence.jsonl").write_text(journal, encoding="utf-8")
    run(installed, "audit", *quick, "wheel", folder=tmp_path)
    assert (tmp_path / "wheel" / "evidence.jsonl").read_text("utf-8") == journal
    for kind in ("html", "json", "md", "sarif", "xml"):
        clone, wheel = (
            without_times((tmp_path / name / f"audit.{kind}").read_text("utf-8"))
            for name in ("clone", "wheel")
        )
        assert clone == wheel, kind
    page = (tmp_path / "wheel" / "audit.html").read_text("utf-8")
    assert page.count('<details class="note">') == len(CLAIMS)


def test_the_wheel_judges_as_the_clone_does(installed: Path, tmp_path: Path) -> None:
    here = Path(sys.executable).with_name("asura")
    quick = ["--thorough", "0.01", "--jobs", "1", "--format", "json"]
    wheel, clone = (
        without_times(run(program, "audit", *SLUGS, *quick, folder=tmp_path))
        for program in (installed, here)
    )
    assert wheel == clone
    assert '"strength": "machine-checked"' in wheel


@pytest.fixture(scope="session")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel and what it asks for by itself, from a package index."""
    home = tmp_path_factory.mktemp("bare")
    pip = environment(home)
    probe = [*pip, "download", "--quiet", "--no-deps", "--dest", str(home / "probe"), "msgspec"]
    if subprocess.run(probe, capture_output=True, check=False).returncode != 0:
        pytest.skip("no package index can be reached")
    subprocess.run([*pip, "install", "--quiet", str(wheel)], check=True)
    return home / "bin" / "asura"


def test_the_wheel_alone_needs_no_extra(bare: Path, tmp_path: Path) -> None:
    python = bare.with_name("python")
    code = "from importlib.metadata import distributions as d; print(*(x.name for x in d()))"
    there = set(map(canonical, run(python, "-c", code, folder=tmp_path).split()))
    five = {"python-flint", "numpy", "mpmath", "msgspec", "typer"}
    assert five < there
    assert not there & {"z3-solver", "sympy", "hypothesis", "matplotlib", "jinja2", "scipy"}
    assert run(python, "-c", "import asura; print(asura.ridge)", folder=tmp_path)
    version = run(bare, "--version", folder=tmp_path)
    assert version == f"asura {metadata.version('asura-reference')}\n"
    data = ["--points", "example:small.csv", "--ridge", "1", "--gamma", "1/4"]
    run(bare, "run", *data, "--output", "trace.jsonl", folder=tmp_path)
    assert "conforms" in run(bare, "check", "trace.jsonl", folder=tmp_path)
    assert "wald" in run(bare, "claims", folder=tmp_path)
    assert "refuted by wald_equality_false" in run(bare, "claims", "wald", folder=tmp_path)
    plan = ["plan", "example:houses.csv", "--target", "price", "--budget", "9"]
    for command in (["audit", "wald"], plan):
        refused = subprocess.run(
            [bare, *command], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert refused.returncode == 2
        (line,) = refused.stderr.splitlines()
        assert "pip install '.[" in line


def test_recording_from_the_wheel_writes_one_file(installed: Path, tmp_path: Path) -> None:
    def files() -> dict[Path, int]:
        every = (path for path in installed.parents[1].rglob("*") if path.is_file())
        return {path: path.stat().st_mtime_ns for path in every if path.suffix != ".pyc"}

    before = files()
    quick = ["--thorough", "0.01", "--jobs", "1"]
    run(installed, "audit", "rr-ridge", *quick, "--record", "verdicts.json", folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["verdicts.json"]
    assert files() == before


def shell_lines(text: str) -> list[list[str]]:
    """The commands of the first block that plans, as it is printed."""
    blocks = re.findall(r"```[a-z]*\n(.*?)```", text, flags=re.DOTALL)
    block = next(block for block in blocks if block.startswith("asura plan"))
    lines = [shlex.split(line, comments=True) for line in block.splitlines()]
    return [line for line in lines if line]


#: Run commands where only some packages can be imported, as if no others were installed.
ALONE = """
import json, sys
from importlib.abc import MetaPathFinder
forbidden, commands = map(json.loads, sys.argv[1:])
class Forbidding(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in forbidden:
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Forbidding())
from asura_verify.cli.main import execute
sys.exit(max(map(execute, commands)))
"""


def test_the_readme_goes_from_a_table_to_predictions(installed: Path, tmp_path: Path) -> None:
    """In an empty folder, from the wheel and what its extra `plan` needs: the lines as printed."""
    commands = shell_lines((ROOT / "README.md").read_text(encoding="utf-8"))
    assert [line[:2] for line in commands] == [["asura", x] for x in ("plan", "fit", "predict")]
    allowed = closure("asura-reference", "plan")
    owners = metadata.packages_distributions().items()
    forbidden = [name for name, given in owners if not allowed & set(map(canonical, given))]
    assert {"pandas", "sklearn", "matplotlib", "sympy"} <= set(forbidden)
    texts = [json.dumps(forbidden), json.dumps([line[1:] for line in commands])]
    said = run(installed.with_name("python"), "-c", ALONE, *texts, folder=tmp_path)
    assert "at most 25 labels, surely" in " ".join(said.split())
    assert "9 known before" in said
    assert said.endswith("60 predictions written to predictions.csv\n")
    rows = (tmp_path / "predictions.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0] == "parcel,price"
    assert len(rows) == 61


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def closure(name: str, extra: str = "") -> set[str]:
    """A distribution with an extra, and all that it needs."""
    found: set[str] = set()
    waiting = [(name, extra)]
    while waiting:
        each, wanted = waiting.pop()
        if canonical(each) in found:
            continue
        found.add(canonical(each))
        for line in metadata.requires(each) or []:
            need = Requirement(line)
            if need.marker is None or need.marker.evaluate({"extra": wanted}):
                waiting.append((need.name, ""))
    return found


def disease(copies: int, folder: Path) -> dict[str, float]:
    """`houses.csv` and `new.csv` of the page, made from the table diabetes: as it is, or larger.

    Returned is what a label would be, by the name of its row; every tenth is known.
    """
    from sklearn.datasets import load_diabetes

    points, labels = load_diabetes(return_X_y=True, scaled=False)
    random = np.random.default_rng(copies)
    points = np.vstack([points] * copies)
    points = points + (copies > 1) * 0.1 * random.standard_normal(points.shape) * points.std(axis=0)
    labels = np.concatenate([labels] * copies)
    names = [f"no {k}" for k in range(len(labels))]
    columns = [f"feature {k}" for k in range(points.shape[1])]
    heading = ",".join(["parcel", *columns])
    cells = [
        ",".join([name, *map(repr, row)]) for name, row in zip(names, points.tolist(), strict=True)
    ]
    known = [repr(float(y)) if k % 10 == 0 else "" for k, y in enumerate(labels)]
    table = [f"{row},{label}" for row, label in zip(cells, known, strict=True)]
    (folder / "houses.csv").write_text("\n".join([f"{heading},price", *table, ""]))
    (folder / "new.csv").write_text("\n".join([heading, *cells[:50], ""]))
    return dict(zip(names, map(float, labels), strict=True))


@pytest.mark.parametrize("copies", [1, 25])
def test_the_page_on_plans_goes_through_on_diabetes(
    installed: Path, tmp_path: Path, copies: int
) -> None:
    """442 rows, then 11,050: the commands as printed, the labels filled in between."""
    truth = disease(copies, tmp_path)
    commands = shell_lines((ROOT / "docs" / "plan.md").read_text(encoding="utf-8"))
    plan, fit, predict = (command[1:] for command in commands)
    run(installed, *plan, folder=tmp_path)
    asked = [line.split(",")[1] for line in (tmp_path / "plan.csv").read_text().splitlines()[2:]]
    assert 0 < len(asked) <= 200
    table = (tmp_path / "houses.csv").read_text().splitlines()
    for k, line in enumerate(table):
        name = line.partition(",")[0]
        if name in asked:
            assert line.endswith(",")
            table[k] = f"{line}{truth[name]}"
    (tmp_path / "houses.csv").write_text("\n".join([*table, ""]))
    assert f"{len(asked)} bought" in run(installed, *fit, folder=tmp_path)
    assert run(installed, *predict, folder=tmp_path).startswith("50 predictions")


def test_no_link_of_the_readme_is_broken_on_an_index(installed: Path) -> None:
    (folder,) = installed.parents[1].glob("lib/python*/site-packages/asura_reference-*.dist-info")
    message = email.message_from_string((folder / "METADATA").read_text(encoding="utf-8"))
    assert message["Description-Content-Type"] == "text/markdown"
    shown = str(message.get_payload())
    links = re.findall(r"\]\(([^)]+)\)", shown)
    assert [link for link in links if not re.match("https://(?!EXAMPLE)", link)] == []
    assert "## A first example" in shown
    assert "`docs/conform.md` is the page for implementers" in shown


def test_with_a_repository_the_links_lead_into_it() -> None:
    place = ROOT / ".ci" / "readme.py"
    spec = importlib.util.spec_from_file_location("readme", place)
    assert spec is not None
    assert spec.loader is not None
    readme = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(readme)
    text = "[plans](docs/plan.md#why), [out](https://a.b/c), [here](#there)"
    linked = readme.for_an_index(text, "https://x.y/z/")
    assert linked == text.replace("docs/", "https://x.y/z/blob/main/docs/")
    for unknown in (None, "https://EXAMPLE/asura-reference"):
        assert readme.for_an_index(text, unknown) == text.replace(
            "[plans](docs/plan.md#why)", "plans (`docs/plan.md#why` in the repository)"
        )


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


def test_the_version_is_written_once() -> None:
    import tomllib

    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert version == metadata.version("asura-reference")
    folders = (ROOT, *(ROOT / name for name in ("docs", "reference", "verification", ".github")))
    texts = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for folder in folders
        for path in (folder.glob("*") if folder == ROOT else folder.rglob("*"))
        if path.suffix in {"", ".cff", ".json", ".md", ".py", ".toml", ".yml"} and path.is_file()
    }
    texts.pop("PKG-INFO", None)  # of a source distribution, made from pyproject.toml
    assert {"CITATION.cff", "reference/asura/__init__.py"} < set(texts)
    written = re.compile(rf"(?<![\w.]){re.escape(version)}(?![\w.])")
    assert {name for name, text in texts.items() if written.search(text)} == {
        "CHANGELOG.md",
        "pyproject.toml",
    }
    newest = next(line for line in texts["CHANGELOG.md"].splitlines() if line.startswith("## "))
    assert written.search(newest)


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
