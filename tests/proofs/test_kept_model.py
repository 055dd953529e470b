"""The kept variants in the proofs and in the reference agree on exact numbers, without tolerance.

`proofs_notes/coq/SpecKept.v` states rational values of the two-sided and the one-sided method on
three points of the plane, of which the first two are to be paid for: states, potentials,
probabilities, weights, stops, expectations over the whole tree. The statements are read from its
text (FORMS below) and every value is computed again by `asura.kept`. Coq is not needed here;
`make proofs` checks that they are proved.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest
from flint import fmpq

from asura.arithmetic import EXACT
from asura.arithmetic.exact import RationalForm
from asura.dataset import dataset
from asura.kept.barriers import Barriers, KeptState
from asura.kept.variants import one_sided, two_sided
from asura.scalars import fraction
from tests.proofs.statements import LIST, NUMBER, TABLE, Values, changed, number, numbers, table

SPEC = Path(__file__).parents[2] / "proofs_notes" / "coq" / "SpecKept.v"
TEXT = SPEC.read_text(encoding="utf-8")

Outcome = tuple[bool, int]
"""A point drawn, and whether it was bought (the two-sided method buys every draw)."""
History = tuple[Outcome, ...]
"""Outcomes, latest first."""
State = KeptState[fmpq, RationalForm]


def history(text: str) -> History:
    """[:: 1; 0]%N, or [:: (true, 1%N); (false, 0%N)]."""
    pairs = re.findall(r"\((true|false), (\d+)%N\)", text)
    if pairs:
        return tuple((bought == "true", int(index)) for bought, index in pairs)
    return tuple((True, int(index)) for index in re.findall(r"\d+", text))


@dataclass(frozen=True)
class Run:
    """A method on a design, with the part of the step that its last draw makes."""

    barriers: Barriers[fmpq, RationalForm]
    size: int
    scale: Fraction
    """What the progress of the reference is in units of the clock of the proofs."""

    def after(self, draws: History) -> State:
        state = self.barriers.initial()
        for bought, index in reversed(draws):
            drawn = self.barriers.distribution(state)
            share = self.barriers.share(state, drawn)
            state = self.barriers.step(state, index if bought else None, drawn, share)
        return state

    def potential(self, draws: History) -> Fraction:
        return fraction(self.barriers.distribution(self.after(draws)).potential)

    def law(self, state: State) -> dict[Outcome, Fraction]:
        """The probability of every outcome; a point of X_2 is never drawn."""
        drawn = self.barriers.distribution(state)
        share = self.barriers.share(state, drawn)
        coin = self.barriers.variant.ending == "coin" and share is not None
        made = fraction(share) if coin and share is not None else Fraction(1)
        law = {}
        for index in range(self.size):
            pool = index < self.barriers.pool
            chance = fraction(drawn.masses[index] / drawn.potential) if pool else Fraction(0)
            law[True, index] = made * chance
            law[False, index] = (1 - made) * chance
        return law

    def weights(self, draws: History) -> list[Fraction]:
        state = self.after(draws)
        drawn = self.barriers.distribution(state)
        share = self.barriers.share(state, drawn)
        return [
            fraction(self.barriers.weight(drawn, index, share))
            if index < self.barriers.pool
            else Fraction(0)
            for index in range(self.size)
        ]

    def stops(self, draws: History) -> bool:
        return not self.barriers.proceeds(self.after(draws)).holds

    def mean(
        self, horizon: int, value: Callable[[History], Fraction], draws: History = ()
    ) -> Fraction:
        """E value(run at min(m, horizon)), by the whole tree."""
        if horizon == 0 or self.stops(draws):
            return value(draws)
        return sum(
            (
                chance * self.mean(horizon - 1, value, (outcome, *draws))
                for outcome, chance in self.law(self.after(draws)).items()
                if chance
            ),
            Fraction(0),
        )


def read_designs(text: str) -> dict[str, tuple[list[list[Fraction]], Fraction]]:
    pattern = rf"^Definition (\w+) : design :=\s+Design 2 ({TABLE}) \(({NUMBER})\)\.$"
    designs = {
        name: (table(rows), number(rate))
        for name, rows, rate in re.findall(pattern, text, re.MULTILINE)
    }
    assert len(designs) == len(re.findall(r"^Definition \w+ : design", text, re.MULTILINE))
    return designs


DESIGNS = read_designs(TEXT)


def run_of(match: re.Match[str]) -> Run:
    """The method that a statement is about."""
    found = match.groupdict()
    rows, rate = DESIGNS[found["design"]]
    data = dataset(rows, unlabelled=int(found["pool"]))
    if "number" not in found:
        two = Barriers(data, two_sided(data, rate), EXACT)
        return Run(two, len(rows), rate)
    ending = "coin" if found["coin"] == "true" else "clip"
    one = Barriers(data, one_sided(data, number(found["number"]), rate, ending=ending), EXACT)
    return Run(one, len(rows), Fraction(1))


def rows_are_orthonormal(match: re.Match[str]) -> Values:
    rows, _ = DESIGNS[match["design"]]
    columns = list(zip(*rows, strict=True))
    gram = [[sum(a * b for a, b in zip(x, y, strict=True)) for y in columns] for x in columns]
    return gram, [[1, 0], [0, 1]]


def state(match: re.Match[str]) -> Values:
    """The reference scales X to integers, G to c I."""
    run = run_of(match)
    reached = run.after(history(match["draws"]))
    scale = run.barriers.frame.gram.matrix()[0, 0]
    entries = reached.accumulated.matrix()
    accumulated = [[fraction(entries[i, j] / scale) for j in range(2)] for i in range(2)]
    computed = (accumulated, fraction(reached.progress) / run.scale)
    return computed, (table(match["table"]), number(match["value"]))


def potential(match: re.Match[str]) -> Values:
    return run_of(match).potential(history(match["draws"])), number(match["value"])


def probabilities(match: re.Match[str]) -> Values:
    run = run_of(match)
    law = run.law(run.after(history(match["draws"])))
    bought = match.groupdict().get("bought", "true") == "true"
    return [law[bought, index] for index in range(run.size)], numbers(match["values"])


def weights(match: re.Match[str]) -> Values:
    return run_of(match).weights(history(match["draws"])), numbers(match["values"])


def stops(match: re.Match[str]) -> Values:
    return run_of(match).stops(history(match["draws"])), match["stops"] == "true"


def expected(value: Callable[[Run, History], Fraction]) -> Callable[[re.Match[str]], Values]:
    def compute(match: re.Match[str]) -> Values:
        run = run_of(match)
        mean = run.mean(int(match["horizon"]), lambda draws: value(run, draws))
        return mean, number(match["value"])

    return compute


stopped = expected(lambda run, draws: Fraction(run.stops(draws)))
length = expected(lambda _, draws: Fraction(len(draws)))
labels = expected(lambda _, draws: Fraction(len({index for _, index in draws})))
bought = expected(lambda _, draws: Fraction(sum(bought for bought, _ in draws)))


def form(template: str) -> re.Pattern[str]:
    """A pattern from a statement with placeholders; what stands twice is the same twice."""
    template = template.replace("TWO", "R DESIGN POOL")
    template = template.replace("ONE", "R DESIGN POOL (NUMBER) COIN")
    pattern = re.escape(template)
    groups = {
        "DESIGN": r"(?P<design>\w+)",
        "POOL": r"(?P<pool>\d+)",
        "NUMBER": f"(?P<number>{NUMBER})",
        "COIN": "(?P<coin>true|false)",
        "BOUGHT": "(?P<bought>true|false)",
        "DRAWS": r"(?P<draws>\[::\]|\[:: \d+(?:; \d+)*\]%N|\[:: \([^\]]*\)\])",
        "TABLE": f"(?P<table>{TABLE})",
        "VALUES": f"(?P<values>{LIST})",
        "VALUE": f"(?P<value>{NUMBER})",
        "STOPS": "(?P<stops>true|false)",
        "HORIZON": r"(?P<horizon>\d+)",
    }
    for name, group in groups.items():
        pattern = pattern.replace(name, group, 1)
        pattern = pattern.replace(name, f"(?P={name.lower()})")
    return re.compile(pattern)


TWO_TREE = "(two_law TWO) (two_stops TWO) HORIZON"
ONE_TREE = "(one_law ONE) (one_stops ONE) HORIZON"
FORMS: list[tuple[re.Pattern[str], Callable[[re.Match[str]], Values]]] = [
    (form(r"\sum_x point R DESIGN x *m (point R DESIGN x)^T = 1%:M"), rows_are_orthonormal),
    (form("two_after TWO DRAWS = (table R DESIGN TABLE, frac R (VALUE))"), state),
    (form("two_potential TWO DRAWS = frac R (VALUE)"), potential),
    (form("two_probabilities TWO DRAWS = fracs R VALUES"), probabilities),
    (form("two_weights TWO DRAWS = fracs R VALUES"), weights),
    (form("two_stops TWO (draws DESIGN DRAWS) = STOPS"), stops),
    (form(f"run_chance {TWO_TREE} (two_stops TWO) = frac R (VALUE)"), stopped),
    (form(f"run_mean {TWO_TREE} (fun h => (size h)%:R) [::] = frac R (VALUE)"), length),
    (
        form(
            f"run_mean {TWO_TREE} (fun h => (labels (first DESIGN POOL) h)%:R) [::] "
            "= frac R (VALUE)"
        ),
        labels,
    ),
    (form("one_after ONE DRAWS = (table R DESIGN TABLE, frac R (VALUE))"), state),
    (form("one_potential ONE DRAWS = frac R (VALUE)"), potential),
    (form("one_probabilities ONE BOUGHT DRAWS = fracs R VALUES"), probabilities),
    (form("one_weights ONE DRAWS = fracs R VALUES"), weights),
    (form(f"run_chance {ONE_TREE} (one_stops ONE) = frac R (VALUE)"), stopped),
    (form(f"run_mean {ONE_TREE} (fun h => (size h)%:R) [::] = frac R (VALUE)"), length),
    (form(f"run_mean {ONE_TREE} (fun h => (count fst h)%:R) [::] = frac R (VALUE)"), bought),
]


def read_theorems(text: str) -> dict[str, str]:
    pattern = r"^\(\* slug: model \*\)\nParameter (\w+) : forall R : realFieldType,\s(.*?)\.$"
    found = {
        name: " ".join(statement.split())
        for name, statement in re.findall(pattern, text, re.MULTILINE | re.DOTALL)
    }
    assert list(found) == re.findall(r"^Parameter (\w+)", text, re.MULTILINE)
    return found


THEOREMS = read_theorems(TEXT)


def compare(statement: str) -> Values:
    """What the reference computes and what the theorem says; exactly one form fits."""
    (found,) = [
        (match, values) for pattern, values in FORMS if (match := pattern.fullmatch(statement))
    ]
    match, values = found
    return values(match)


@pytest.mark.parametrize("name", THEOREMS)
def test_the_reference_computes_what_coq_proves(name: str) -> None:
    computed, proved = compare(THEOREMS[name])
    assert computed == proved


def test_every_form_occurs() -> None:
    for pattern, _ in FORMS:
        assert any(map(pattern.fullmatch, THEOREMS.values())), pattern.pattern


def test_every_changed_value_is_noticed() -> None:
    """Add one to a numerator, or turn a truth value round: the two sides differ."""
    for name, statement in THEOREMS.items():
        others = list(changed(statement))
        assert others or statement.endswith("= 1%:M"), name
        for other in others:
            computed, proved = compare(other)
            assert computed != proved, name


def test_a_theorem_in_another_form_is_refused() -> None:
    with pytest.raises(ValueError, match="unpack"):
        compare("two_potential R kept_two 2 [::] <= frac R (2 # 5)")
