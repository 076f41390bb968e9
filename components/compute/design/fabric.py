"""EFA as one object: interfaces, zone, placement, plugin; they are right together or not at all."""

import re
from dataclasses import dataclass

from gpufleet.facts import efa, instances
from gpufleet.facts.instances import InstanceType

from .ledger import Ledger
from .machines import Machines
from .purchasing import RESERVED, Purchase
from .refusal import Refused
from .request import PoolRequest
from .shapes import EfaPlugin, Interface


@dataclass(frozen=True, kw_only=True)
class Fabric:
    """How the nodes hang on the network."""

    efa: bool
    interfaces: tuple[Interface, ...]
    plugin: EfaPlugin | None
    zones: tuple[str, ...]
    placement_group: bool

    @property
    def efa_per_node(self) -> int:
        """EFA interfaces that pods on one node share."""
        return sum(interface.kind == "efa-only" for interface in self.interfaces)


def decide(request: PoolRequest, machines: Machines, purchase: Purchase, ledger: Ledger) -> Fabric:
    """Zones, EFA, interfaces, placement group and plugin.

    Raises:
        Refused: `no-zones`, `zone-of-reservation`, `zone-not-told`, `efa-not-on-type`, `efa-types-differ`,
            `efa-shared-gpu`, `efa-one-zone`.
    """
    zones = _zones(request, purchase)
    on = _wanted(request, machines, ledger)
    if on and len(zones) > 1:
        raise Refused(
            "efa-one-zone",
            "EFA traffic does not cross zones, nor does a cluster placement group, and a zone that is chosen for you "
            "would move when AWS opens another",
            path="zones",
            value=list(zones),
            allowed="exactly one zone with EFA",
            nearest=f"zones: [{zones[0]}], or whichever offers the type; or efa: false",
            change={"zones": zones[:1], "zones_are_chosen": True},
        )
    ledger.decide("zones", ", ".join(zones), _why_zones(request, purchase, on, zones))
    interfaces = layout(machines.types[0]) if on else ()
    ledger.decide("network interfaces", _shown(interfaces), _why_interfaces(machines, interfaces))
    return Fabric(
        efa=on,
        interfaces=interfaces,
        plugin=_plugin(machines, ledger) if on else None,
        zones=zones,
        placement_group=_placement(request, purchase, on, ledger),
    )


def layout(type_: InstanceType) -> tuple[Interface, ...]:
    """The interfaces of a node with every EFA that its type takes.

    The primary one is an ordinary interface on card 0, never an EFA one alone. A card that carries EFA has one
    `efa-only` interface, beside the primary on card 0 where that card is among them; not every card is.
    https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-acc-inst-types.html
    """
    first = Interface(card=0, device=0, kind="interface")
    others = (
        Interface(card=card, device=1 if card == 0 else 0, kind="efa-only") for card in sorted(type_.efa_card_indices)
    )
    return (first, *others)


def is_local_zone(zone: str) -> bool:
    """Whether it is a Local Zone, us-east-1-dfw-2a, in which EKS has no managed node groups."""
    return re.fullmatch(r"[a-z]{2}(-[a-z]+)+-\d-[a-z]{3}-\d[a-z]", zone) is not None


def _zones(request: PoolRequest, purchase: Purchase) -> tuple[str, ...]:
    zones = tuple(sorted(set(request.zones)))
    if not zones:
        raise Refused(
            "no-zones",
            "nodes have to be somewhere",
            path="zones",
            value=[],
            allowed="zones of the network",
            nearest=f"zones: [{request.region}a]",
            change={"zones": (f"{request.region}a",)},
        )
    if purchase.reservation is None:
        return zones
    held = purchase.reservation.zone
    if held is None:
        if len(zones) == 1:
            return zones
        raise Refused(
            "zone-not-told",
            "a reservation lies in one zone, and nodes of any other would never find capacity",
            path="reservation.zone",
            value=None,
            allowed=f"one of {', '.join(zones)}",
            nearest=f"the zone as EC2 shows it: reservation: {{zone: {zones[0]}}}",
            change={"zones": zones[:1], "zones_are_chosen": True},
        )
    if held not in zones:
        raise Refused(
            "zone-of-reservation",
            f"the reservation lies in {held}, where the pool has no subnet",
            path="zones" if request.zones_are_chosen else "reservation.zone",
            value=list(zones) if request.zones_are_chosen else held,
            allowed=f"[{held}]" if request.zones_are_chosen else f"one of {', '.join(zones)}",
            nearest=f"zones: [{held}], which the network must have too",
            change={"zones": (held,), "zones_are_chosen": True},
        )
    return (held,)


