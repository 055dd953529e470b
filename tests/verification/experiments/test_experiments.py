"""The experiments: reproducible, certified where they say so, and drawn from their tables."""

from __future__ import annotations

import math
import xml.etree.ElementTree as Xml
from dataclasses import replace
from fractions import Fraction
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from asura.algorithm1_regression import loss as loss_of
from asura.algorithm1_regression import optimum
from asura.kept.tuning import redrawn_for
from asura.samplers.learners import LargestVariance, NearestToBoundary
from asura_verify.auditing.executors import SerialExecutor
from asura_verify.cli.main import execute
from asura_verify.experiments import (
    EXPERIMENTS,
    beyond,
    bias,
    classifiers,
    constants,
    field,
    find,
    label_enumeration,
    label_problems,
    labels,
    loss,
    lower_bound,
    plans,
    queries,
)
from asura_verify.experiments.model import (
    Experiment,
    ExperimentOutcome,
    chosen,
    number,
    perform,
    read_csv,
    write_csv,
)
from asura_verify.experiments.plots import svg
from asura_verify.report.mathematics import as_text
from asura_verify.trees.sampler_laws import total, unbiased_gram

#: Eight points, none and two of their labels free.
WHOLE, FREE = label_enumeration.SMALL_PROBLEMS
RECORDED = resources.files("asura_verify.experiments") / "recorded"


