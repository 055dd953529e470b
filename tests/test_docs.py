"""The site builds, and no link in it is broken."""

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


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    done = build(DOCS, tmp_path / "site")
    assert done.returncode == 0, done.stderr
    assert "active regression" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("link", ["[x](nowhere.md)", "[x](conform.md#no-such-heading)"])
def test_a_broken_link_is_an_error(tmp_path: Path, link: str) -> None:
    shutil.copy(DOCS / "conf.py", tmp_path)
    (tmp_path / "conform.md").write_text("# A page\n\n## A heading\n")
    (tmp_path / "index.md").write_text(f"# Start\n\n{link}\n\n```{{toctree}}\nconform\n```\n")
    done = build(tmp_path, tmp_path / "site")
    assert done.returncode != 0
    assert "index.md" in done.stderr