def _wanted(request: PoolRequest, machines: Machines, ledger: Ledger) -> bool:
    without = [type_.name for type_ in machines.types if not type_.efa_card_indices]
    layouts = {type_.efa_card_indices for type_ in machines.types}
    shared = request.sharing.kind != "none"
    if request.efa is True:
        _refuse_efa(request, machines, without, len(layouts) > 1, shared)
        ledger.decide("EFA", "on", "the settings say so")
        return True
    if request.efa is False:
        ledger.decide("EFA", "off", "the settings say so")
        return False
    reserved = request.purchase in RESERVED
    idle = f"{request.use} on {request.purchase} nodes talks little between them"
    against = (
        (bool(without), f"{', '.join(without)} has none"),
        (len(layouts) > 1, "the types differ in their EFA cards"),
        (shared, "a GPU that pods share does not talk over EFA"),
        (request.max_nodes == 1, "the pool never has a second node to talk to"),
        (request.use != "training" and not reserved, idle),
    )
    no = next((reason for applies, reason in against if applies), None)
    if no is not None:
        ledger.decide("EFA", "off", no)
        return False
    why = "every type has it, and training" if request.use == "training" else "every type has it, and reserved capacity"
    ledger.decide("EFA", "on", f"{why} is what it is for")
    return True


def _refuse_efa(request: PoolRequest, machines: Machines, without: list[str], differ: bool, shared: bool) -> None:
    off = {"efa": False}
    if without:
        larger = _with_efa(without[0])
        raise Refused(
            "efa-not-on-type",
            f"{', '.join(without)} has no network card that carries EFA",
            path="efa",
            value=True,
            allowed="true where every type has EFA",
            nearest=f"efa: false{f'; or instance_types: [{larger}]' if larger else ''}",
            change=off,
        )
    if differ:
        alike = [t.name for t in machines.types if t.efa_card_indices == machines.types[0].efa_card_indices]
        shown = ", ".join(f"{type_.name} ({type_.efa_interfaces})" for type_ in machines.types)
        raise Refused(
            "efa-types-differ",
            f"{shown} have EFA on different cards, and the nodes of a pool have one layout",
            path="instance_types",
            value=list(machines.names),
            allowed="types with EFA on the same cards",
            nearest=f"instance_types: [{', '.join(alike)}]",
            change={"instance_types": tuple(alike)},
        )
    if shared:
        raise Refused(
            "efa-shared-gpu",
            "NCCL does not span the parts of a GPU, so that its interfaces would stay idle",
            path="efa",
            value=True,
            allowed="false where a GPU is shared",
            nearest="efa: false; or whole GPUs, without sharing",
            change=off,
        )


def _with_efa(name: str) -> str | None:
    family = instances.get(name).family
    return next((n for n in instances.names() if (t := instances.get(n)).family == family and t.efa_card_indices), None)


def _placement(request: PoolRequest, purchase: Purchase, on: bool, ledger: Ledger) -> bool:
    if not on:
        ledger.decide("placement group", "none", "without EFA nodes gain little from lying close, and lose capacity")
    elif purchase.is_reserved:
        ledger.decide(
            "placement group",
            "none",
            "where reserved instances lie is settled; a group made later would not find them all",
        )
    elif request.max_nodes == 1:
        ledger.decide("placement group", "none", "one node is close to itself")
    else:
        ledger.decide("placement group", "cluster", "short paths between EFA nodes; it lies in the pool's one zone")
        if request.purchase == "spot":
            ledger.warn("spot in a cluster placement group: one spot of one zone must have room for every node")
        return True
    return False


def _plugin(machines: Machines, ledger: Ledger) -> EfaPlugin:
    pinned, least = efa.plugin(), efa.least_plugin(machines.families)
    ledger.decide(
        "EFA device plugin",
        f"{pinned.chart} {pinned.chart_version} (plugin {pinned.app_version})",
        f"these types need {least} or newer, which counts their interfaces rightly"
        if least
        else "any counts them rightly",
    )
    return EfaPlugin(
        chart=pinned.chart,
        repository=pinned.repository,
        chart_version=pinned.chart_version,
        app_version=pinned.app_version,
        least_app_version=least or "v0.0.0",
    )


def _why_zones(request: PoolRequest, purchase: Purchase, on: bool, zones: tuple[str, ...]) -> str:
    if purchase.is_reserved:
        return "the reservation lies there"
    if on:
        return "EFA traffic stays in one zone"
    if request.zones_are_chosen:
        return "the settings say so"
    return "more zones find more capacity" if len(zones) > 1 else "the network has no other for it"


def _shown(interfaces: tuple[Interface, ...]) -> str:
    count = sum(interface.kind == "efa-only" for interface in interfaces)
    if not count:
        return "one, EC2's own"
    cards = [interface.card for interface in interfaces if interface.kind == "efa-only"]
    return f"(0,0) interface; {count} efa-only on cards {min(cards)} to {max(cards)}"


def _why_interfaces(machines: Machines, interfaces: tuple[Interface, ...]) -> str:
    if not interfaces:
        return "without EFA a second card brings nothing that pods could use"
    type_ = machines.types[0]
    bare = sorted(set(range(type_.network_cards)) - set(type_.efa_card_indices))
    without = f"; card {', '.join(map(str, bare))} cannot carry EFA" if bare else ""
    return f"one EFA interface for each card that carries it, without addresses of its own{without}"