def recorded(experiment: Experiment) -> ExperimentOutcome:
    path = RECORDED / f"{experiment.name}.csv"
    return read_csv(experiment, path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_recorded_table_is_whole(experiment: Experiment) -> None:
    outcome = recorded(experiment)
    assert outcome.size == 1.0
    assert outcome.seed == 0
    assert outcome.rows
    assert all(tuple(row) == experiment.columns for row in outcome.rows)
    text = (RECORDED / f"{experiment.name}.csv").read_text(encoding="utf-8")
    assert write_csv(outcome) == text
    assert all(experiment.findings(outcome.rows))


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_plot_fits_both_grounds(experiment: Experiment) -> None:
    figure = experiment.draw(recorded(experiment).rows)
    text = svg(figure, title=experiment.title, description=experiment.caption)
    assert "currentColor" in text
    assert "prefers-color-scheme:dark" in text
    assert "#010203" not in text
    root = Xml.fromstring(text)  # noqa: S314 our own text
    assert root.tag.endswith("svg")
    assert len(text) < 200_000


@pytest.mark.parametrize("name", ["plans", "labels"])
def test_the_picture_of_the_docs_is_drawn_from_the_recorded_table(name: str) -> None:
    experiment = find(name)
    figure = experiment.draw(recorded(experiment).rows)
    text = svg(figure, title=experiment.title, description=as_text(experiment.caption))
    shown = Path(__file__).parents[3] / "docs" / f"{name}.svg"
    assert shown.read_text(encoding="utf-8") == text


def test_guarantees_are_kept_on_average_and_the_table_has_its_cells() -> None:
    """Means of ten runs stay below what is guaranteed, by every method and at every budget."""
    rows = recorded(find("plans")).rows
    for name in plans.TABLES:
        for method in plans.NAMES:
            for ratio in plans.RATIOS:
                same = chosen(rows, data=name, method=method, ratio=ratio)
                if same and same[0]["guaranteed"] != plans.NONE:
                    mean = sum(number(row, "excess") for row in same) / len(same)
                    assert mean <= number(same[0], "guaranteed")
                    assert all(number(row, "labels_paid") <= number(row, "budget") for row in same)
    trials = {row["method"]: set[int]() for row in rows}
    for row in rows:
        if row["guaranteed"] != plans.NONE:
            trials[row["method"]].add(int(number(row, "trials")))
    assert min(trials["asura"] | trials["one-sided"]) == 94
    assert all(400 in each for each in trials.values())
    assert trials["coins"] == trials["leverage"] == trials["uniform"] == {400}
    assert [plans.guaranteed(rows, "diabetes", ratio) for ratio in plans.RATIOS] == [
        "0.567",
        "0.0848",
        "-",
    ]


def test_the_table_of_the_docs_is_the_recorded_one() -> None:
    """The guarantees of K6 at three budgets, what came out in fact, and K3 for comparison."""
    page = (Path(__file__).parents[3] / "docs" / "plan.md").read_text(encoding="utf-8")
    lines = page.partition("| | B = 10 R |")[2].partition("\n\n")[0].splitlines()[2:]
    shown = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    rows = recorded(find("plans")).rows
    for name, (title, *cells) in zip(plans.TABLES, shown, strict=False):
        assert title.startswith(name.partition(",")[0])
        sure = [chosen(rows, data=name, method="coins", ratio=ratio) for ratio in plans.RATIOS]
        fact = [number(row, "excess") for row in sure[1]]
        assert cells == [
            *(f"{number(same[0], 'guaranteed'):.3f}" if same else "all rows" for same in sure),
            f"{sum(fact) / len(fact):.3f}",
        ]
    worst = [redrawn_for(Fraction(ratio)) for ratio in plans.RATIOS]
    assert shown[-1][1:] == [*(f"{float(k.excess):.3f}" for k in worst if k is not None), ""]
    assert len(shown) == len(plans.TABLES) + 1


def _sample(name: str, job: list[dict[str, object]]) -> list[dict[str, object]]:
    rows = recorded(find(name)).rows
    keys = [{key: str(value) for key, value in row.items()} for row in rows]
    return [row for row in job if {key: str(value) for key, value in row.items()} not in keys]


def test_recorded_numbers_come_out_again() -> None:
    made = [
        ("constants", constants.measured("1/8", 2, 0)),
        ("lower-bound", lower_bound.measured(2, "1/10", "1/4", 2, 0)),
        ("lower-bound", lower_bound.tested(2, "1/10")),
        ("loss", loss.measured("spike", "sure", "1", 0, 2, 0)),
        ("plans", plans.measured("diabetes", "coins", 20, 3, 0)),
        ("plans", plans.measured("diabetes", "one-sided", 10, 2, 0)),
        ("queries", queries.measured("linnerud", "ridge", "1", "sure", 2, 0)),
        ("beyond", beyond.measured("one-sided", 0)),
        ("beyond", beyond.measured("repaired", 0)),
        ("bias", bias.sampled("wrong corner", bias.SURE_RULE, "1/4", 2, 0)),
        ("labels", label_enumeration.enumerated(FREE, "spike", "volume", 3)),
        ("labels", label_enumeration.enumerated(FREE, "noise", "kept coins", 2)),
        ("labels", labels.measured("linnerud, λ = 1", "coreset", "0", 2, 0)),
        ("labels", labels.measured("hard instance", "ridge leverage", "2", labels.RUNS, 0)),
        ("classifiers", classifiers.measured(classifiers.LEVERAGE, 1, 0)),
    ]
    for name, rows in made:
        assert rows
        assert _sample(name, [dict(row) for row in rows]) == [], name


def test_seed_changes_the_runs() -> None:
    assert constants.measured("1/4", 2, 0) == constants.measured("1/4", 2, 0)
    assert constants.measured("1/4", 2, 0) != constants.measured("1/4", 2, 1)


def test_certified_columns_enclose() -> None:
    for name in ("bias", "loss"):
        for row in recorded(find(name)).rows:
            assert 1 - 1e-12 <= number(row, "ratio_lower") <= number(row, "ratio_upper")
    for row in recorded(find("constants")).rows:
        assert number(row, "observed_lower") <= number(row, "observed_upper")
        if row["sharp"] != "" and row["quantity"] in {"m γ²/d", "(u - l) γ/d", "sum of α"}:
            assert number(row, "observed_lower") <= number(row, "sharp") * (1 + 2.0**-50)


def test_sign_test_is_the_normal_distribution() -> None:
    value = lower_bound.sign_test_success(2, Fraction(1), Fraction(1, 10), 5)
    expected = (0.5 * (1 + math.erf(math.sqrt(0.5)))) ** 2
    assert float(value.lower) - 1e-12 < expected < float(value.upper) + 1e-12
    assert value.upper - value.lower < Fraction(1, 2**80)


def test_size_scales_the_jobs() -> None:
    small, large = (
        sum(int(str(job.arguments[-2])) for job in constants.plan(size, 0)) for size in (1, 3)
    )
    assert large == 3 * small


def test_command_writes_table_and_plot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, "GAMMAS", ("1/4", "1/8"))
    arguments = ["experiment", "constants", "--size", "0.1", "--jobs", "1", "--seed", "5"]
    assert execute([*arguments, "--output", str(tmp_path)]) == 0
    assert "The constants" in capsys.readouterr().out
    table = (tmp_path / "constants.csv").read_text(encoding="utf-8")
    assert table.startswith("# asura experiment constants --size 0.1 --seed 5\n")
    assert (tmp_path / "constants.svg").read_text(encoding="utf-8").startswith("<svg")
    outcome = perform(constants.EXPERIMENT, SerialExecutor(), size=0.1, seed=5)
    assert write_csv(outcome) == table


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["experiment", "nothing"], "UnknownExperiment"),
        (["experiment", "constants", "--size", "0"], "FactorOutOfRange"),
        (["experiment", "constants", "--size", "nan"], "FactorOutOfRange"),
        (["experiment", "constants", "--jobs", "0"], "FactorOutOfRange"),
    ],
)
def test_bad_arguments_are_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(arguments) == 2
    assert message in capsys.readouterr().err


