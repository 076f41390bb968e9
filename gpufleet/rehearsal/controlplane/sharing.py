"""Into how many parts the GPUs of a node go, by the labels that tell its device plugin so."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from gpufleet.facts import mig_profiles
from gpufleet.facts.instances import InstanceType

PLUGIN_CONFIG: Final = re.compile(r"time-slicing-([1-9]\d*)")
"""A configuration of NVIDIA's device plugin that is named after how many pods take turns on a GPU."""
PLUGIN_CONFIG_LABEL: Final = "nvidia.com/device-plugin.config"

MIG: Final = re.compile(r"all-(\d+g\.\d+gb)")
"""One of the MIG manager's own configurations: every GPU is cut into as many of one profile as it yields."""
MIG_LABEL: Final = "nvidia.com/mig.config"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharing:
    """How a node's GPUs are shared."""

    replicas: int = 1
    """Pods that take turns on a GPU or on a part of one."""
    profile: str | None = None
    """MIG's, `1g.10gb`."""
    parts: int = 1
    """Of that profile on each GPU."""

    @property
    def per_gpu(self) -> int:
        """How often the device plugin offers each GPU as `nvidia.com/gpu` (MIG strategy `single`)."""
        return self.replicas * self.parts


UNSHARED: Final = Sharing()


def of(labels: Mapping[str, str], type_: InstanceType) -> Sharing:
    """Read a node's labels.

    Labels that name another configuration, or a profile that no source knows for the GPU, share nothing: a rehearsal
    rather finds too little room than too much.
    """
    if type_.accelerator != "nvidia":
        return UNSHARED
    slices = PLUGIN_CONFIG.fullmatch(labels.get(PLUGIN_CONFIG_LABEL, ""))
    cut = MIG.fullmatch(labels.get(MIG_LABEL, ""))
    replicas = int(slices[1]) if slices else 1
    parts = mig_profiles.find(type_.gpu_model, type_.gpu_memory_mib).get(cut[1]) if cut else None
    if cut is None or parts is None:
        return Sharing(replicas=replicas)
    return Sharing(replicas=replicas, profile=cut[1], parts=parts)
