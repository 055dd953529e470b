"""From a table to a model: plans that are kept, resumed, and refused when they must be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge

from asura import errors
from asura.engine import Plan, choosing, load_model, load_plan, memory, plan, preparing, save_plan
from asura.engine.kernels import GaussianKernel, GivenKernel, low_rank
from asura.engine.methods import METHODS
from asura.engine.model import Model
from tests.reference.engine.designs import KINDS, design, exact, rational

RNG = np.random.default_rng(8)
POINTS = RNG.standard_normal((300, 3)) @ np.array([[1.0, 0.2, 0], [0, 2, 0.5], [0, 0, 5]]) + 2
LABELS = POINTS @ np.array([1.0, -2.0, 0.5]) + 7 + RNG.standard_normal(300)


def _table(folder: Path, known: int, name: str = "t.csv") -> str:
    """A CSV whose first labels are known."""
    lines = ["id,a,b,c,y"]
    for i, row in enumerate(POINTS.tolist()):
        label = repr(float(LABELS[i])) if i < known else ""
        lines.append(",".join([f"r{i}", *map(repr, row), label]))
    path = folder / name
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def _plan(folder: Path, **options: object) -> Plan:
    settings: dict[str, Any] = {"ridge": 1.0, "budget": 60, "seed": 3} | options
    return plan(_table(folder, 20), target="y", identifier="id", **settings)


def _coefficients(model: Model) -> NDArray[np.float64]:
    return np.append(model.coefficients, model.intercept)


def _far(left: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    return float(np.abs(left - right).max() / np.abs(right).max())


def test_the_way_from_a_table_to_predictions(tmp_path: Path) -> None:
    chosen = _plan(tmp_path)
    assert len(chosen.rows) <= 60
    assert chosen.record.promise is not None
    assert chosen.record.delta is not None
    assert set(chosen.rows.tolist()) <= set(range(20, 300))
    save_plan(chosen, tmp_path / "plan.csv")
    resumed = load_plan(tmp_path / "plan.csv", _table(tmp_path, 300, "full.csv"))
    assert resumed.record == chosen.record
    assert resumed.rows.tolist() == chosen.rows.tolist()
    assert resumed.weights.tolist() == chosen.weights.tolist()
    assert resumed.unasked == 300 - 20 - len(chosen.rows)
    assert chosen.unasked == 0
    model = resumed.fit()
    model.save(tmp_path / "model.json")
    again = load_model(tmp_path / "model.json")
    assert again.document() == model.document()
    assert again.predict(POINTS).tolist() == model.predict(POINTS).tolist()
    assert model.summary.leave_one_out is not None
    assert 0.5 < model.summary.leave_one_out < 2  # the noise has size 1


def test_weights_can_be_handed_to_ridge(tmp_path: Path) -> None:
    """The same coefficients, up to the rounding of two programs (1e-11 of the largest)."""
    for intercept in (True, False):
        chosen = _plan(tmp_path, intercept=intercept)
        model = chosen.fit(LABELS)
        rows = np.concatenate([chosen.rows, np.arange(20)])
        other = Ridge(alpha=1.0, fit_intercept=intercept, solver="svd").fit(
            POINTS[rows], LABELS[rows], sample_weight=np.concatenate([chosen.weights, np.ones(20)])
        )
        theirs = np.append(other.coef_, other.intercept_)
        assert _far(_coefficients(model), theirs) < 1e-11


@pytest.mark.parametrize("kind", ["gauss", "integers", "duplicates", "zero rows", "heavy"])
def test_the_fit_solves_the_normal_equations_exactly_up_to_rounding(kind: str) -> None:
    points = design(kind, 2, rows=30)
    chosen = plan(points, budget=12, ridge=0.5, seed=1, intercept=False)
    labels = np.arange(30.0)
    found = chosen.fit(labels).coefficients
    rows = exact(points[chosen.rows])
    scale = exact(np.diag(chosen.weights))
    matrix = rows.transpose() * scale * rows + exact(np.eye(3)) * rational(0.5)
    truth = matrix.solve(rows.transpose() * scale * exact(labels[chosen.rows][:, None]))
    largest = max(abs(truth[k, 0]) for k in range(3))
    for k in range(3):
        assert abs(truth[k, 0] - rational(float(found[k]))) <= largest * rational(1e-9)


def test_what_a_fit_says_of_its_errors_is_so(tmp_path: Path) -> None:
    """The losses from predictions, and leaving a row out by fitting without it."""
    chosen = _plan(tmp_path)
    model = chosen.fit(LABELS)
    rows, weights, known = chosen.rows, chosen.weights, np.arange(20)
    errors_ = (model.predict(POINTS) - LABELS) ** 2
    summary = model.summary
    assert (summary.bought, summary.labelled) == (len(rows), 20)
    assert summary.largest_weight == weights.max()
    weighted = np.append(errors_[known], weights * errors_[rows])
    assert (
        _far(
            np.array([summary.loss_labelled, summary.loss_weighted]),
            np.array([errors_[known].sum(), weighted.sum()]),
        )
        < 1e-9
    )
    left_out = []
    for k, row in enumerate(rows):
        others = np.concatenate([known, np.delete(rows, k)])
        shares = np.concatenate([np.ones(20), np.delete(weights, k)])
        without = Ridge(alpha=1.0).fit(POINTS[others], LABELS[others], sample_weight=shares)
        left_out.append(float(without.predict(POINTS[row : row + 1])[0] - LABELS[row]))
    mean = np.average(np.square(left_out), weights=weights)
    assert summary.leave_one_out is not None
    assert abs(summary.leave_one_out / np.sqrt(mean) - 1) < 1e-9


def test_the_intercept_is_never_penalised() -> None:
    chosen = plan(POINTS, ridge=50.0, budget=60, seed=3)
    low, high = chosen.fit(LABELS), chosen.fit(LABELS + 1000)
    assert _far(high.coefficients, low.coefficients) < 1e-9
    assert abs(high.intercept - low.intercept - 1000) < 1e-7


def test_labels_arrive_late_in_parts_and_by_name(tmp_path: Path) -> None:
    chosen = _plan(tmp_path)
    names = chosen.identifiers
    with pytest.raises(errors.MissingLabel, match=names[0]):
        chosen.fit()
    half = chosen.with_labels({name: LABELS[int(name[1:])] for name in names[:10]})
    assert half.missing == names[10:]
    with pytest.raises(errors.MissingLabel, match=names[10]):
        half.fit()
    whole = half.fit({name: LABELS[int(name[1:])] for name in names[10:]})
    for labels in (LABELS, LABELS[chosen.rows], lambda row: LABELS[row]):
        assert chosen.fit(labels).document() == whole.document()
    series = pd.Series(LABELS[chosen.rows], index=list(names))
    for labels in (series, series[::-1], series.reset_index(drop=True), pd.Series(LABELS)):
        assert chosen.fit(labels).document() == whole.document()
    with pytest.raises(errors.DuplicateIdentifier, match=names[0]):
        chosen.fit(pd.concat([series, series[:1]]))
    with pytest.raises(errors.RaggedData):
        chosen.fit(LABELS[:7])
    with pytest.raises(errors.MissingLabel):
        chosen.fit(lambda _: float("nan"))
    with pytest.raises(errors.NotAScalar):
        chosen.fit(lambda _: float("inf"))


def test_a_changed_table_or_plan_is_noticed(tmp_path: Path) -> None:
    chosen = _plan(tmp_path)
    file = tmp_path / "plan.csv"
    save_plan(chosen, file)
    table = Path(_table(tmp_path, 300, "full.csv"))
    text = table.read_text()
    for changed, error in (
        (text.replace("r5,", "r5,1", 1), errors.ChangedTable),
        ("\n".join(text.splitlines()[:-1]), errors.ChangedTable),
        (text.replace("id,a,b,c,y", "id,a,x,c,y"), errors.UnknownColumn),
        (text.replace(text.splitlines()[3].split(",")[-1], ""), errors.MissingLabel),
    ):
        table.write_text(changed)
        with pytest.raises(error):
            load_plan(file, table).fit()
    good = file.read_text()
    for damaged in (
        good.replace("\nrow,", "\nRow,"),
        good[: len(good) // 2],
        good[:-1].rpartition("\n")[0] + "\n",
        good.replace('"known"', '"gnown"'),
        good.replace('"budget": 60', '"budget": 50'),
        good.replace("labels, surely", "labels, usually"),
        good.partition("\n")[2],
        "{}",
        "",
    ):
        file.write_text(damaged)
        with pytest.raises(errors.NotAPlan):
            load_plan(file, POINTS)


def test_a_plan_of_a_frame_is_resumed_with_the_frame(tmp_path: Path) -> None:
    frame = pd.DataFrame(POINTS, columns=["a", "b", "c"], index=[f"r{k}" for k in range(300)])
    chosen = plan(frame, budget=60, ridge=1.0)
    save_plan(chosen, tmp_path / "plan.csv")
    again = load_plan(tmp_path / "plan.csv", frame)
    assert again.identifiers == chosen.identifiers
    assert again.fit(LABELS).document() == chosen.fit(LABELS).document()
    with pytest.raises(errors.ConflictingOptions, match="in memory"):
        load_plan(tmp_path / "plan.csv")


def test_what_a_plan_says_of_its_guarantee(tmp_path: Path) -> None:
    assert "surely" in _plan(tmp_path).guarantee
    everything = _plan(tmp_path, budget=1000)
    assert everything.record.rule == "everything"
    assert len(everything.rows) == 280
    sharp = _plan(tmp_path, budget=None, epsilon=1e-9)
    assert sharp.guarantee.startswith("label everything")
    good = _plan(tmp_path, budget=None, epsilon=0.5)
    assert good.record.promise is not None
    assert good.record.promise.epsilon <= 0.5
    assert len(good.rows) < 150
    tiny = plan(POINTS, budget=6, ridge=0.0, seed=1)
    assert len(tiny.rows) <= 6
    with pytest.raises(errors.BudgetOutOfRange, match="at least 4 labels") as caught:
        plan(POINTS, budget=3, ridge=0.0)
    assert caught.value.value == 3


def test_all_labels_give_the_best_loss(tmp_path: Path) -> None:
    model = _plan(tmp_path, budget=1000).fit(LABELS)
    best = Ridge(alpha=1.0, solver="svd").fit(POINTS, LABELS)
    assert _far(model.coefficients, best.coef_) < 1e-10


def test_rows_that_say_nothing_are_never_bought() -> None:
    points = np.vstack([np.zeros((5, 2)), np.eye(2)])
    labels = np.array([np.nan] * 5 + [1.0, 2.0])
    chosen = plan(points, labels={5: 1.0, 6: 2.0}, budget=3, intercept=False)
    assert chosen.record.rule == "nothing"
    assert chosen.fit(labels).coefficients.round(12).tolist() == [1.0, 2.0]
    with pytest.raises(errors.NothingToBuy):
        plan(np.eye(2), labels={0: 1.0, 1: 2.0}, budget=1)


def test_dependent_columns_are_named() -> None:
    points = np.column_stack([POINTS, POINTS[:, 0] + POINTS[:, 1]])
    chosen = plan(points, budget=50, seed=2)
    assert len(chosen.record.dropped) == 1
    model = chosen.fit(LABELS)
    plain = plan(POINTS, budget=50, seed=2).fit(LABELS)
    assert _far(model.predict(points), plain.predict(POINTS)) < 1e-8


def test_the_same_seed_gives_the_same_plan(tmp_path: Path) -> None:
    first, second, other = _plan(tmp_path), _plan(tmp_path), _plan(tmp_path, seed=4)
    assert first.rows.tolist() == second.rows.tolist()
    assert first.rows.tolist() != other.rows.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_any_table_gets_a_plan_within_its_budget(kind: str) -> None:
    points = design(kind, 5, rows=60)
    chosen = plan(points, budget=20, seed=1)
    assert len(set(chosen.rows.tolist())) == len(chosen.rows) <= 20
    model = chosen.fit(np.arange(60.0))
    assert np.isfinite(model.predict(points)).all()


def _odd_question(seed: int) -> tuple[NDArray[np.float64], dict[str, Any]]:
    """A table and a question from the whole domain."""
    rng = np.random.default_rng(seed)
    kind = KINDS[rng.integers(len(KINDS))]
    points = design(kind, seed, rows=int(rng.integers(1, 60)), columns=int(rng.integers(3, 8)))
    if rng.random() < 0.2:
        points[:, 0] = 5.0  # a constant beside the intercept
    ridge = float(rng.choice([0.0, 1e-8, 1.0, 1e6]))
    question: dict[str, Any] = {"ridge": ridge, "intercept": bool(rng.random() < 0.6)}
    if rng.random() < 0.3 and ridge:
        question |= {"kernel": "rbf", "length": float(rng.choice([0.1, 1.0, 100.0]))}
    if rng.random() < 0.7:
        question["budget"] = int(rng.integers(1, len(points) + 3))
    else:
        question["epsilon"] = float(10.0 ** rng.uniform(-3, 2))
    known = np.flatnonzero(rng.random(len(points)) < 0.3)
    return points, question | {"labels": {int(row): 1.0 for row in known}, "seed": seed}


SLOW = ["kept", "one-sided", "asura"]
MIXTURE = [*SLOW, *["leverage", "uniform"] * 2, "volume", *["coins"] * 12]


def whole_plan(seed: int, method: str, only_budgets: bool = False) -> str | None:
    """One whole plan, checked; its method, or None where the question is refused by name."""
    points, question = _odd_question(seed)
    question["method"] = method
    if (only_budgets or method in SLOW) and "epsilon" in question:
        question["budget"] = max(1, round(0.7 * len(points)))
        del question["epsilon"]
    try:
        chosen = plan(points, trials=10, **question)
    except errors.AsuraError:
        return None
    rows = set(chosen.rows.tolist())
    assert len(chosen.rows) == len(rows) <= question.get("budget", len(points))
    assert len(rows) <= chosen.record.budget
    assert not rows & set(question["labels"])
    labels = np.arange(float(len(points)))
    labels[list(question["labels"])] = 1.0
    assert np.isfinite(chosen.fit(labels).predict(points)).all()
    return method


def test_odd_questions_get_a_plan_or_a_named_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every plan within its budget, certified by a finite delta or not at all, and fitted."""
    monkeypatch.setattr(choosing, "_REDRAWS", 50)
    monkeypatch.setattr(choosing, "_SLOW_PILOTS", 3)
    found = [whole_plan(seed, MIXTURE[seed % len(MIXTURE)]) for seed in range(80)]
    planned = [method for method in found if method is not None]
    assert len(planned) > 50
    assert set(planned) == set(METHODS)


