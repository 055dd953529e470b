"""Families of instances: how to draw one quickly, how many, and what deciding one is worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from asura_verify.deciding.strength import Strength
from asura_verify.instances import coreset, field, kept, paid
from asura_verify.instances import design as design_instances
from asura_verify.instances import draw as generators
from asura_verify.instances import tree as tree_instances
from asura_verify.instances.draw import Draw


@dataclass(frozen=True)
class Family:
    """Instances of one kind; `count` of them make a default campaign, `chunk` one task."""

    name: str
    draw: Callable[[Draw], Any]
    strength: Strength
    count: int
    chunk: int

    def instance(self, seed: int, index: int) -> Any:
        """One instance, the same every time."""
        return self.draw(generators.random_draw(self.name, seed, index))


STEPS = Family("steps", generators.step_instance, Strength.EXACT, 2000, 100)
POINTS = Family("points", generators.points_instance, Strength.EXACT, 2000, 500)
RIDGES = Family("ridges", generators.ridge_instance, Strength.EXACT, 1000, 250)
KERNELS = Family("kernels", generators.kernel_instance, Strength.EXACT, 1000, 250)
RUNS = Family("runs", generators.run_instance, Strength.CERTIFIED, 800, 50)
SURE_RUNS = Family("sure-runs", generators.sure_instance, Strength.CERTIFIED, 400, 50)

TREES = Family("trees", tree_instances.tree_instance, Strength.CERTIFIED, 200, 10)
SURE_TREES = Family("sure-trees", tree_instances.sure_tree_instance, Strength.CERTIFIED, 60, 5)
PACKINGS = Family("packings", design_instances.packing_instance, Strength.EXACT, 200, 50)
DESIGNS = Family("designs", design_instances.design_instance, Strength.EXACT, 100, 25)
LEARNERS = Family("learners", design_instances.learner_instance, Strength.EXACT, 200, 50)

#: Beyond the paper: tight rates, X_2 kept, coins, independent draws.
TIGHT_STEPS = Family("tight-steps", generators.tight_step_instance, Strength.EXACT, 600, 100)
TIGHT_TREES = Family("tight-trees", tree_instances.tight_tree_instance, Strength.CERTIFIED, 40, 5)
TWO_SIDED_STEPS = Family("two-sided-steps", kept.two_sided_step, Strength.EXACT, 800, 100)
ONE_SIDED_STEPS = Family("one-sided-steps", kept.one_sided_step, Strength.EXACT, 800, 100)
TWO_SIDED_TREES = Family("two-sided-trees", kept.two_sided_tree, Strength.CERTIFIED, 100, 20)
PAPER_RULE_TREES = Family("paper-rule-trees", kept.paper_rule_tree, Strength.CERTIFIED, 100, 20)
ONE_SIDED_TREES = Family("one-sided-trees", kept.one_sided_tree, Strength.CERTIFIED, 100, 20)
COINS = Family("coins", paid.coin_instance, Strength.EXACT, 400, 100)
DRAWS = Family("draws", paid.draws_instance, Strength.EXACT, 300, 50)
VOLUMES = Family("volumes", field.volume_instance, Strength.EXACT, 600, 50)
POOLS = Family("pools", field.pool_instance, Strength.EXACT, 200, 25)
PROCESSES = Family("processes", field.process_instance, Strength.EXACT, 400, 50)
BARRIERS = Family("barriers", field.barrier_instance, Strength.EXACT, 600, 100)
BLIND = Family("blind", field.blind_instance, Strength.EXACT, 100, 50)
CORESETS = Family("coresets", coreset.coreset_instance, Strength.EXACT, 60, 10)
CORESET_STEPS = Family("coreset-steps", coreset.coreset_step, Strength.EXACT, 400, 50)

FAMILIES = {family.name: family for family in (
    TREES, SURE_TREES, RUNS, SURE_RUNS, STEPS, POINTS, RIDGES, KERNELS, PACKINGS, DESIGNS,
    LEARNERS, TIGHT_STEPS, TIGHT_TREES, TWO_SIDED_STEPS, ONE_SIDED_STEPS, TWO_SIDED_TREES,
    PAPER_RULE_TREES, ONE_SIDED_TREES, COINS, DRAWS, VOLUMES, POOLS, PROCESSES, BARRIERS, BLIND,
    CORESETS, CORESET_STEPS,
)}  # fmt: skip
