"""The one decision: each part in turn, the later ones knowing the earlier."""

import re

from gpufleet.facts import node_images

from . import checkpoints, fabric, images, machines, money, node, purchasing, scaling, sharing, window, workload
from .ledger import Ledger
from .refusal import Refused
from .request import IMAGE_FAMILIES, PURCHASES, REPAIRS, SCALERS, SHARINGS, UPDATES, USES, PoolRequest
from .shapes import Design

MOST_NODES = 1000
_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?")


def decide(request: PoolRequest) -> Design:
    """The design of a pool.

    The same request has the same design: there is no clock in it, no lookup, nothing of the machine.

    Raises:
        Refused: the combination is impossible, or would be dear for nothing; with the nearest one that is possible.
    """
    _readable(request)
    ledger = Ledger()
    types = machines.resolve(request, ledger)
    purchase = purchasing.decide(request, types, ledger)
    shares = sharing.decide(request, types, ledger)
    net = fabric.decide(request, types, purchase, ledger)
    image = images.decide(request, types, ledger)
    settings = node.decide(request, types, net, image, shares.labels, ledger)
    grows = scaling.decide(request, types, purchase, net.zones, shares.per_gpu, ledger)
    _sharing_by_karpenter(request, grows.scaler, ledger)
    writing = checkpoints.decide(request, types, ledger)
    drain = window.decide(request, types, purchase, grows.scaler, writing, ledger)
    quotas = money.decide_quotas(request, types, ledger)
    price = money.decide_price(request, types, purchase, ledger)
    pod = workload.decide(request, types, net, settings, grows, shares.per_gpu, writing, ledger)
    return Design(
        request=request,
        scaler=grows.scaler,
        capacity_type=purchase.capacity_type,
        karpenter_capacity_type=purchase.karpenter_capacity_type,
        market_type=purchase.market_type,
        tenancy=purchase.tenancy,
        reservation_id=purchase.reservation.id if purchase.reservation and purchase.makes_reservation is None else None,
        reservation_preference=purchase.reservation_preference,
        makes_reservation=purchase.makes_reservation,
        instance_types=types.names,
        architecture=types.architecture,
        accelerator=types.accelerator,
        accelerator_resource=types.resource,
        accelerators_per_node=types.least_gpus * shares.per_gpu,
        gpus_at_ceiling=types.most_gpus * request.max_nodes,
        type_in_template=purchase.type_in_template,
        efa=net.efa,
        interfaces=net.interfaces,
        efa_per_node=net.efa_per_node,
        efa_plugin=net.plugin,
        zones=net.zones,
        placement_group=net.placement_group,
        image=image,
        labels=settings.labels,
        taints=settings.taints,
        volume_gib=settings.volume_gib,
        local_storage=settings.local_storage,
        hugepages_2mib=settings.hugepages_2mib,
        hugepages_from=settings.hugepages_from,
        kubelet=settings.kubelet,
        desired_at_first=grows.desired_at_first,
        update_strategy=grows.update_strategy,
        max_unavailable=grows.max_unavailable,
        repair_overrides=grows.repair_overrides,
        disruption=grows.disruption,
        limits=grows.limits,
        quotas=quotas,
        price=price,
        drain=drain,
        pod=pod,
        decisions=ledger.decisions,
        warnings=ledger.warnings,
    )


def _readable(request: PoolRequest) -> None:
    """What is written is of a known kind, before anybody reasons about it."""
    families = (*IMAGE_FAMILIES, *node_images.gone())
    for path, field, value, allowed, offered in (
        ("purchase", "purchase", request.purchase, PURCHASES, PURCHASES),
        ("scaler", "scaler", request.scaler, SCALERS, SCALERS),
        ("use", "use", request.use, USES, USES),
        ("repair", "repair", request.repair, REPAIRS, REPAIRS),
        ("updates", "updates", request.updates, UPDATES, UPDATES),
        ("image.family", "", request.image.family, families, IMAGE_FAMILIES),
        ("sharing", "", request.sharing.kind, SHARINGS, SHARINGS),
    ):
        if value not in allowed:
            raise Refused(
                "unknown-value",
                "no such choice",
                path=path,
                value=value,
                allowed=", ".join(offered),
                nearest=f"{path}: {offered[0]}",
                change={field: offered[0]} if field else None,
            )
    if not _NAME.fullmatch(request.name):
        raise Refused(
            "pool-name",
            "it becomes a label and part of resources' names",
            path="name",
            value=request.name,
            allowed="1 to 40 lower-case letters, digits and dashes, such as train-h100",
            nearest="such a name",
        )
    if not re.fullmatch(r"1\.\d{2}", request.kubernetes_version):
        raise Refused(
            "kubernetes-version",
            "it is no minor version",
            path="kubernetes_version",
            value=request.kubernetes_version,
            allowed='a minor version, quoted: "1.35"',
            nearest='kubernetes: "1.35"',
            change={"kubernetes_version": "1.35"},
        )
    _bounds(request)


def _bounds(request: PoolRequest) -> None:
    if not 1 <= request.max_nodes <= MOST_NODES:
        raise Refused(
            "pool-ceiling",
            "a pool without a ceiling is never closed; to close one, remove it",
            path="nodes.max",
            value=request.max_nodes,
            allowed=f"1 to {MOST_NODES}",
            nearest="nodes: {max: 1}",
            change={"max_nodes": 1, "min_nodes": 0},
        )
    if not 0 <= request.min_nodes <= request.max_nodes:
        raise Refused(
            "pool-floor",
            "the floor lies below the ceiling",
            path="nodes.min",
            value=request.min_nodes,
            allowed=f"0 to {request.max_nodes}",
            nearest="nodes: {min: 0}",
            change={"min_nodes": 0},
        )


def _sharing_by_karpenter(request: PoolRequest, scaler: str, ledger: Ledger) -> None:
    if scaler == "karpenter" and request.sharing.kind != "none":
        ledger.warn(
            "Karpenter counts whole GPUs until a node is up: for pods that share them it brings more nodes than they "
            "need, and takes the empty ones away again"
        )
