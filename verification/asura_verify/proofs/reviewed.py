"""The one hash that a reviewer writes by hand, after reading the difference in the specification.

No command writes it. `python -m asura_verify.proofs pin` prints what it would have to be, so that
a statement, its record and its pin cannot change together unnoticed: this line changes as well, and
what remains to a reader is to look at `Spec.v` whenever it does.
"""

REVIEWED = "e340bd7aaeeea4c5eb7264c8a7bcc37f703f488f4450c9e027c42760eabd9759"
