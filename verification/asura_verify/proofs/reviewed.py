"""The one hash that a reviewer writes by hand, after reading the difference in the specification.

No command writes it. `python -m asura_verify.proofs pin` prints what it would have to be, so that
a statement, its record and its pin cannot change together unnoticed: this line changes as well, and
what remains to a reader is to look at `Spec.v` whenever it does.
"""

REVIEWED = "e7d72ea364aa1777988547e467bfc00e53e64eae1b4f4536d6a06c47b118980b"
