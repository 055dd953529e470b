"""One of the four arithmetics."""

from __future__ import annotations

from asura.arithmetic.ball import BallArithmetic
from asura.arithmetic.double import DoubleArithmetic
from asura.arithmetic.exact import ExactArithmetic
from asura.arithmetic.multiprecision import MultiprecisionArithmetic

AnyArithmetic = ExactArithmetic | BallArithmetic | MultiprecisionArithmetic | DoubleArithmetic
