"""Four arithmetics behind one interface: exact, ball, multiprecision, double."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asura.lazily import lazily

if TYPE_CHECKING:
    from asura.arithmetic.any_arithmetic import AnyArithmetic
    from asura.arithmetic.ball import BallArithmetic
    from asura.arithmetic.double import DoubleArithmetic
    from asura.arithmetic.exact import EXACT, ExactArithmetic
    from asura.arithmetic.interface import Arithmetic, Form, Frame, Masses, Scalar
    from asura.arithmetic.multiprecision import MultiprecisionArithmetic

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

_PLACES = {
    "EXACT": "asura.arithmetic.exact",
    "AnyArithmetic": "asura.arithmetic.any_arithmetic",
    "Arithmetic": "asura.arithmetic.interface",
    "BallArithmetic": "asura.arithmetic.ball",
    "DoubleArithmetic": "asura.arithmetic.double",
    "ExactArithmetic": "asura.arithmetic.exact",
    "Form": "asura.arithmetic.interface",
    "Frame": "asura.arithmetic.interface",
    "Masses": "asura.arithmetic.interface",
    "MultiprecisionArithmetic": "asura.arithmetic.multiprecision",
    "Scalar": "asura.arithmetic.interface",
}
__getattr__, __dir__ = lazily(__name__, _PLACES)
