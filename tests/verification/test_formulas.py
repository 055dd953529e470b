"""k, c, theta, rho and rbar stand in one place; the verification uses it without believing it."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

import asura.formulas
from asura_verify import claims, formulas
from asura_verify.auditing.tasks import judge

#: Other implementations, the judge's own relations and the solvers' statements are independent.
INDEPENDENT = {"implementations", "obligations", "oracle"}
WRITTEN = re.compile(
    r"1 - 4 \* [\w.]*(g|gamma)( \*|\*\*)|2 \+ [\w.]*gamma \+ 8 \*|1 - 5 \* [\w.]*gamma"
)


def _places(*folders: Path) -> set[str]:
    return {
        path.name
        for folder in folders
        for path in folder.rglob("*.py")
        if not INDEPENDENT & set(path.parts) and WRITTEN.search(path.read_text("utf-8"))
    }


def test_they_are_written_once(tmp_path: Path) -> None:
    sources = (Path(asura.formulas.__file__).parent, Path(formulas.__file__).parent)
    assert _places(*sources) == {"formulas.py"}
    again = ("k = 1 - 4 * gamma**2", "1 - 4 * self.gamma * self.gamma", "2 + gamma + 8 * gamma**2")
    for number, text in enumerate(again):
        (tmp_path / f"{number}.py").write_text(text, "utf-8")
    assert _places(tmp_path) == {"0.py", "1.py", "2.py"}


def test_the_claims_notice_a_wrong_k(monkeypatch: pytest.MonkeyPatch) -> None:
    def verdicts() -> list[bool]:
        checks = claims.find("sum-alpha").statement("identity").checks
        return [judge(check, check.family.instance(0, 0)).verdict.holds for check in checks]

    assert verdicts() == [True, True]
    for module in (asura.formulas, formulas):
        monkeypatch.setattr(module, "curvature", lambda gamma: 1 - gamma * gamma)
    assert formulas.pace(Fraction(1, 2), 1) == Fraction(1, 3)
    assert verdicts() == [False, False]
