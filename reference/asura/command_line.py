"""The command `asura run`."""

from __future__ import annotations


def run_command() -> None:
    """Run Algorithm 2 and, when labels are known, Algorithm 1."""