def test_kernel_ridge_with_all_labels_is_kernel_ridge() -> None:
    """Within the rest of the kernel that is left out (1 % of lambda in trace)."""
    chosen = plan(POINTS, budget=300, ridge=0.1, kernel="rbf", length=3.0, intercept=False, seed=1)
    model = chosen.fit(LABELS)
    truth = KernelRidge(alpha=0.1, kernel="rbf", gamma=1 / 18).fit(POINTS, LABELS)
    assert _far(model.predict(POINTS), truth.predict(POINTS)) < 0.02
    gram = GaussianKernel(POINTS, 3.0).between(POINTS, POINTS)
    gram = (gram + gram.T) / 2
    given = plan(gram, budget=300, ridge=0.1, kernel="given", intercept=False).fit(LABELS)
    assert _far(given.predict(gram), truth.predict(POINTS)) < 0.02


def test_kernel_plans_buy_few_labels(tmp_path: Path) -> None:
    chosen = plan(POINTS, budget=80, ridge=3.0, kernel="rbf", length=4.0, seed=1)
    assert len(chosen.rows) <= 80
    assert chosen.record.promise is not None
    assert "kernel of lower rank" in chosen.guarantee
    model = chosen.fit(LABELS)
    model.save(tmp_path / "model.json")
    assert (
        load_model(tmp_path / "model.json").predict(POINTS).tolist()
        == model.predict(POINTS).tolist()
    )
    assert float(np.mean((model.predict(POINTS) - LABELS) ** 2)) < 0.5 * float(np.var(LABELS))


