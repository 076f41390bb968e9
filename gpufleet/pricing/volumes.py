"""Price rules for block storage: volumes of their own, and those that instances bring with them."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from gpufleet.facts import prices
from gpufleet.pricing import wire
from gpufleet.pricing.charge import Charge, Count, Gap, counted
from gpufleet.pricing.index import Context, Resource

NODE_GROUP_DISK_GIB: Final = 20
"""Root volume of a managed node group that names no size (EKS CreateNodegroup, `diskSize`, Linux)."""

_BY_SIZE_ALONE: Final = ("gp2", "gp3", "st1", "sc1")
_EC2_DEFAULT_TYPE: Final = "gp2"
"""Volume type EC2 takes where none is named (EC2 API, EbsBlockDevice `VolumeType`)."""
_GP3_FREE_IOPS: Final = 3000
_GP3_FREE_MIBPS: Final = 125
_ONE: Final = Count.always(Decimal(1))


def volume(resource: Resource, context: Context) -> Iterator[Charge | Gap]:
    """An EBS volume of its own."""
    inputs = resource.get("inputs")
    if wire.value(inputs, "size") is None:
        yield Gap("size is not set: the volume takes that of its snapshot")
        return
    yield from _volume("volume", inputs, "size", "type", _ONE, context.region)


def gp3(what: str, gib: Decimal, count: Count, region: str) -> Iterator[Charge | Gap]:
    """So many plain gp3 volumes of a size."""
    price = prices.service("ebs-gp3", region)
    if price is None:
        yield Gap("no price is known for gp3 volumes")
    else:
        yield counted(f"{what}, gp3", count.times(gib), price)


def of_mappings(template: object, count: Count, region: str) -> Iterator[Charge | Gap]:
    """The volumes of a launch template, once for each instance."""
    sized = 0
    for mapping in wire.items(template, "blockDeviceMappings"):
        device = wire.text(mapping, "deviceName", "device")
        if wire.value(mapping, "ebs.volumeSize") is not None:
            sized += 1
            ebs = wire.value(mapping, "ebs")
            yield from _volume(f"volume {device}", ebs, "volumeSize", "volumeType", count, region)
    if not sized:
        yield Gap("root volume: its size is the image's own and not in the plan")


def of_instance(inputs: object, template: object, region: str) -> Iterator[Charge | Gap]:
    """The volumes of one instance: its own root and further devices, else those of its launch template."""
    root = wire.value(inputs, "rootBlockDevice")
    if wire.value(root, "volumeSize") is not None:
        yield from _volume("root volume", root, "volumeSize", "volumeType", _ONE, region)
    elif template is not None:
        yield from of_mappings(template, _ONE, region)
    else:
        yield Gap("root volume: its size is the image's own and not in the plan")
    for device in wire.items(inputs, "ebsBlockDevices"):
        what = f"volume {wire.text(device, 'deviceName', 'device')}"
        yield from _volume(what, device, "volumeSize", "volumeType", _ONE, region)


def _volume(
    what: str, inputs: object, size_path: str, type_path: str, count: Count, region: str
) -> Iterator[Charge | Gap]:
    try:
        gib = wire.number(inputs, size_path)
        kind = wire.text(inputs, type_path, _EC2_DEFAULT_TYPE)
        iops = wire.number(inputs, "iops", default=0)
        mibps = wire.number(inputs, "throughput", default=0)
    except wire.Unreadable as problem:
        yield Gap(f"{what}: {problem}")
        return
    if kind not in _BY_SIZE_ALONE:
        yield Gap(f"{what}: no price rule for volume type {kind!r}, only for {', '.join(_BY_SIZE_ALONE)}")
        return
    yield from _charge(f"{what}, {kind}", f"ebs-{kind}", gib, count, region)
    if kind == "gp3":
        yield from _charge(f"{what}, IOPS above {_GP3_FREE_IOPS}", "ebs-gp3-iops", iops - _GP3_FREE_IOPS, count, region)
        what = f"{what}, MiB/s above {_GP3_FREE_MIBPS}"
        yield from _charge(what, "ebs-gp3-throughput", mibps - _GP3_FREE_MIBPS, count, region)


def _charge(what: str, key: str, quantity: Decimal, count: Count, region: str) -> Iterator[Charge | Gap]:
    if quantity <= 0:
        return
    price = prices.service(key, region)
    if price is None:
        yield Gap(f"no price is known for {what}")
    else:
        yield counted(what, count.times(quantity), price)
