"""What is mutated, and the tests that must notice."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent

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

#: The judge of other implementations (`fuzz` tests it, and judges nothing).
ORACLE = tuple(
    f"asura_verify.oracle.{path.stem}"
    for path in sorted((ROOT / "verification/asura_verify/oracle").glob("*.py"))
    if path.stem not in {"__init__", "fuzz"}
)

TARGETS = (*SAMPLER, *ORACLE)

#: Where tests are looked for, doctests included.
SUITE = (
    "tests/reference",
    "tests/verification/oracle",
    "tests/verification/vectors",
    "tests/verification/test_properties.py",
    "reference/asura",
    "verification/asura_verify/oracle",
)

#: The tests that look at everything at once.
FIRST = (
    "tests/verification/oracle/test_reports.py",
    "tests/verification/vectors/test_vectors.py::test_the_reference_writes",
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