def test_kernels_that_are_none() -> None:
    with pytest.raises(errors.NotSymmetric):
        GivenKernel(np.array([[1.0, 2.0], [3.0, 1.0]]))
    with pytest.raises(errors.NotSymmetric):
        GivenKernel(np.ones((2, 3)))
    for matrix in ([[0.0, 1.0], [1.0, 0.0]], [[1.0, 2.0], [2.0, 1.0]], [[-1.0, 0], [0, 1.0]]):
        with pytest.raises(errors.NotPositiveSemidefinite):
            low_rank(GivenKernel(np.array(matrix)), 0.0)
    with pytest.raises(errors.LengthOutOfRange):
        GaussianKernel(POINTS, -1.0)


def test_the_rest_of_a_kernel_is_what_is_said() -> None:
    points = POINTS[:120]
    matrix = GaussianKernel(points, 2.0).between(points, points)
    matrix = (matrix + matrix.T) / 2
    for rest in (10.0, 1.0, 1e-3):
        factor = low_rank(GivenKernel(matrix), rest)
        gap = matrix - factor.features @ factor.features.T
        assert factor.rest <= rest * 1.001 + 1e-9
        assert np.abs(np.linalg.eigvalsh(gap)).max() <= factor.rest
        assert len(factor.pivots) < 120
        assert _far(matrix[:, factor.pivots] @ factor.inverse, factor.features) < 1e-6


