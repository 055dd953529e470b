"""From a table to a model: which labels to buy, in doubles, with rigorous checks.

- `plan`, `load_plan`, `save_plan`: which rows to label, for a budget or an accuracy;
- `Plan.fit`, `Model.predict`, `load_model`: from the labels to predictions;
- `asura.engine.certificate`: what is proved about a sample, from rows and weights alone;
- `asura.engine.gram`, `free_draws`, `choosing`: how it is done; `rounding`: why it is right.
"""

from asura.errors import missing_package

try:
    import scipy  # noqa: F401
except ImportError:
    raise missing_package("plans need SciPy", "plan", "scipy") from None

from asura.engine.certificate import SampleCertificate, certify
from asura.engine.model import Model, load_model
from asura.engine.plan import Plan, plan
from asura.engine.plan_files import load_plan, save_plan
from asura.engine.tables import Table, read_table

__all__ = [
    "Model",
    "Plan",
    "SampleCertificate",
    "Table",
    "certify",
    "load_model",
    "load_plan",
    "plan",
    "read_table",
    "save_plan",
]
