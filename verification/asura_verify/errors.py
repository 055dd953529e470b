"""Errors of the verification: one line each, exit code 2."""

from __future__ import annotations

from asura.errors import AsuraError


class UnknownClaim(AsuraError):
    """No claim has this slug."""


class NotABaseline(AsuraError):
    """A baseline that cannot be read."""


class FactorOutOfRange(AsuraError):
    """A campaign factor, or a number of processes, that is not positive."""


class EndlessRun(AsuraError):
    """A run that should have stopped long ago."""


class UnknownExperiment(AsuraError):
    """No experiment has this name."""
