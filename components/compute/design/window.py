"""When the nodes of a reservation come, and when they must be gone."""

import math
from datetime import timedelta

from gpufleet.facts import interruptions

from . import contract
from .checkpoints import Writing
from .ledger import Ledger
from .machines import Machines
from .purchasing import Purchase
from .request import PoolRequest
from .shapes import Drain


def decide(
    request: PoolRequest, machines: Machines, purchase: Purchase, scaler: str, writing: Writing | None, ledger: Ledger
) -> Drain | None:
    """The drain schedule, or None for a pool without a window."""
    found = purchase.reservation
    if found is None or (found.starts is None and found.ends is None):
        ledger.decide("drain", "none", "the capacity has no end that is known")
        _warn_of_untold(request, ledger)
        return None
    writes = math.ceil(writing.seconds / 60) if writing is not None else 0
    if request.purchase == "capacity-block":
        taken = max(interruptions.block_notice_minutes(family) for family in machines.families)
        why = f"EC2 begins to end instances {taken} minutes before"
    else:
        taken = 0
        why = "instances outlive a reservation and would be billed on"
    minutes = taken + interruptions.DRAIN_MINUTES + writes
    why += f"; {interruptions.DRAIN_MINUTES} minutes for pods to end"
    if writes:
        why += f"; {writes} to write a checkpoint"
    if found.starts is None or found.ends is None:
        _warn_of_untold(request, ledger)
    by = "schedule" if scaler == "node-group" else "karpenter"
    comes = None if contract.has_begun(request, found) or by == "karpenter" else found.starts
    goes = found.ends - timedelta(minutes=minutes) if found.ends is not None else None
    ledger.decide(
        "drain",
        f"{minutes} minutes before the end, at {goes.isoformat()}" if goes else "none",
        why if goes else "no end is known",
    )
    if by == "karpenter" and request.purchase == "capacity-block":
        ledger.warn(
            f"Karpenter drains a block's nodes {interruptions.DRAIN_MINUTES} minutes before EC2 ends them, whatever "
            "a checkpoint takes"
        )
    if by == "karpenter" and goes is not None and request.purchase == "reservation":
        ledger.warn("Karpenter ends no nodes when an on-demand reservation ends: they run on and are billed on")
    return Drain(at_start=comes, at_end=goes, minutes_before_end=minutes, by=by, why=why)


def _warn_of_untold(request: PoolRequest, ledger: Ledger) -> None:
    if request.purchase == "capacity-block":
        ledger.warn(
            "reservation.starts and reservation.ends are not both given: the group's size at the block's beginning and "
            "before its end is then yours to set; EC2 shows both times (aws ec2 describe-capacity-reservations)"
        )
