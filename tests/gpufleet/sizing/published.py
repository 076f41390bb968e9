"""Presets and tolerances for the tests."""

from gpufleet.facts import models
from gpufleet.sizing import configs
from gpufleet.sizing.model import Model

FORMULA = 0.01
"""A figure that follows from a formula is met within so much."""
ROUGH = 0.15
"""A figure of a blog or of a worked example, rounded and with conventions of its own, within so much."""


def preset(name: str) -> Model:
    found = models.find(name)
    assert found is not None
    return configs.model(found.config, name=found.name, source=found.source, parameters=found.parameters)


def of_size(parameters: float, *, layer: int = 0) -> Model:
    """A model of which nothing counts but its parameters, and those of its only layer."""
    return Model(
        name="size",
        source="test",
        layers=1,
        hidden=1,
        heads=1,
        kv_heads=1,
        head_dim=1,
        vocabulary=1,
        feed_forward=max(1, (layer - 4) // 2),
        gated=False,
        tied=True,
        other_parameters=int(parameters) - (4 + 2 * max(1, (layer - 4) // 2) + 1),
    )
