"""The allowance follows precision, conditioning and leverage; values are read as they are meant."""

import math

import pytest

from asura.dataset import dataset
from asura_verify.oracle.allowance import Allowance, conditioning
from asura_verify.oracle.values import abbreviated, claims_exactness


def test_columns_are_scaled_before_the_condition_is_taken() -> None:
    known = conditioning(dataset([[10**8, 0], [0, 1], [10**8, 1]]))
    assert known.equilibrated < 3
    assert known.plain > 10**7


def test_a_nearly_singular_matrix_is_seen() -> None:
    known = conditioning(dataset([[1, 1], [1, "1000000001/1000000000"], [1, 1]]))
    assert 1e9 < known.equilibrated < 1e10


def test_rank_deficient_data_are_conditioned_by_their_row_space() -> None:
    known = conditioning(dataset([[1, 1], [2, 2], [3, 3]]))
    assert abs(known.equilibrated - 1) < 2.0**-20


def test_leverages_add_up_to_the_rank_and_zero_points_cost_nothing() -> None:
    known = conditioning(dataset([[1, 0], [0, 1], [1, 1], [0, 0]]))
    assert known.leverages[3] == 1
    assert 1 < sum(known.leverages[:3]) < 4


def test_the_allowance_halves_with_every_bit() -> None:
    known = conditioning(dataset([[1, 0], [0, 1]]))
    one, two = Allowance(53, known), Allowance(54, known)
    assert one.at(3, 1.5, 1.0) == 2 * two.at(3, 1.5, 1.0)
    assert one.at(4, 1.0, 1.0) > one.at(3, 1.0, 1.0)
    assert one.at(3, 1.0, 0.01) > one.at(3, 1.0, 1.0)
    assert one.careful(3, 1.0, 0.5) <= one.at(3, 1.0, 0.5)


def test_hopeless_data_are_called_so() -> None:
    worst = conditioning(dataset([[1, 1], [1, 1 + 2**-40], [1, "1/3"]]))
    singular = conditioning(dataset([[1, 1], [1, f"{10**20 + 1}/{10**20}"]]))
    assert not Allowance(53, worst).hopeless
    assert Allowance(53, singular).hopeless
    assert not Allowance(200, singular).hopeless
    assert math.isfinite(singular.equilibrated)


@pytest.mark.parametrize(
    ("raw", "exact"), [("1/3", True), ("3/4", False), (0.1, False), ("0.1", False), (3, False)]
)
def test_what_claims_to_be_exact(raw: int | float | str, exact: bool) -> None:
    assert claims_exactness(raw) is exact


def test_long_values_are_shortened() -> None:
    assert len(abbreviated("7" * 10_000)) < 100
    assert abbreviated(0.5) == "0.5"
