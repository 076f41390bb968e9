"""The contract between a pool and its reservation: type, zone, count, window."""

import re
from datetime import timedelta

from gpufleet.facts import interruptions

from .ledger import Ledger
from .machines import Machines
from .refusal import Refused
from .request import PoolRequest, Reservation

LIVE = "active"


def check_contract(request: PoolRequest, machines: Machines, ledger: Ledger) -> Reservation:
    """The reservation that the pool keeps to, which fits it.

    Raises:
        Refused: `reservation-missing`, `reservation-unknown`, `reservation-unusable`, `block-not-made`,
            `block-not-acknowledged`, `reservation-types`, `reservation-type-differs`, `window-without-zone`,
            `window-backwards`, `reservation-without-end`, `reservation-uncounted`,
            `future-reservation`, `reservation-too-small`, `floor-before-start`.
    """
    found = request.reservation
    if found is None:
        raise Refused(
            "reservation-missing",
            f"purchase: {request.purchase} says which capacity only together with a reservation",
            path="reservation",
            value=None,
            allowed="a mapping with id and zone",
            nearest="reservation: {id: cr-..., zone: ...}; or purchase: on-demand",
            change={"purchase": "on-demand"},
        )
    _source(request, found)
    _type(request, machines, found)
    _window(request, found)
    _making(machines, found, request)
    _count(request, found, ledger)
    _floor(request, found)
    return found


def has_begun(request: PoolRequest, reservation: Reservation) -> bool:
    """Whether nodes can come at once: it is active by its description, or an on-demand one without a start."""
    if reservation.state is not None:
        return reservation.state == LIVE
    return request.purchase == "reservation" and reservation.starts is None


def _source(request: PoolRequest, found: Reservation) -> None:
    if found.offering_id is not None and request.purchase == "capacity-block":
        _bought(found)
    elif found.create and request.purchase == "capacity-block":
        raise Refused(
            "block-not-made",
            "EC2 makes no capacity block to order; it sells what it offers",
            path="reservation.create",
            value=True,
            allowed="the offering to buy, or the id of a block that was bought",
            nearest="reservation: {buy: {offering: cb-..., ...}}; or reservation: {id: cr-...}",
        )
    elif not found.create and not re.fullmatch(r"cr-[0-9a-f]{8,17}", found.id or ""):
        raise Refused(
            "reservation-unknown",
            "the reservation is neither named nor made",
            path="reservation.id",
            value=found.id,
            allowed="cr- and 8 to 17 hexadecimal digits",
            nearest="the id as EC2 shows it: reservation: {id: cr-0123456789abcdef0}; or create: true",
        )
    dead = ("expired", "cancelled", "failed", "cancelling", "payment-failed", "unsupported", "unavailable")
    if found.state in dead:
        raise Refused(
            "reservation-unusable",
            f"the reservation {found.id} is {found.state} and will have no nodes",
            path="reservation.id",
            value=found.id,
            allowed="a reservation that is active or scheduled",
            nearest="the id of another one; or purchase: on-demand",
            change={"purchase": "on-demand", "reservation": None},
        )


def _bought(found: Reservation) -> None:
    if not found.acknowledged:
        raise Refused(
            "block-not-acknowledged",
            f"buying {found.offering_id} is paid at once, in full, and never refunded",
            path="reservation.buy",
            value=found.offering_id,
            allowed="an offering whose purchase a person has acknowledged",
            nearest="reservation: {buy: {..., acknowledge: ...}}; or the id of a block that was bought",
        )


def _type(request: PoolRequest, machines: Machines, found: Reservation) -> None:
    if len(machines.types) > 1:
        held = found.instance_type if found.instance_type in machines.names else machines.names[0]
        raise Refused(
            "reservation-types",
            "a reservation holds one instance type, and nodes of another would never find capacity",
            path="instance_types",
            value=list(machines.names),
            allowed="the one type that is reserved",
            nearest=f"instance_types: [{held}]",
            change={"instance_types": (held,)},
        )
    if found.instance_type is not None and found.instance_type != machines.names[0]:
        raise Refused(
            "reservation-type-differs",
            f"the reservation holds {found.instance_type}",
            path="instance_types",
            value=machines.names[0],
            allowed=found.instance_type,
            nearest=f"instance_types: [{found.instance_type}]",
            change={"instance_types": (found.instance_type,)},
        )


