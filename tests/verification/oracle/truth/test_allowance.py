"""The allowance follows precision, conditioning and leverage; values are read as they are meant."""

import math
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq, fmpq_mat

from asura.dataset import dataset
from asura_verify.oracle.trace.values import abbreviated, claims_exactness
from asura_verify.oracle.truth.allowance import (
    Allowance,
    Conditioning,
    _dyadic,
    _spectral_norm,
    conditioning,
    digits_kept,
    floored,
    least_rank,
    rounding_of_rates,
)


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


def test_hopeless_data_are_called_so() -> None:
    worst = conditioning(dataset([[1, 1], [1, 1 + 2**-40], [1, "1/3"]]))
    singular = conditioning(dataset([[1, 1], [1, f"{10**20 + 1}/{10**20}"]]))
    assert not Allowance(53, worst).hopeless
    assert Allowance(53, singular).hopeless
    assert not Allowance(200, singular).hopeless
    assert math.isfinite(singular.equilibrated)


def test_the_formula_by_hand() -> None:
    """64 * 2^-p * max(1, chi) * (kappa + j), by numbers that are powers of two."""
    plain = Conditioning(4.0, 4.0, ())
    doubles = Allowance(53, plain)
    assert doubles.unit == 2.0**-47
    assert Allowance(1000, plain).unit == Allowance(2000, plain).unit == 64 * 2.0**-1000
    assert doubles.cost(1.0) == 16  # the normal equations
    assert doubles.cost(2.0**-10) == 128  # an orthogonal factorisation, and a low leverage
    assert doubles.at(48, 2.0, 1.0) == 2.0**-40
    assert doubles.at(48, 0.5, 1.0) == 2.0**-41


def test_every_point_depends_on_those_before_and_on_itself() -> None:
    leverages = 1.0, 0.25, 2.0**-20
    allowance = Allowance(53, Conditioning(1.0, 1.0, leverages))
    for reach in (1.0, 0.5, 2.0**-30, 0.5):
        for j, spread in ((0, 0.5), (7, 3.0)):
            expected = [allowance.at(j, spread, min(reach, x)) for x in leverages]
            assert allowance.everywhere(j, spread, reach) == expected
        assert list(allowance._costs) == [reach]  # found once, and no other is kept


def test_what_is_granted_while_it_keeps_enough_bits() -> None:
    """64 e kappa below a third of the bits, and not at equality; squares of plain columns more."""
    limit = 2.0**30  # 2^-17/2^-47
    for scaled, plain, cost in (
        (2.0**15, 1.0, 2.0**15),
        (2.0**15 - 1, 1.0, (2.0**15 - 1) ** 2),
        (1.0, limit, 1),  # singular values of columns as they are
        (1.0, limit - 1, limit - 1),
        (1.0, 2.0**10, 2.0**10),  # kappa^3 < 2^30
        (1.0, 2.0**10 - 1, (2.0**10 - 1) ** 2),
        (2.0**5, 2.0**11, 2.0**22),  # kappa^2 < 2^30/2^6
        (2.0**5, 2.0**12, 2.0**12),
        (4.0, 2.0, 16.0),
        (2.0**16, 2.0**15.2, 2.0**16),  # and no less where scaling costs
    ):
        granted = Allowance(53, Conditioning(scaled, plain, ()))
        assert granted.cost(1.0) == cost
        assert granted.widest_cost(1.0) == max(scaled, plain) ** 2
    light = Allowance(53, Conditioning(2.0, 2.0**10, ()))
    assert light.cost(2.0**-38) == 2.0**29  # 2^10/2^-19, below the limit
    assert light.cost(2.0**-40) == 2.0**21  # kappa_D/sqrt(leverage) alone
    assert light.widest_cost(2.0**-40) == 2.0**30
    assert Allowance(2000, Conditioning(2.0**300, 1.0, ())).cost(1.0) == 2.0**600


def test_the_widest_allowance() -> None:
    granted = Allowance(53, Conditioning(4.0, 8.0, (1.0,) * 64), 0.5)
    assert granted.widest(3, 2.0, 1.0) == 2.0**-47 * 2 * (2 * 64 + 3 + 0.5)
    assert granted.widest(3, 0.5, 1.0) == 2.0**-47 * (2 * 64 + 3 + 0.5)


def test_sums_over_many_points_are_granted() -> None:
    """n additions one after the other lose n units, of which 64 are granted anyway."""
    few, many = Conditioning(4.0, 4.0, ()), Conditioning(4.0, 4.0, (1.0,) * 192)
    assert Allowance(53, many).cost(1.0) == 4 * Allowance(53, few).cost(1.0) == 64


