"""The formulas, grouped by what they give. Importing the package registers all of them."""

from kb.sizing.rules import (
    activations,
    adapters,
    batch,
    bills,
    circuits,
    cluster,
    communication,
    compute,
    memory,
    parameters,
    post_training,
    scaling,
    serving,
    step,
    storage,
)

__all__ = [
    "activations",
    "adapters",
    "batch",
    "bills",
    "circuits",
    "cluster",
    "communication",
    "compute",
    "memory",
    "parameters",
    "post_training",
    "scaling",
    "serving",
    "step",
    "storage",
]
