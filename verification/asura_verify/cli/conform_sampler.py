"""The command `asura conform-sampler`."""

from __future__ import annotations

from contextlib import closing
from fractions import Fraction
from typing import Annotated

import typer

from asura.scalars import read_scalar, write_scalar
from asura_verify.cli.conform import LimitOutOfRange, NoTarget
from asura_verify.conforming.samplers.cases import MEANINGS, cases
from asura_verify.conforming.samplers.session import CommandSampler, importable, judge
from asura_verify.report.text import say


def conform_sampler_command(
    sampler: Annotated[str, typer.Argument(help=f"One of {', '.join(MEANINGS)}.")],
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="-- COMMAND", help="The program, speaking asura-sampler/1."),
    ] = None,
    *,
    target: Annotated[
        str | None, typer.Option(metavar="PACKAGE:CALLABLE", help="A Python callable instead.")
    ] = None,
    draws: Annotated[int, typer.Option(metavar="N", help="How many draws per case.")] = 20_000,
    false_alarm: Annotated[
        str,
        typer.Option(metavar="P", help="The probability that a correct sampler is refuted at all."),
    ] = "1e-6",
    seed: Annotated[int, typer.Option(metavar="S", help="The first seed that is sent.")] = 0,
    timeout: Annotated[float, typer.Option(metavar="SECONDS", help="Limit of one answer.")] = 60.0,
) -> int:
    r"""Judge a sampler by its subsets: exit 0 when no case refutes its law, else 1.

    \b
    Example:
      asura conform-sampler volume --target my_package:volume_sample
      asura conform-sampler k-dpp -- python my_program.py
    """
    alarm = read_scalar(false_alarm)
    if not 0 < alarm < 1:
        raise LimitOutOfRange(f"--false-alarm {false_alarm}: expected 0 < P < 1", value=alarm)
    if not 1 <= draws <= 10_000_000:
        raise LimitOutOfRange(f"--draws {draws}: expected 1 to 10000000", value=draws)
    if not 0 < timeout < 86_400:
        raise LimitOutOfRange(f"--timeout {timeout}: expected 0 < SECONDS < 86400", value=timeout)
    chosen = cases(sampler)
    if (not command) == (target is None):
        raise NoTarget("expected a command after -- or --target, and not both", value=command)
    program = (
        CommandSampler(command or [], timeout=timeout)
        if target is None
        else importable(target, timeout=timeout)
    )
    say(f"{program.name} as {sampler}: {MEANINGS[sampler]}")
    share: Fraction = alarm / len(chosen)
    done = []
    with closing(program):
        for place, case in enumerate(chosen):
            first = seed + 1_000_000 * place
            done.append(judge(program, case, draws=draws, false_alarm=share, seed=first))
            say(f"  {done[-1].sentence}")
    failed = [judgement for judgement in done if not judgement.passed]
    broken = [judgement for judgement in failed if judgement.failure]
    say(
        f"{len(done) - len(failed)} of {len(done)} laws not refuted; a correct sampler is refuted "
        f"with probability at most {write_scalar(alarm)}"
    )
    return 2 if broken else 1 if failed else 0
