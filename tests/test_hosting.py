"""What whoever hosts the repository fills in, and what a release waits for."""

import re
import subprocess
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
PLACEHOLDER = "https://EXAMPLE/asura-reference"
#: An address to clone or to install from, or one of the project's own URLs.
ADDRESS = re.compile(
    r"""git clone ([^\s"`']+)|git\+([^\s"`']+)"""
    r"""|^(?:Source|Issues|Changelog) = "([^"]+)"|^repository-code: (\S+)""",
    re.MULTILINE,
)


def addresses(text: str) -> set[str]:
    return {next(filter(None, found)) for found in ADDRESS.findall(text)}


def texts() -> dict[str, str]:
    folders = (ROOT, ROOT / "docs", ROOT / ".github", ROOT / "proofs_notes")
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for folder in folders
        for path in (folder.glob("*") if folder == ROOT else folder.rglob("*"))
        if path.suffix in {".cff", ".md", ".toml", ".yml"}
    }


def test_a_placeholder_has_one_spelling() -> None:
    found = {name: addresses(text) for name, text in texts().items() if addresses(text)}
    assert set(found) == {
        "CITATION.cff",
        "docs/ci/action.yml",
        "docs/conform.md",
        "docs/index.md",
        "pyproject.toml",
    }
    for name, places in found.items():
        assert all(place.startswith(PLACEHOLDER) for place in places), name
    assert addresses("git clone REPOSITORY x; pip install 'a @ git+URL of it'") == {
        "REPOSITORY",
        "URL",
    }


def test_no_page_installs_the_package_of_somebody_else() -> None:
    foreign = re.compile(r"pip3? install ['\"]?asura(?![-\w])")
    assert [name for name, text in texts().items() if foreign.search(text)] == []
    assert foreign.search('pip install "asura[plan]"')


def test_a_release_waits_for_every_test_and_has_no_placeholder(tmp_path: Path) -> None:
    workflows = ROOT / ".github" / "workflows"
    release, test = (
        yaml.safe_load((workflows / f"{name}.yml").read_text("utf-8"))
        for name in ("release", "test")
    )
    jobs = release["jobs"]
    assert set(jobs["publish"]["needs"]) == {"test", "build"}
    assert jobs["test"]["uses"] == "./.github/workflows/test.yml"
    assert "workflow_call" in test[True]  # YAML reads `on` so
    guard = next(step["run"] for step in jobs["build"]["steps"] if "placeholder" in str(step))
    for text, code in (("pyproject.toml", 1), ("Source = 'https://a.b'", 0)):
        known = (ROOT / text).read_text("utf-8") if code else text
        (tmp_path / "pyproject.toml").write_text(known, encoding="utf-8")
        done = subprocess.run(["bash", "-ec", guard], cwd=tmp_path, check=False)
        assert done.returncode == code
