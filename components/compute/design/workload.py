"""What a pod on the pool is given so that it uses the node rightly."""

import math

from gpufleet.facts import efa, interruptions

from .checkpoints import Writing
from .fabric import Fabric
from .ledger import Ledger
from .machines import Machines
from .node import POOL_LABEL, Node
from .pod import PodPreset
from .request import PoolRequest
from .scaling import Scaling

DO_NOT_DISRUPT = "karpenter.sh/do-not-disrupt"
_GRACE = {"interactive": 60, "training": 120, "inference": 60}
"""Seconds to end in, where nothing shorter ends the node."""
_MOST_SHM_GIB = 64


def decide(
    request: PoolRequest,
    machines: Machines,
    fabric: Fabric,
    node: Node,
    scaling: Scaling,
    per_gpu: int,
    writing: Writing | None,
    ledger: Ledger,
) -> PodPreset:
    """The preset for a whole node."""
    pages = _hugepages(request, fabric, node, scaling, ledger)
    memory = _memory_gib(machines, node)
    selector = {POOL_LABEL: request.name}
    if fabric.efa:
        selector["topology.kubernetes.io/zone"] = fabric.zones[0]
    preset = PodPreset(
        accelerator_resource=machines.resource,
        accelerators=machines.least_gpus * per_gpu,
        efa=fabric.efa_per_node,
        hugepages_mib=pages,
        cpu=_cpus(machines),
        memory_gib=memory,
        shm_gib=max(1, min(_MOST_SHM_GIB, (memory or 32) // 4)),
        env=_environment(machines, fabric),
        node_selector=selector,
        tolerations=node.taints,
        # A string: the API refuses a YAML boolean.
        annotations={} if request.use == "inference" else {DO_NOT_DISRUPT: "true"},
        grace_seconds=_grace(request, writing, ledger),
    )
    asked = ", ".join(f"{name} {amount}" for name, amount in sorted(preset.requests.items()))
    ledger.decide("pod of a whole node", asked, "what the smallest type has, less what the node itself needs")
    if preset.env:
        ledger.decide("environment", ", ".join(f"{k}={v}" for k, v in preset.env.items()), _why_environment(machines))
    if preset.annotations:
        ledger.decide(
            "pod annotations", f'{DO_NOT_DISRUPT}: "true"', "tidying up must not move it; it would begin anew"
        )
    return preset


def _hugepages(request: PoolRequest, fabric: Fabric, node: Node, scaling: Scaling, ledger: Ledger) -> int:
    if not fabric.efa or not node.hugepages_2mib:
        return 0
    if scaling.scaler == "karpenter":
        ledger.decide(
            "pod hugepages",
            "none",
            "Karpenter does not know that nodes will have any, and would bring none for a pod that asks",
        )
        return 0
    ledger.decide("pod hugepages", f"{efa.POD_HUGEPAGES_MIB} MiB", "for the buffers of EFA")
    return efa.POD_HUGEPAGES_MIB


def _cpus(machines: Machines) -> int | None:
    """Nine tenths of the smallest type's, and one at least left to the node's agents."""
    known = [type_.vcpus for type_ in machines.types if type_.vcpus is not None]
    return max(1, min(min(known) * 9 // 10, min(known) - 1)) if len(known) == len(machines.types) else None


def _memory_gib(machines: Machines, node: Node) -> int | None:
    """What the smallest type has, less its hugepages, an eighth for kubelet and agents, and 1 GiB."""
    known = [type_.memory_mib for type_ in machines.types if type_.memory_mib is not None]
    if len(known) < len(machines.types):
        return None
    return max(1, math.floor((min(known) * 7 / 8 - node.hugepages_2mib * 2) / 1024) - 1)


def _environment(machines: Machines, fabric: Fabric) -> dict[str, str]:
    if not fabric.efa or machines.accelerator != "nvidia":
        return {}
    return {
        variable.name: variable.value
        for variable in efa.variables()
        if variable.value is not None and (not variable.families or set(machines.families) <= set(variable.families))
    }


def _why_environment(machines: Machines) -> str:
    left = ", ".join(variable.name for variable in efa.left_alone())
    return f"what NCCL over EFA needs beyond its defaults on {', '.join(machines.families)}; left alone: {left}"


def _grace(request: PoolRequest, writing: Writing | None, ledger: Ledger) -> int:
    margin = interruptions.SPOT_MARGIN_SECONDS
    needs = math.ceil(writing.seconds) + margin if writing is not None else 0
    if request.purchase == "spot":
        grace = min(interruptions.SPOT_NOTICE_SECONDS, max(needs, 3 * margin))
        why = f"a checkpoint and {margin} s" if writing is not None else "three times Kubernetes' own 30 s"
        ledger.decide("grace", f"{grace} s", f"{why}, within the {interruptions.SPOT_NOTICE_SECONDS} s of notice")
        return grace
    grace = max(needs, _GRACE[request.use])
    why = "a checkpoint and a margin" if needs == grace else f"for {request.use} to end by itself"
    ledger.decide("grace", f"{grace} s", why)
    return grace