def test_models_that_are_none(tmp_path: Path) -> None:
    file = tmp_path / "model.json"
    plan(POINTS, budget=40, seed=1).fit(LABELS).save(file)
    good = file.read_text()
    for text in (
        "",
        "[]",
        "{}",
        good.replace("asura-model/1", "other"),
        good.replace("summary", "s"),
    ):
        file.write_text(text)
        with pytest.raises(errors.NotAModel):
            load_model(file)
    file.write_text(good.replace('"intercept": ', '"intercept": "x", "i": '))
    with pytest.raises(errors.NotAModel):
        load_model(file)
    with pytest.raises(errors.UnreadableFile):
        load_model(tmp_path / "none.json")
    file.write_text(good)
    with pytest.raises(errors.NotAModel, match="3"):
        load_model(file).predict(np.ones((2, 5)))


def test_labels_that_are_no_numbers_are_named() -> None:
    chosen = plan(POINTS, ridge=1, budget=10)
    first = int(chosen.rows[0])
    for wrong in ("cheap", [1.0], object()):
        with pytest.raises(errors.NotAScalar, match=f"label of '{first}' is"):
            chosen.fit(lambda _, wrong=wrong: wrong)
    with pytest.raises(errors.MissingLabel, match=f"row {first}"):
        chosen.fit(lambda _: None)  # type: ignore[arg-type]
    with pytest.raises(errors.NotAScalar, match="label of '0' is 'a'"):
        chosen.fit(["a"] * len(chosen.rows))  # type: ignore[list-item]
    with pytest.raises(errors.UnknownIdentifier, match=r"'nobody'.*'0' to"):
        chosen.fit({"nobody": 1.0})


