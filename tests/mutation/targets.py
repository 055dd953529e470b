"""What is mutated, and the tests that must notice."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]

#: Algorithms 1 and 2, and what their runs rest on.
SAMPLER = (
    "asura.algorithm1_regression",
    "asura.algorithm2_asura",
    "asura.certificate",
    "asura.coordinates",
    "asura.definiteness",
    "asura.randomness",
    "asura.run",
    "asura.scalars",
    "asura.stopping",
    "asura.verdict",
)

ARITHMETICS = (
    "asura.arithmetic.ball",
    "asura.arithmetic.blocks",
    "asura.arithmetic.double",
    "asura.arithmetic.exact",
    "asura.arithmetic.interface",
    "asura.arithmetic.multiprecision",
)

#: What accuses or acquits another implementation. What only words, prints or explains a judgement
#: (`oracle.diagnosis`, `oracle.slip`, `oracle.mistakes`, the recipes of `oracle.kept`,
#: `oracle.picks.power`) is held by the approved reports and by the museum.
JUDGE = (
    "asura_verify.deciding.matrices",
    "asura_verify.deciding.numbers",
    "asura_verify.oracle.check",
    "asura_verify.oracle.judgement",
    "asura_verify.oracle.kept.bench",
    "asura_verify.oracle.kept.ending",
    "asura_verify.oracle.kept.exact",
    "asura_verify.oracle.kept.granted",
    "asura_verify.oracle.kept.judge",
    "asura_verify.oracle.kept.picking",
    "asura_verify.oracle.kept.relations",
    "asura_verify.oracle.kept.scheme",
    "asura_verify.oracle.kept.state",
    "asura_verify.oracle.kept.weighing",
    "asura_verify.oracle.picks.distribution",
    "asura_verify.oracle.picks.experts",
    "asura_verify.oracle.picks.serial",
    "asura_verify.oracle.picks.shapes",
    "asura_verify.oracle.picks.strata",
    "asura_verify.oracle.picks.uniforms",
    "asura_verify.oracle.trace.reading",
    "asura_verify.oracle.trace.values",
    "asura_verify.oracle.truth.allowance",
    "asura_verify.oracle.truth.minimiser",
    "asura_verify.oracle.truth.one_whitening",
    "asura_verify.oracle.truth.replay",
    "asura_verify.oracle.truth.stated",
    "asura_verify.oracle.variants",
    "asura_verify.oracle.views.claims",
    "asura_verify.oracle.views.conjunction",
    "asura_verify.oracle.views.court",
    "asura_verify.oracle.views.coverage",
    "asura_verify.oracle.views.decisions",
    "asura_verify.oracle.views.ending",
    "asura_verify.oracle.views.in_doubles",
    "asura_verify.oracle.views.judge",
    "asura_verify.oracle.views.least_squares",
    "asura_verify.oracle.views.local",
    "asura_verify.oracle.views.one_whitening",
    "asura_verify.oracle.views.relations",
    "asura_verify.oracle.views.reported_state",
    "asura_verify.oracle.views.reported_views",
    "asura_verify.oracle.views.stated",
    "asura_verify.oracle.views.view_process",
)

TARGETS = (*SAMPLER, *ARITHMETICS, *JUDGE)

#: Where tests are looked for, doctests included.
SUITE = (
    "tests/reference",
    "tests/verification/deciding/test_matrices.py",
    "tests/verification/deciding/test_numbers.py",
    "tests/verification/oracle",
    "tests/verification/conforming/vectors",
    "tests/verification/implementations",
    "tests/verification/report/test_judgements.py",
    "tests/verification/claims/test_properties.py",
    "reference/asura",
    "verification/asura_verify/deciding",
    "verification/asura_verify/oracle",
)

#: The tests that look at everything at once.
FIRST = (
    "tests/verification/report/test_judgements.py",
    "tests/verification/conforming/vectors/test_vectors.py::test_the_reference_writes",
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
