"""What brings and takes the nodes: a managed node group or Karpenter, its bounds, its tidying up, its repairs."""

from collections.abc import Mapping
from dataclasses import dataclass

from gpufleet.facts import node_agent, node_repair

from . import contract, fabric
from .ledger import Ledger
from .machines import Machines
from .purchasing import Purchase
from .refusal import Refused
from .request import PoolRequest
from .shapes import Budget, Disruption, RepairOverride

DEFAULT_JOB_HOURS = 24.0
"""What a job is taken to run at most where nobody says."""


@dataclass(frozen=True, kw_only=True)
class Scaling:
    """How the pool grows, shrinks and mends itself."""

    scaler: str
    desired_at_first: int
    update_strategy: str
    max_unavailable: int
    repair_overrides: tuple[RepairOverride, ...]
    disruption: Disruption
    limits: Mapping[str, int]


def decide(
    request: PoolRequest, machines: Machines, purchase: Purchase, zones: tuple[str, ...], per_gpu: int, ledger: Ledger
) -> Scaling:
    """The scaler and what goes with it.

    Raises:
        Refused: `karpenter-fractional`, `karpenter-floor`, `local-zone`.
    """
    scaler = _scaler(request, purchase, zones, machines.fractional, ledger)
    desired = _desired(request, purchase, scaler, ledger)
    strategy = "MINIMAL" if request.updates == "minimal" else "DEFAULT"
    ledger.decide("update", f"{strategy}, one node at a time", _why_update(request, purchase))
    return Scaling(
        scaler=scaler,
        desired_at_first=desired,
        update_strategy=strategy,
        max_unavailable=1,
        repair_overrides=_repairs(request, machines, ledger),
        disruption=_disruption(request, ledger),
        limits=_limits(request, machines, per_gpu),
    )


def _why_update(request: PoolRequest, purchase: Purchase) -> str:
    if request.updates == "minimal":
        return "the settings say so: a node ends, with what runs on it, before its successor starts"
    if purchase.is_reserved:
        return (
            "nothing that runs is ended before its successor is up; where the whole reservation is in use an update "
            "waits in vain: bring the pool to 0 nodes first, or set updates: minimal"
        )
    return "the successor comes before the predecessor goes"


def _scaler(
    request: PoolRequest, purchase: Purchase, zones: tuple[str, ...], fractional: tuple[str, ...], ledger: Ledger
) -> str:
    local = [zone for zone in zones if fabric.is_local_zone(zone)]
    if request.scaler == "karpenter":
        if fractional:
            raise Refused(
                "karpenter-fractional",
                f"{', '.join(fractional)} have a fraction of a GPU, and Karpenter takes that for none, so that no pod "
                "ever gets one (https://github.com/aws/karpenter-provider-aws/issues/8368)",
                path="scaler",
                value="karpenter",
                allowed="node-group for such types",
                nearest="scaler: node-group; or types with whole GPUs, such as g6.xlarge",
                change={"scaler": "node-group"},
            )
        if request.min_nodes > 0:
            raise Refused(
                "karpenter-floor",
                "Karpenter brings nodes for pods that wait, and keeps none without",
                path="nodes.min",
                value=request.min_nodes,
                allowed="0 with Karpenter",
                nearest="scaler: node-group",
                change={"scaler": "node-group"},
            )
        ledger.decide("scaler", "karpenter", "the settings say so")
        return "karpenter"
    why = (
        "the settings say so"
        if request.scaler == "node-group"
        else "reserved capacity is there as a whole, from its beginning to its end"
        if purchase.is_reserved
        else f"its floor is {request.min_nodes}, and Karpenter keeps none"
        if request.min_nodes > 0
        else f"Karpenter takes the fraction of a GPU that {', '.join(fractional)} have for none"
        if fractional
        else "the closed network has no copy of Karpenter's image: put public.ecr.aws into image_cache.registries"
        if not request.reaches_karpenter
        else None
    )
    if local and request.scaler == "auto" and request.min_nodes == 0:
        why, elsewhere = None, f"EKS has no managed node groups in Local Zones, and {', '.join(local)} is one"
    else:
        elsewhere = "nodes come with the pods that need them and go with the last"
    if why is None:
        ledger.decide("scaler", "karpenter", elsewhere)
        return "karpenter"
    if local:
        raise Refused(
            "local-zone",
            f"EKS has no managed node groups in Local Zones, and {', '.join(local)} is one",
            path="scaler",
            value=request.scaler,
            allowed="karpenter, without a floor",
            nearest="scaler: karpenter",
            change={"scaler": "karpenter", "min_nodes": 0},
        )
    ledger.decide("scaler", "node-group", why)
    if request.min_nodes == 0 and not purchase.is_reserved:
        ledger.warn("a node group without a floor begins empty and stays so until somebody sets its desired size")
    return "node-group"


