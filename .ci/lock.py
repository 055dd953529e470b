"""Make requirements.lock and requirements-dev.lock: hashed, and without index addresses."""

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


if __name__ == "__main__":
    run = ("verify", "page", "plan")
    lock("requirements.lock", *run)
    lock("requirements-dev.lock", *run, "dev", "dask", "data", "sklearn", "skactiveml")