def test_a_gamma_of_many_bits_loses_digits_near_one_half() -> None:
    known = Conditioning(1.0, 1.0, ())
    gamma = Fraction(1, 2) - Fraction(1, 2**20)
    assert rounding_of_rates(gamma, 19) == 0.0
    assert rounding_of_rates(gamma, 18) == 2.0**15
    assert rounding_of_rates(Fraction(3, 7), 53) == 7 / 16
    granted = Allowance(53, known, 2.0**15)
    assert granted.at(3, 2.0, 1.0) == 2.0**-46 * (4 + 2.0**15)
    assert Allowance(53, Conditioning(1.0, 1.0, (1.0,)), 2.0**15).everywhere(3, 2.0, 1.0) == [
        2.0**-46 * (4 + 1 / 64 + 2.0**15)
    ]
    assert Allowance(26, known, 2.0**15).at(0, 1.0, 1.0) == 2.0**-20 * (1 + 2.0**15)
    assert Allowance(25, known, 2.0**15).at(0, 1.0, 1.0) == 2.0**-19  # these cannot carry it


def test_hopeless_from_one_sixteenth_on() -> None:
    known = Conditioning(1.0, 1.0, ())
    assert Allowance(10, known).hopeless
    assert not Allowance(11, known).hopeless
    assert Allowance(12, Conditioning(2.0, 2.0, ())).hopeless
    assert not Allowance(13, Conditioning(2.0, 2.0, ())).hopeless


def test_small_and_large_columns_are_scaled_alike() -> None:
    rows = [[1, 0], [0, 1], [1, 1]]
    usual = conditioning(dataset(rows)).equilibrated
    assert usual == pytest.approx(math.sqrt(3))  # eigenvalues 1 and 3 of X^T X, scaled alike
    for power in (-60, -1, 1, 60):
        scaled = [[x, y * Fraction(2) ** power] for x, y in rows]
        known = conditioning(dataset(scaled))
        assert known.equilibrated == pytest.approx(usual)
        assert known.plain >= 2.0 ** (abs(power) - 1)


def test_negative_and_zero_entries_count() -> None:
    known = conditioning(dataset([[3, -4, 0], [4, 3, 0], [0, 0, 0]]))
    assert known.equilibrated == pytest.approx(1)
    assert known.plain == pytest.approx(1)


def test_rounding_keeps_the_leading_bits() -> None:
    for value in (fmpq(1, 3), fmpq(-1, 3), fmpq(10**30, 7), fmpq(-7, 10**30), fmpq(1)):
        error = value - _dyadic(value, 20)
        assert 0 <= error <= abs(value) * fmpq(1, 2**18)
    assert _dyadic(fmpq(0), 20) == 0
    assert _dyadic(fmpq(47, 3), 4) == 15


def test_norms_beyond_doubles_are_infinite() -> None:
    assert _spectral_norm(fmpq_mat([[fmpq(10**400), 0], [0, 1]])) == math.inf
    assert _spectral_norm(fmpq_mat([[fmpq(3), 0], [0, 4]])) == 4


def test_tiny_leverages_stay_positive() -> None:
    known = conditioning(dataset([[f"1/{10**160}"], [1]]))
    assert known.leverages == (1e-300, 1.0)


def test_factors_are_kept_to_64_bits() -> None:
    """So a condition of 1.500e20, which is more than they carry, is seen 1.7 % too large."""
    last = [f"{62257761248769736697}/{2**60}", f"{-46693320936577302525}/{2**59}", f"-3/{2**59}"]
    known = conditioning(dataset([[-6, 9, 0], [8, -1, 4], last]))
    assert known.equilibrated == pytest.approx(1.52526e20, rel=1e-5)


def test_no_leverage_is_above_one() -> None:
    """The Gram matrix is only nearly the identity."""
    assert conditioning(dataset([[1, 2], [3, 4]])).leverages[0] == 1.0


def test_a_dimension_costs_sixteen_roundings() -> None:
    """1 + (64 + 16 * 4)/64 = 3 times 4^2 for the normal equations."""
    granted = Allowance(53, Conditioning(4.0, 4.0, (1.0,) * 64, 4))
    assert granted.cost(1.0) == 48
    assert granted.defects(16, 2.0).near == 2.0**-40
    assert granted.defects(16, 0.5).near == 2.0**-41


@pytest.mark.parametrize(
    ("plain", "near", "widest"),
    [(2.0, 16, 16), (128.0, 128**2, 128**2), (2.0**20, 2**20, 2**40)],
)
def test_how_far_sum_and_trace_of_a_replayed_run_may_differ(
    plain: float, near: int, widest: int
) -> None:
    """1 + (64 + 16 * 4)/64 = 3 by itself, times what is kept and the widest, and an iteration."""
    found = Allowance(53, Conditioning(4.0, plain, (1.0,) * 64, 4)).defects(1, 1.0)
    assert tuple(x * 2.0**47 for x in found) == (3, 3 * near + 1, 3 * widest + 1)


def test_normal_equations_differ_while_they_keep_a_third_of_the_bits() -> None:
    """64 e kappa^2 < 2^-17, and not at equality."""
    for kappa, near in ((2.0**15, 2.0**15), (2.0**15 - 1, (2.0**15 - 1) ** 2)):
        found = Allowance(53, Conditioning(kappa, kappa, ())).defects(0, 1.0)
        assert found.near == near * 2.0**-47
        assert found.far == kappa**2 * 2.0**-47
    assert Allowance(2000, Conditioning(2.0**300, 1.0, ())).defects(0, 1.0).near == 2.0 ** (
        600 + 6 - 1000
    )


