"""The site builds, and no link in it is broken."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"


def build(source: Path, target: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    return subprocess.run(
        [*command, str(source), str(target)], capture_output=True, text=True, check=False
    )


def _logs(text: str) -> str:
    """What Sphinx saved besides: the whole traceback."""
    return "".join(Path(name).read_text("utf-8") for name in re.findall(r"\S+\.log", text))


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    done = build(DOCS, tmp_path / "site")
    assert done.returncode == 0, done.stderr
    assert "active regression" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    tutorial = (tmp_path / "site" / "tutorial.html").read_text(encoding="utf-8")
    assert "right -&gt; conforms" in tutorial  # an output, computed for this page
    assert "wrong -&gt; violates" in tutorial
    assert "<math>" in tutorial
    reference = (tmp_path / "site" / "api.html").read_text(encoding="utf-8")
    assert ".. py:" not in reference  # read as what it is, not as words
    assert '<span class="gp">&gt;&gt;&gt; </span><span class="kn">import</span>' in reference
    for path in (tmp_path / "site").rglob("*.html"):  # nothing is fetched by who reads
        assert not re.search(r'(?:src|<link[^>]*href)="(?:https?:)?//', path.read_text("utf-8"))


def test_a_class_of_the_glossary_is_the_only_one_of_its_name() -> None:
    words = re.findall(r"^\| `([\w.]+)\.(\w+)` \|", (DOCS / "glossary.md").read_text("utf-8"), re.M)
    assert len(words) >= 5
    for place, name in words:
        made = re.compile(rf"^class {name}\b", re.MULTILINE)
        found = [
            path.as_posix()
            for folder in ("reference", "verification", "tests")
            for path in (DOCS.parent / folder).rglob("*.py")
            if made.search(path.read_text(encoding="utf-8"))
        ]
        assert len(found) == 1, name
        assert found[0].endswith(f"{place.replace('.', '/')}.py")


@pytest.mark.parametrize("link", ["[x](nowhere.md)", "[x](conform.md#no-such-heading)"])
def test_a_broken_link_is_an_error(tmp_path: Path, link: str) -> None:
    shutil.copy(DOCS / "conf.py", tmp_path)
    (tmp_path / "conform.md").write_text("# A page\n\n## A heading\n")
    (tmp_path / "index.md").write_text(f"# Start\n\n{link}\n\n```{{toctree}}\nconform\n```\n")
    done = build(tmp_path, tmp_path / "site")
    assert done.returncode != 0
    assert "index.md" in done.stderr


def test_a_tutorial_that_fails_is_an_error(tmp_path: Path) -> None:
    shutil.copy(DOCS / "conf.py", tmp_path)
    notebook = json.loads((DOCS / "tutorial.ipynb").read_text(encoding="utf-8"))
    code = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    code["source"] = ["import asura\n", "asura.no_such_name"]
    notebook["cells"] = [notebook["cells"][0], code]
    (tmp_path / "index.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    done = build(tmp_path, tmp_path / "site")
    assert done.returncode != 0
    assert "no_such_name" in done.stderr + _logs(done.stderr)