def _desired(request: PoolRequest, purchase: Purchase, scaler: str, ledger: Ledger) -> int:
    if scaler == "karpenter":
        ledger.decide("size at first", "0 nodes", "the first pod brings the first")
        return 0
    if purchase.reservation is None:
        ledger.decide("size at first", f"{request.min_nodes} nodes", "its floor; later deploys leave the size alone")
        return request.min_nodes
    if contract.has_begun(request, purchase.reservation):
        ledger.decide("size at first", f"{request.max_nodes} nodes", "they are paid for, used or not")
        return request.max_nodes
    ledger.decide("size at first", "0 nodes", "before the reservation begins no instance can start")
    return 0


def _repairs(request: PoolRequest, machines: Machines, ledger: Ledger) -> tuple[RepairOverride, ...]:
    if machines.accelerator != "nvidia":
        ledger.decide("node repair", "as EKS does it", "nothing is known that it does too much")
        return ()
    ours = [override for override in node_repair.overrides() if request.use in override.uses]
    chosen = ours if request.repair == "lenient" else []
    harmless = (
        f"XID {' and '.join(str(override.xid) for override in ours)} cause no repair: the agent, pinned to "
        f"{node_agent.VERSION}, reports them as events only since {node_repair.events_since()}"
    )
    if ours and not chosen:
        ledger.decide(
            "node repair", "as EKS does it", f"{harmless}; repair: lenient rules them out for older agents too"
        )
        return ()
    ledger.decide(
        "node repair",
        ", ".join(f"{override.reason} {override.action}" for override in chosen) or "as EKS does it",
        f"{'; '.join(override.why for override in chosen)}: a reboot would end everybody else's work on the node. "
        f"{harmless}; the overrides are for older agents"
        if chosen
        else "a server that faults is better started anew",
    )
    return tuple(
        RepairOverride(
            condition=override.condition,
            reason=override.reason,
            action=override.action,
            min_wait_minutes=override.wait_minutes,
            why=override.why,
        )
        for override in chosen
    )


def _disruption(request: PoolRequest, ledger: Ledger) -> Disruption:
    hours = f"{max(1, round(request.longest_job_hours or DEFAULT_JOB_HOURS))}h"
    if request.use == "inference":
        ledger.decide("disruption", "one node at a time, also when underused", "a server moves without losing work")
        return Disruption(
            consolidation_policy="WhenEmptyOrUnderutilized",
            consolidate_after="5m",
            budgets=(Budget(nodes="1"),),
            expire_after="336h",
            termination_grace_period="1h",
        )
    ledger.decide(
        "disruption",
        "empty nodes only",
        "a job that is moved begins anew; a node that is empty goes, and its successor boots the newer image",
    )
    return Disruption(
        consolidation_policy="WhenEmpty",
        consolidate_after="10m" if request.use == "training" else "30m",
        budgets=(Budget(nodes="0", reasons=("Drifted", "Underutilized")), Budget(nodes="100%", reasons=("Empty",))),
        expire_after="Never" if request.use == "training" else "720h",
        termination_grace_period=hours,
    )


def _limits(request: PoolRequest, machines: Machines, per_gpu: int) -> Mapping[str, int]:
    return {"nodes": request.max_nodes, machines.resource: request.max_nodes * machines.most_gpus * per_gpu}