def test_hopeless_by_squares_and_many_points() -> None:
    """2^-47 * 2^36 is 2^-11, and 128 times that is a sixteenth."""
    known = Conditioning(2.0**18, 1.0, (1.0,) * (64 * 127))
    assert Allowance(53, known).hopeless
    assert not Allowance(54, known).hopeless
    steep = Conditioning(2.0**-30, 2.0**36, ())
    assert not Allowance(53, steep).hopeless  # units cost nothing that has to be paid


def test_a_mass_is_floored_from_ten_bits_on() -> None:
    assert floored(2.0**-10) == 2.0**-10 + 2.0**-20
    assert floored(2.0**-10 - 2.0**-40) == 2.0**-10 - 2.0**-40


@pytest.mark.parametrize(("eighths", "rank"), [(6, 1), (8, 1), (8.01, 2), (16, 2)])
def test_ranks_at_the_end_of_what_bits_can_tell(eighths: float, rank: int) -> None:
    """Four rows: the squares of singular values up to 64 * 4 * 2^-32 = 2^-24 may be lost."""
    rows: list[list[Any]] = [[4, 0], [0, eighths * 2.0**-13], [0, 0], [0, 0]]
    assert least_rank(dataset(rows), 32) == rank
    deep: list[list[Any]] = [
        [1, 0],
        [0, Fraction(eighths) / 8 * Fraction(1, 2**496)],
        [0, 0],
        [0, 0],
    ]
    assert least_rank(dataset(deep), 3000) == rank  # 1000 bits are as good as any
    assert least_rank(dataset(rows), 40) == 2


def test_scaled_columns_may_have_a_smaller_rank() -> None:
    """Relative singular values of 2.01e-5 and, with scaled columns, of about 1.6e-5.

    The square roots of what 40 and 41 bits lose are 1.71e-5 and 1.21e-5.
    """
    rows: list[list[Any]] = [
        [2.373566875648441, 0.10889163202864088, -2.4095257110099055],
        [-5.124413884020087, -0.19461482977858754, 5.2037039823329545],
        [-2.978949541938617, -0.14745377107951918, 3.024186030898021],
        [0, 0, 0],
        [0, 0, 0],
    ]
    assert least_rank(dataset(rows), 40) == 2
    assert least_rank(dataset(rows), 41) == 3


def test_ranks_of_columns_that_are_zero_small_or_beyond_doubles() -> None:
    assert least_rank(dataset([[1, 0], [2, 0]]), 53) == 1
    assert least_rank(dataset([[1, 0], [0, 1e-2]]), 24) == 2
    for size, scale in ((f"1/{10**400}", 1), (10**400, 1), (1e200, 1), (1e300, 10**300)):
        data = dataset([[size, 0], [0, size]], squared_scales=[scale, scale])
        assert least_rank(data, 53) == 2


@pytest.mark.parametrize(
    ("raw", "exact"),
    [("1/3", True), ("3/4", False), (0.1, False), ("0.1", False), (3, False), ("4/2", False)],
)
def test_what_claims_to_be_exact(raw: int | float | str, exact: bool) -> None:
    assert claims_exactness(raw) is exact


def test_long_values_are_shortened() -> None:
    assert len(abbreviated("7" * 10_000)) < 100
    assert abbreviated(0.5) == "0.5"
    assert abbreviated("7" * 60) == "7" * 60
    assert abbreviated("7" * 61) == "7" * 30 + "..." + "7" * 15


def test_rates_that_no_bits_carry_are_wrong_by_anything() -> None:
    """64 e rho below a sixteenth, at it and beyond: rho = 2^k at 53 bits."""
    known = Conditioning(1.0, 1.0, ())
    for rates, carried in ((2.0**42, True), (2.0**43, False), (2.0**44, False), (0.0, True)):
        found = Allowance(53, known, rates)
        assert (found.widest(0, 1.0, 1.0) < math.inf) is carried
        assert found.at(0, 1.0, 1.0) == found.unit * (1 + rates * carried)


def test_few_bits_keep_a_quarter_of_a_sixteenth() -> None:
    known = Conditioning(1.0, 4.0, ())
    assert digits_kept(8, known) == (2.0**-6, 2.0**-6, 2.0**-8)
    assert digits_kept(14, known) == (2.0**-6, 2.0**-7, 2.0**-8)
    assert digits_kept(3000, known) == (2.0**-333, 2.0**-500, 2.0**-335)


def test_a_defect_of_less_than_any_conditioning() -> None:
    """As no data have: kappa = 1/2, whose square is less."""
    found = Allowance(53, Conditioning(0.5, 0.5, ())).defects(0, 1.0)
    assert (found.near, found.far) == (2.0**-48, 2.0**-48)
