"""Four arithmetics behind one interface: exact, ball, multiprecision, double."""

from __future__ import annotations

from asura.arithmetic.ball import BallArithmetic
from asura.arithmetic.double import DoubleArithmetic
from asura.arithmetic.exact import EXACT, ExactArithmetic
from asura.arithmetic.interface import Arithmetic, Form, Frame, Masses, Scalar
from asura.arithmetic.multiprecision import MultiprecisionArithmetic

AnyArithmetic = ExactArithmetic | BallArithmetic | MultiprecisionArithmetic | DoubleArithmetic

__all__ = [
    "EXACT",
    "AnyArithmetic",
    "Arithmetic",
    "BallArithmetic",
    "DoubleArithmetic",
    "ExactArithmetic",
    "Form",
    "Frame",
    "Masses",
    "MultiprecisionArithmetic",
    "Scalar",
]
