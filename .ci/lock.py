"""Make the lock files: hashed, and without index addresses.

`requirements.lock` and `requirements-dev.lock` hold the newest versions; `requirements-lowest.lock`
holds the lowest ones that pyproject.toml declares, for Python 3.11, so that a job can try them.
"""

from __future__ import annotations

import subprocess
import sys

OPTIONS = [
    "--quiet",
    "--strip-extras",
    "--generate-hashes",
    "--allow-unsafe",
    "--no-header",
    "--no-annotate",
    "--no-emit-index-url",
    "--no-emit-trusted-host",
    "--no-emit-find-links",
    "--all-build-deps",
]


def lock(target: str, *extras: str) -> None:
    """Resolve pyproject.toml with the given extras into one lock file."""
    chosen = [f"--extra={extra}" for extra in extras]
    command = [sys.executable, "-m", "piptools", "compile", *OPTIONS, *chosen]
    subprocess.run([*command, f"--output-file={target}", "pyproject.toml"], check=True)  # noqa: S603


def lowest(target: str, *extras: str) -> None:
    """Resolve to the lowest versions that pyproject.toml names; what those need is new."""
    chosen = [f"--extra={extra}" for extra in extras]
    options = ["--quiet", "--resolution=lowest-direct", "--python-version=3.11"]
    options += ["--generate-hashes", "--no-header", "--no-annotate"]
    command = [sys.executable, "-m", "uv", "pip", "compile", *options, *chosen]
    subprocess.run([*command, f"--output-file={target}", "pyproject.toml"], check=True)  # noqa: S603


if __name__ == "__main__":
    run = ("verify", "page", "plan")
    lock("requirements.lock", *run)
    rest = ("dask", "data", "sklearn", "skactiveml")
    lock("requirements-dev.lock", *run, "dev", *rest)
    lowest("requirements-lowest.lock", *run, *rest, "test")