def test_a_label_that_is_known_is_neither_asked_for_again_nor_overwritten() -> None:
    chosen = plan(POINTS, ridge=1, budget=10)
    first, *others = chosen.rows.tolist()
    part = chosen.with_labels({first: LABELS[first]})
    asked: list[int] = []

    def ask(row: int) -> float:
        asked.append(row)
        return float(LABELS[row])

    model = part.fit(ask)
    assert asked == others
    assert np.array_equal(model.coefficients, chosen.fit(LABELS).coefficients)
    with pytest.raises(errors.ConflictingOptions, match=f"two labels are given for '{first}'"):
        part.fit(LABELS + 1)


def test_known_labels_of_an_array_come_one_per_row() -> None:
    known = np.where(np.arange(len(LABELS)) < 6, LABELS, np.nan)
    chosen = plan(POINTS, labels=known, ridge=1, budget=10)
    pairs = {k: float(LABELS[k]) for k in range(6)}
    assert chosen.rows.tolist() == plan(POINTS, labels=pairs, ridge=1, budget=10).rows.tolist()
    with pytest.raises(errors.RaggedData, match="one for each"):
        plan(POINTS, labels=known[1:], ridge=1, budget=10)


@pytest.mark.parametrize(
    ("option", "error"),
    [
        ({"seed": "a"}, errors.NotAScalar),
        ({"seed": 1.5}, errors.NotAScalar),
        ({"seed": True}, errors.NotAScalar),
        ({"ridge": "x"}, errors.NotAScalar),
        ({"ridge": None}, errors.NotAScalar),
        ({"kernel": "rbf", "length": "x"}, errors.NotAScalar),
        ({"trials": 0}, errors.TrialsOutOfRange),
    ],
)
def test_options_that_are_no_numbers_are_named(
    option: dict[str, Any], error: type[errors.AsuraError]
) -> None:
    with pytest.raises(error) as caught:
        plan(POINTS, **{"ridge": 1, "budget": 10, **option})
    assert caught.value.value == list(option.values())[-1]


