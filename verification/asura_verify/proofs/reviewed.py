"""The one hash that a reviewer writes by hand, after reading the difference in the specification.

No command writes it. `python -m asura_verify.proofs pin` prints what it would have to be, so that
a statement, its record and its pin cannot change together unnoticed: this line changes as well, and
what remains to a reader is to look at `Spec.v` whenever it does.
"""

REVIEWED = "0dfb3a8ba6772a2788b5afb17d9a9e814470a9d9b7cba6b183162ae47fcdf4fe"
