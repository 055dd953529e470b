"""What is mutated, and the tests that must notice."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]

#: Algorithm 2 and all that its runs rest on.
SAMPLER = (
    "asura.algorithm1_regression",
    "asura.algorithm2_asura",
    "asura.arithmetic.ball",
    "asura.arithmetic.double",
    "asura.arithmetic.exact",
    "asura.arithmetic.interface",
    "asura.arithmetic.multiprecision",
    "asura.certificate",
    "asura.coordinates",
    "asura.dataset",
    "asura.definiteness",
    "asura.dimensions",
    "asura.randomness",
    "asura.run",
    "asura.scalars",
    "asura.stopping",
    "asura.trace",
    "asura.verdict",
)

_VERIFICATION = ROOT / "verification"

#: The judge of other implementations, its command and what it prints.
ORACLE = (
    *(
        ".".join(path.relative_to(_VERIFICATION).with_suffix("").parts)
        for path in sorted((_VERIFICATION / "asura_verify/oracle").rglob("*.py"))
        if path.stem != "__init__"
    ),
    "asura_verify.cli.check",
    "asura_verify.report.judgements",
)

TARGETS = (*SAMPLER, *ORACLE)

#: Where tests are looked for, doctests included.
SUITE = (
    "tests/reference",
    "tests/verification/oracle",
    "tests/verification/conform/vectors",
    "tests/verification/implementations",
    "tests/verification/report/test_judgements.py",
    "tests/verification/claims/test_properties.py",
    "reference/asura",
    "verification/asura_verify/oracle",
    "verification/asura_verify/cli/check.py",
    "verification/asura_verify/report/judgements.py",
)

#: The tests that look at everything at once.
FIRST = (
    "tests/verification/report/test_judgements.py",
    "tests/verification/conform/vectors/test_vectors.py::test_the_reference_writes",
)


def source_of(module: str, root: Path = ROOT) -> Path:
    """The file of a target, found without importing it.

    >>> source_of("asura.arithmetic.ball").relative_to(ROOT).as_posix()
    'reference/asura/arithmetic/ball.py'
    """
    relative = Path(*module.split(".")).with_suffix(".py")
    for folder in ("reference", "verification", "."):
        if (root / folder / relative).is_file():
            return root / folder / relative
    raise FileNotFoundError(relative)