def test_rows_that_changed_their_names_are_noticed(tmp_path: Path) -> None:
    names = [f"r{k}" for k in range(len(POINTS))]
    frame = pd.DataFrame(POINTS, index=names)
    save_plan(plan(frame, ridge=1, budget=10), tmp_path / "plan.csv")
    load_plan(tmp_path / "plan.csv", frame)
    with pytest.raises(errors.ChangedTable, match="is called"):
        load_plan(tmp_path / "plan.csv", frame.set_index(pd.Index(names[::-1])))


def test_lists_are_predicted_by_position() -> None:
    frame = pd.DataFrame(POINTS, columns=[f"c{k}" for k in range(POINTS.shape[1])])
    model = plan(frame, ridge=1, budget=10).fit(LABELS)
    assert model.predict(POINTS.tolist()).tolist() == model.predict(POINTS).tolist()


def test_an_entry_that_breaks_the_symmetry_is_named_in_any_tile() -> None:
    matrix = np.eye(2100)
    matrix[1500, 30] = 0.25
    with pytest.raises(errors.NotSymmetric, match=r"kernel\[30\]\[1500\] = 0.0 but"):
        GivenKernel(matrix)


def test_kernels_that_do_not_fit_are_refused_before_they_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files of holes: 30 GB as points and as a kernel matrix, and one that is no square."""

    def read(*_: object) -> bool:
        raise AssertionError("the file was read")

    monkeypatch.setattr(preparing, "all_finite", read)
    monkeypatch.setattr(memory, "available", lambda: 20 << 30)
    options: dict[str, Any] = {"ridge": 1, "budget": 100}
    for shape, kernel, told in (
        ((4_000_000, 1000), {"kernel": "rbf", "length": 1.0}, "2,.* points would fit"),
        ((400_000_000, 10), {"kernel": "rbf", "length": 1.0}, "18,.* points would fit"),
        ((61_000, 61_000), {"kernel": "given"}, "51,.* points would fit"),
    ):
        np.lib.format.open_memmap(tmp_path / "x.npy", mode="w+", dtype="f8", shape=shape)
        with pytest.raises(errors.MemoryTooSmall, match=told):
            plan(tmp_path / "x.npy", **options, **kernel)
    np.lib.format.open_memmap(tmp_path / "x.npy", mode="w+", dtype="f8", shape=(9, 7))
    with pytest.raises(errors.NotSymmetric, match="9 rows and 7 columns"):
        plan(tmp_path / "x.npy", kernel="given", **options)


def test_too_many_columns_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: 8 * 40**2 * 10)
    with pytest.raises(errors.MemoryTooSmall, match="41 columns"):
        plan(np.eye(40), ridge=1, budget=10)


def test_kernels_say_how_far_they_are() -> None:
    told: dict[str, list[float]] = {}
    matrix = GaussianKernel(POINTS, 2.0).between(POINTS, POINTS)
    matrix = (matrix + matrix.T) / 2
    plan(
        matrix,
        kernel="given",
        ridge=1,
        budget=40,
        progress=lambda stage, share: told.setdefault(stage, []).append(share),
    )
    for stage in ("reading", "looking at the kernel", "factoring the kernel"):
        assert all(0 <= share <= 1 for share in told[stage])
    steps = told["factoring the kernel"]
    assert len(steps) > 10
    assert steps[0] == 0.0
    assert max(steps[:-1]) > 0.9