def test_bias_reports_every_learner() -> None:
    rows = recorded(bias.EXPERIMENT).rows
    for problem in bias.PROBLEMS:
        for learner in bias.LEARNERS:
            assert chosen(rows, problem=problem, learner=learner)


def test_every_step_beyond_the_paper_is_better() -> None:
    """At every accuracy the methods stand in their order, above the lower bound."""
    rows = recorded(beyond.EXPERIMENT).rows
    order = (
        "printed",
        "repaired",
        "sharper-15",
        "sharper-13",
        "sure",
        "tight",
        "one-sided",
        "lower",
    )
    for epsilon in beyond.EPSILONS:
        values = [
            number(row, "constant")
            for name in order
            for row in chosen(rows, method=name)
            if Fraction(str(row["epsilon"])) == Fraction(epsilon)
        ]
        assert len(values) == len(order)
        assert values == sorted(values, reverse=True)


def test_a_volume_sample_of_size_d_meets_the_line_exactly() -> None:
    for kind in label_problems.LABELS:
        for name in (WHOLE, FREE):
            (row,) = label_enumeration.enumerated(name, kind, "volume", 2)
            assert number(row, "mean") == 3.0
            assert number(row, "bias") == 0.0
            assert number(row, "deficient") == 0.0
            (uniform,) = label_enumeration.enumerated(name, kind, "uniform", 2)
            assert number(uniform, "bias") > 0


#: E sum w x x^T = X^T X for these, and not for volume samples, learners and the coreset.
WEIGHTED = ("uniform", "leverage, coins", "leverage, iid", "ridge leverage", "leveraged volume",
            "ridge DPP", "k-DPP", "K2, one-sided", "kept coins")  # fmt: skip


@pytest.mark.parametrize("procedure", label_enumeration.EXACT_PROCEDURES)
@pytest.mark.parametrize("name", label_enumeration.SMALL_PROBLEMS)
def test_the_enumerated_laws_are_laws(name: str, procedure: str) -> None:
    data = label_enumeration.small(name, "noise")
    found = label_enumeration.EXACT_PROCEDURES[procedure](data, 2)
    assert total(found) == 1
    assert unbiased_gram(data, found) == (procedure in WEIGHTED)
    wrong = [(p, [(i, w * 3 / 2) for i, w in weights]) for p, weights in found]
    assert not unbiased_gram(data, wrong)  # the weights of two points for three


def test_kept_procedures_keep_what_is_free_and_are_enumerated() -> None:
    """X_2 at weight 1 in every outcome; so few labels that an outcome may have none."""
    data = label_enumeration.small(FREE, "noise")
    for procedure in ("uniform", "ridge leverage", "ridge DPP", "K2, one-sided", "kept coins"):
        found = label_enumeration.EXACT_PROCEDURES[procedure](data, 2)
        assert all({(6, Fraction(1)), (7, Fraction(1))} <= set(weights) for _, weights in found)
        (row,) = label_enumeration.enumerated(FREE, "spike", procedure, 2)
        assert 0 < number(row, "labels_paid") < 2.01
        assert number(row, "deficient") == 0.0


def test_who_reads_every_label_pays_for_every_label() -> None:
    for row in chosen(recorded(labels.EXPERIMENT).rows, procedure=field.READS_ALL):
        data = (
            label_enumeration.small(str(row["problem"]), "noise")
            if row["part"] == "exact"
            else label_problems.problem(str(row["problem"])).data
        )
        assert number(row, "labels_paid") == data.unlabelled
        assert number(row, "ninety_nine") <= 2  # what it promises
    given = label_problems.labelled("linnerud, λ = 1", "noise", 3)
    picks, _ = field.READING[field.READS_ALL](given, Fraction(0))
    assert len([i for i in picks if i < 20]) < 20  # it keeps fewer than it reads


