"""Values of the chart that makes Trainium and Inferentia visible. No resources here."""

from typing import Any

from gpufleet.facts import instances

from .images import Registries, repository_of
from .provision import EVERYWHERE, NEURON


def values(registries: Registries) -> dict[str, Any]:
    """The chart's values: the device plugin alone.

    Of the rest of the chart, problem detection is the node monitoring agent's (see `NodeHealth`), and the scheduler
    extension places pods on neighbouring chips where a node runs several. The types are all that the catalogue has:
    the chart chooses nodes by them, and knows fewer by itself.
    """
    return {
        "neuronInstances": [name for name in instances.names() if instances.get(name).accelerator == "neuron"],
        "devicePlugin": {
            "tolerations": EVERYWHERE,
            "image": {"repository": registries.repository(repository_of(NEURON, "/neuron-device-plugin"))},
        },
        "npd": {"enabled": False},
        "scheduler": {"enabled": False},
        "draDriver": {"enabled": False},
    }
