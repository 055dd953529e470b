"""The model of the proofs and the reference agree on exact numbers, without tolerance.

`proofs_notes/coq/SpecValues.v` states rational values of Coq's definitions: states, potentials,
probabilities, weights, loop tests, expectations over the tree. The statements are read from its
text (FORMS below) and every value is computed again by Algorithm 2 as written in Python. Coq is
not needed here; `make proofs` checks that they are proved.
Its last part does the same for data that are not orthonormal, for every whitening P.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest
from flint import fmpq, fmpq_mat

from asura.algorithm2_asura import Asura, State, read_gamma
from asura.arithmetic import EXACT
from asura.arithmetic.exact import RationalForm
from asura.dataset import dataset
from asura.scalars import fraction, rational
from asura.stopping import PAPER, StoppingRule, sure
from tests.proofs.statements import LIST, NUMBER, TABLE, Values, changed, number, numbers, table

COQ = Path(__file__).parents[2] / "proofs_notes" / "coq"
TEXT = (COQ / "SpecValues.v").read_text(encoding="utf-8")

Exact = Asura[fmpq, RationalForm]
History = tuple[int, ...]
"""Indices of the points drawn, latest first."""

RULES: dict[str, StoppingRule] = {"Paper": PAPER, "Sure": sure()}


def history(text: str) -> History:
    return tuple(int(word) for word in re.findall(r"\d+", text))


@dataclass(frozen=True)
class Design:
    """Rows and gamma."""

    rows: list[list[Fraction]]
    gamma: Fraction

    def algorithm(self, rule: str = "Paper") -> Exact:
        return Asura(dataset(self.rows), read_gamma(self.gamma), EXACT, RULES[rule])


@dataclass(frozen=True)
class Theorem:
    """One value of SpecValues.v, without its quantifier over the field."""

    name: str
    slug: str
    statement: str


def read_designs(text: str) -> dict[str, Design]:
    pattern = rf"^Definition (\w+) : design :=\s+Design (\d+) ({TABLE}) \(({NUMBER})\)\.$"
    designs = {}
    for name, dimension, rows, gamma in re.findall(pattern, text, re.MULTILINE):
        designs[name] = Design(table(rows), number(gamma))
        assert {len(row) for row in designs[name].rows} == {int(dimension)}
    assert len(designs) == len(re.findall(r"^Definition \w+ : design", text, re.MULTILINE))
    return designs


def read_theorems(text: str, word: str = "Parameter") -> list[Theorem]:
    pattern = rf"^\(\* slug: ([a-z-]+) \*\)\n{word} (\w+) : forall R : realFieldType,\s(.*?)\.$"
    found = [
        Theorem(name, slug, " ".join(statement.split()))
        for slug, name, statement in re.findall(pattern, text, re.MULTILINE | re.DOTALL)
    ]
    named = re.findall(rf"^{word} (\w+)", text, re.MULTILINE)
    assert [theorem.name for theorem in found] == named
    return found


def state_after(algorithm: Exact, draws: History) -> State[fmpq, RationalForm]:
    state = algorithm.initial()
    for index in reversed(draws):
        state = algorithm.step(state, index)
    return state


def orthonormal(algorithm: Exact, form: RationalForm) -> list[list[Fraction]]:
    """A form in the coordinates of the rows: the reference scales X to integers, G is c I."""
    scale = algorithm.frame.gram.matrix()[0, 0]
    entries = form.matrix()
    return [
        [fraction(entries[i, j] / scale) for j in range(algorithm.dimension)]
        for i in range(algorithm.dimension)
    ]


def exact_gram(design: Design) -> list[list[Fraction]]:
    """X^T X."""
    columns = list(zip(*design.rows, strict=True))
    return [
        [sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0)) for y in columns]
        for x in columns
    ]


def at_the_end(
    algorithm: Exact,
    horizon: int,
    value: Callable[[History, State[fmpq, RationalForm]], Fraction],
    draws: History = (),
) -> Fraction:
    """E value(run at min(m, horizon)), by the whole tree."""
    state = state_after(algorithm, draws)
    if horizon == 0 or algorithm.proceeds(state).fails:
        return value(draws, state)
    drawn = algorithm.distribution(state)
    return sum(
        (
            fraction(drawn.probability(index))
            * at_the_end(algorithm, horizon - 1, value, (index, *draws))
            for index in range(algorithm.frame.size)
        ),
        Fraction(0),
    )


def along_the_way(algorithm: Exact, horizon: int, draws: History = ()) -> Fraction:
    """E sum of the potentials before min(m, horizon), by the whole tree."""
    state = state_after(algorithm, draws)
    if horizon == 0 or algorithm.proceeds(state).fails:
        return Fraction(0)
    drawn = algorithm.distribution(state)
    return fraction(drawn.potential) + sum(
        fraction(drawn.probability(index)) * along_the_way(algorithm, horizon - 1, (index, *draws))
        for index in range(algorithm.frame.size)
    )


# One function for each form of statement.


def rows(design: Design, _: re.Match[str]) -> Values:
    width = len(design.rows[0])
    matrix = fmpq_mat([[rational(x) for x in row] for row in design.rows])
    gram = matrix.transpose() * matrix
    return gram, fmpq_mat([[fmpq(int(i == j)) for j in range(width)] for i in range(width)])


def gram(design: Design, match: re.Match[str]) -> Values:
    computed = exact_gram(design)
    invertible = fmpq_mat([[rational(x) for x in row] for row in computed]).det() != 0
    return (computed, invertible), (table(match["table"]), True)


def gram_state(design: Design, match: re.Match[str]) -> Values:
    """B_j in the coordinates of the data: the reference scales X to integers, G to c G."""
    algorithm = design.algorithm()
    reached = state_after(algorithm, history(match["draws"]))
    scale = fraction(algorithm.frame.gram.matrix()[0, 0]) / exact_gram(design)[0][0]
    entries = reached.accumulated.matrix()
    size = range(algorithm.dimension)
    accumulated = [[fraction(entries[i, j]) / scale for j in size] for i in size]
    computed = (accumulated, fraction(reached.upper), fraction(reached.lower))
    return computed, (table(match["table"]), number(match["upper"]), number(match["lower"]))


def gamma(design: Design, _: re.Match[str]) -> Values:
    return 0 < design.gamma < Fraction(1, 2), True


def state(design: Design, match: re.Match[str]) -> Values:
    algorithm = design.algorithm()
    reached = state_after(algorithm, history(match["draws"]))
    computed = (
        orthonormal(algorithm, reached.accumulated),
        fraction(reached.upper),
        fraction(reached.lower),
    )
    return computed, (table(match["table"]), number(match["upper"]), number(match["lower"]))


def potential(design: Design, match: re.Match[str]) -> Values:
    algorithm = design.algorithm()
    drawn = algorithm.distribution(state_after(algorithm, history(match["draws"])))
    return fraction(drawn.potential), number(match["value"])


def probabilities(design: Design, match: re.Match[str]) -> Values:
    algorithm = design.algorithm()
    drawn = algorithm.distribution(state_after(algorithm, history(match["draws"])))
    computed = [fraction(drawn.probability(index)) for index in range(algorithm.frame.size)]
    return computed, numbers(match["values"])


def weights(design: Design, match: re.Match[str]) -> Values:
    algorithm = design.algorithm()
    drawn = algorithm.distribution(state_after(algorithm, history(match["draws"])))
    computed = [fraction(algorithm.weight(drawn, index)) for index in range(algorithm.frame.size)]
    return computed, numbers(match["values"])


def loop_test(design: Design, match: re.Match[str]) -> Values:
    algorithm = design.algorithm(match["rule"])
    verdict = algorithm.proceeds(state_after(algorithm, history(match["draws"])))
    return verdict.fails, match["stops"] == "true"


def expected(
    value: Callable[[Exact, re.Match[str], History, State[fmpq, RationalForm]], Fraction | int],
) -> Callable[[Design, re.Match[str]], Values]:
    """The mean of a value where the run stops."""

    def compute(design: Design, match: re.Match[str]) -> Values:
        algorithm = design.algorithm(match["rule"])
        computed = at_the_end(
            algorithm,
            int(match["horizon"]),
            lambda draws, reached: Fraction(value(algorithm, match, draws, reached)),
        )
        return computed, number(match["value"])

    return compute


length = expected(lambda _algorithm, _match, draws, _reached: len(draws))
draws_from_first = expected(
    lambda _algorithm, match, draws, _reached: sum(index < int(match["first"]) for index in draws)
)
labels_of_first = expected(
    lambda _algorithm, match, draws, _reached: len({i for i in draws if i < int(match["first"])})
)
gap = expected(lambda _algorithm, _match, _draws, reached: fraction(reached.upper - reached.lower))
stopped = expected(lambda algorithm, _match, _draws, reached: algorithm.proceeds(reached).fails)


def potentials(design: Design, match: re.Match[str]) -> Values:
    algorithm, horizon = design.algorithm(match["rule"]), int(match["horizon"])
    return along_the_way(algorithm, horizon), number(match["value"])


def form(template: str) -> re.Pattern[str]:
    """A pattern from a statement with placeholders; D is the same design everywhere."""
    parts = {
        "TREE": "(point R D) (rate R D) (stops R D RULE) HORIZON",
        "RUN": "(hst (point R D) (rate R D) h)",
        "WHITENED": "forall P, whitens (point R D) P ->",
    }
    for part, text in parts.items():
        template = template.replace(part, text)
    pattern = re.escape(template)
    groups = {
        "DRAWS": r"(?P<draws>\[::\]|\[:: \d+(?:; \d+)*\]%N)",
        "TABLE": f"(?P<table>{TABLE})",
        "UPPER": f"(?P<upper>{NUMBER})",
        "LOWER": f"(?P<lower>{NUMBER})",
        "VALUES": f"(?P<values>{LIST})",
        "VALUE": f"(?P<value>{NUMBER})",
        "RULE": "(?P<rule>Paper|Sure)",
        "STOPS": "(?P<stops>true|false)",
        "HORIZON": r"(?P<horizon>\d+)",
        "FIRST": r"(?P<first>\d+)",
    }
    for name, group in groups.items():
        pattern = pattern.replace(name, group, 1)
    pattern = pattern.replace("RULE", "(?P=rule)")
    pattern = re.sub(r"\bD\b", r"(?P<design>\\w+)", pattern, count=1)
    return re.compile(re.sub(r"\bD\b", "(?P=design)", pattern))


FORMS: list[tuple[re.Pattern[str], Callable[[Design, re.Match[str]], Values]]] = [
    (form(r"\sum_x point R D x *m (point R D x)^T = 1%:M"), rows),
    (form(r"0 < rate R D /\ 2%:R * rate R D < 1"), gamma),
    (form("after R D DRAWS = State (table R D TABLE) (frac R (UPPER)) (frac R (LOWER))"), state),
    (form("Phi (after R D DRAWS) = frac R (VALUE)"), potential),
    (form("probabilities R D DRAWS = fracs R VALUES"), probabilities),
    (form("weights R D DRAWS = fracs R VALUES"), weights),
    (form("stops R D RULE (draws D DRAWS) = STOPS"), loop_test),
    (form("Exp TREE (fun h => (size h)%:R) = frac R (VALUE)"), length),
    (
        form("Exp TREE (fun h => (draws_from (first D FIRST) h)%:R) = frac R (VALUE)"),
        draws_from_first,
    ),
    (form("Exp TREE (fun h => (labels (first D FIRST) h)%:R) = frac R (VALUE)"), labels_of_first),
    (form("Exp TREE (fun h => gap RUN) = frac R (VALUE)"), gap),
    (form("Pr TREE (stops R D RULE) = frac R (VALUE)"), stopped),
    (form("Tsum TREE (fun h => Phi RUN) [::] = frac R (VALUE)"), potentials),
    (form(r"gram (point R D) = table R D TABLE /\ gram (point R D) \in unitmx"), gram),
    (
        form(
            "WHITENED whitened_after R D P DRAWS = "
            "State (P^T *m table R D TABLE *m P) (frac R (UPPER)) (frac R (LOWER))"
        ),
        gram_state,
    ),
    (form("WHITENED Phi (whitened_after R D P DRAWS) = frac R (VALUE)"), potential),
    (form("WHITENED whitened_probabilities R D P DRAWS = fracs R VALUES"), probabilities),
    (form("WHITENED whitened_weights R D P DRAWS = fracs R VALUES"), weights),
    (form("WHITENED whitened_stops R D P RULE (draws D DRAWS) = STOPS"), loop_test),
]

DESIGNS = read_designs(TEXT)
THEOREMS = read_theorems(TEXT)


def compare(theorem: Theorem) -> Values:
    """What the reference computes and what the theorem says; exactly one form fits."""
    (found,) = [
        (match, values)
        for pattern, values in FORMS
        if (match := pattern.fullmatch(theorem.statement))
    ]
    match, values = found
    return values(DESIGNS[match["design"]], match)


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
def test_the_reference_computes_what_coq_proves(theorem: Theorem) -> None:
    computed, proved = compare(theorem)
    assert computed == proved


def test_every_form_occurs_and_every_theorem_names_its_claim() -> None:
    assert {theorem.slug for theorem in THEOREMS} == {"model"}
    for pattern, _ in FORMS:
        assert any(pattern.fullmatch(theorem.statement) for theorem in THEOREMS), pattern.pattern


def test_every_changed_value_is_noticed() -> None:
    """Add one to a numerator, or turn a truth value round: the two sides differ."""
    for theorem in THEOREMS:
        for statement in changed(theorem.statement):
            computed, proved = compare(Theorem(theorem.name, theorem.slug, statement))
            assert computed != proved, theorem.name


def test_a_theorem_in_another_form_is_refused() -> None:
    text = TEXT.replace("(* slug: model *)\nParameter axes_gamma", "Parameter axes_gamma")
    with pytest.raises(AssertionError):
        read_theorems(text)
    with pytest.raises(ValueError, match="unpack"):
        compare(Theorem("other", "model", "Phi (after R axes [::]) <= frac R (2 # 5)"))