@pytest.mark.parametrize("name", ["linnerud, λ = 1", "hard instance"])
def test_learners_in_doubles_choose_what_the_exact_ones_choose(name: str) -> None:
    given = label_problems.labelled(name, "noise", 3)
    data, size = given.pool.data, Fraction(6)
    picks, _ = field.PROCEDURES["largest variance"](given.pool, size, 0)
    assert tuple(picks) == LargestVariance(6).sample(data).picks
    read, _ = field.READING["uncertainty"](given, size)
    assert tuple(read) == NearestToBoundary(6).sample(data).picks
    assert read != picks


def test_every_procedure_of_the_field_is_in_the_table() -> None:
    rows = recorded(labels.EXPERIMENT).rows
    for procedure in field.NAMES:
        for kind in label_problems.LABELS:
            assert chosen(rows, procedure=procedure, labels=kind, part="sampled"), procedure
    for procedure in label_enumeration.EXACT_PROCEDURES:
        assert chosen(rows, procedure=procedure, part="exact", problem=FREE), procedure
    assert {row["problem"] for row in chosen(rows, part="sampled")} == set(label_problems.PROBLEMS)
    for row in rows:
        assert 1 <= number(row, "median") <= number(row, "ninety") <= number(row, "ninety_nine")
        assert 0 <= number(row, "deficient") <= 1
        for name in (*labels.LEVELS, "within"):
            low, high = row[f"{name}_low"], row[f"{name}_high"]
            assert (low == "") == (high == "") == (row["part"] == "exact")
            if low != "" and high != "":
                assert float(low) <= number(row, name) <= float(high)


def test_labels_needed_are_read_off_between_the_rows() -> None:
    rows = [{"labels_paid": 10.0, "ninety": 3.0}, {"labels_paid": 40.0, "ninety": 1.0}]
    halfway = labels.needed(rows, 2.0)  # of 10 and 40, on a logarithmic scale
    assert halfway is not None
    assert 19.99 < halfway < 20.01
    assert labels.needed(rows, 0.5) is None
    assert labels.needed(rows, 5.0) == 10.0
    # It must stay there: a lucky row before a bad one does not count.
    lucky = [{"labels_paid": 5.0, "ninety": 1.5}, *rows]
    assert labels.needed(lucky, 2.0) == labels.needed(rows, 2.0)


def test_the_loss_by_the_gram_is_the_loss() -> None:
    given = label_problems.labelled("linnerud, λ = 1", "against a fixed choice", 6)
    data = given.pool.data
    own = replace(data, labels=given.labels)
    beta = [Fraction(1, 2), Fraction(-1), Fraction(3)]
    exact = loss_of(own, beta).midpoint / optimum(own)[1].midpoint
    assert given.ratio(np.array([0.5, -1.0, 3.0])) == exact


def test_labels_against_a_fixed_choice_are_fitted_there() -> None:
    """The choice that they are made against sees labels that a linear model explains."""
    given = label_problems.labelled("Longley", "against a fixed choice", 9)
    order = label_problems._blind_order("Longley")[:9]
    points, values = given.pool.points[list(order)], given.values[list(order)]
    rest = values - points @ np.linalg.lstsq(points, values, rcond=None)[0]
    assert np.max(np.abs(rest)) < 0.01
    fixed, _ = given.answer((list(order), [1.0] * 9))
    assert fixed > 2


def test_uncertainty_sampling_is_stuck_and_uniform_is_not() -> None:
    rows = recorded(classifiers.EXPERIMENT).rows
    last = classifiers.COUNTS[-1]
    for row in chosen(rows, labels_paid=last):
        if row["learner"] == classifiers.UNCERTAINTY:
            assert number(row, "error") > 0.1
        if row["learner"] in {classifiers.UNIFORM, classifiers.LEVERAGE}:
            assert number(row, "error") < 0.02


def test_a_perceptron_that_sees_everything_learns() -> None:
    """Without the margin every mistake is corrected: the separable part of the pool is learnt."""
    points, signs, known = classifiers.pool(1)
    two = (points[:, 1] > 0.2).nonzero()[0]
    beta = classifiers.perceptron(points[two], signs[two], known, 400, 3)
    assert classifiers._error(points[two], signs[two], beta) < 0.05