def _window(request: PoolRequest, found: Reservation) -> None:
    for name, moment in (("starts", found.starts), ("ends", found.ends)):
        if moment is not None and moment.tzinfo is None:
            raise Refused(
                "window-without-zone",
                "a time without its zone is another moment on every machine",
                path=f"reservation.{name}",
                value=moment.isoformat(),
                allowed="a time with its zone",
                nearest=f"{name}: {moment.isoformat()}Z",
            )
    shortest = timedelta(hours=2)
    if found.starts is not None and found.ends is not None and found.ends - found.starts < shortest:
        raise Refused(
            "window-backwards",
            f"the window from {found.starts.isoformat()} to {found.ends.isoformat()} leaves no time to start and drain",
            path="reservation.ends",
            value=found.ends.isoformat(),
            allowed="two hours or more after starts",
            nearest="the times as EC2 shows them",
        )


def _making(machines: Machines, found: Reservation, request: PoolRequest) -> None:
    if not found.create or request.purchase != "reservation":
        return
    if found.ends is None:
        raise Refused(
            "reservation-without-end",
            "what the stack reserves is billed, used or not, until somebody remembers it",
            path="reservation.ends",
            value=None,
            allowed="a time with its zone",
            nearest="reservation: {create: true, ends: 2027-01-31T11:30:00Z}",
        )
    if found.count is None:
        raise Refused(
            "reservation-uncounted",
            "the stack cannot reserve an unknown number of instances",
            path="reservation.count",
            value=None,
            allowed="1 to 1000",
            nearest=f"reservation: {{count: {request.max_nodes}}}",
        )
    if found.starts is not None:
        type_ = machines.types[0]
        letters = re.match(r"[a-z]+", type_.family)
        offered = letters is not None and letters[0] in interruptions.FUTURE_DATED_FAMILIES
        why = (
            "the AWS provider cannot ask EC2 for a reservation that starts later"
            if offered
            else f"EC2 reserves {type_.family} for a later day in capacity blocks only"
        )
        raise Refused(
            "future-reservation",
            why,
            path="reservation.starts",
            value=found.starts.isoformat(),
            allowed="none where create is true",
            nearest="reserve it in EC2 and name it: reservation: {id: cr-...}"
            if offered
            else "purchase: capacity-block",
        )


def _count(request: PoolRequest, found: Reservation, ledger: Ledger) -> None:
    if found.count is None:
        ledger.warn("how many instances are reserved is not stated: nodes beyond that number will never come")
    elif found.count < request.max_nodes:
        raise Refused(
            "reservation-too-small",
            f"{found.count} instances are reserved, and the other {request.max_nodes - found.count} would never come",
            path="nodes.max",
            value=request.max_nodes,
            allowed=f"1 to {found.count}",
            nearest=f"nodes: {{max: {found.count}}}",
            change={"max_nodes": found.count, "min_nodes": min(request.min_nodes, found.count)},
        )
    elif found.count > request.max_nodes:
        spare = found.count - request.max_nodes
        ledger.warn(f"{spare} of the {found.count} reserved instances are paid for and out of the pool's reach")


def _floor(request: PoolRequest, found: Reservation) -> None:
    if request.min_nodes > 0 and not has_begun(request, found):
        raise Refused(
            "floor-before-start",
            "before the reservation begins no node can come, so that a group with a floor fails to be made",
            path="nodes.min",
            value=request.min_nodes,
            allowed="0; the group grows to its ceiling when the reservation begins",
            nearest="nodes: {min: 0}",
            change={"min_nodes": 0},
        )
