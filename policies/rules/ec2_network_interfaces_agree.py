"""EC2 refuses interfaces that contradict each other only when the first node starts."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._karpenter import NODE_CLASS
from ._reading import UNKNOWN, elements, number, read, shown

_TOP = ("vpcSecurityGroupIds", "securityGroupNames")


def _check_template(args: ResourceValidationArgs, report: Report) -> None:
    interfaces = elements(read(args.props, "networkInterfaces"))
    for key in _TOP:
        if interfaces and elements(read(args.props, key)):
            report(f"{key} beside networkInterfaces; security groups must stand in each interface.")
    for index, interface in enumerate(interfaces):
        if read(interface, "interfaceType") in ("efa", "efa-only") and read(interface, "securityGroups") == []:
            report(f"networkInterfaces[{index}] has no securityGroups; every EFA interface must have them.")
    if len(interfaces) > 1 and any(read(one, "associatePublicIpAddress") in (True, "true") for one in interfaces):
        report("associatePublicIpAddress beside several interfaces; EC2 refuses it.")
    for fault in _faults(interfaces, "networkInterfaces"):
        report(fault)


def _check_class(args: ResourceValidationArgs, report: Report) -> None:
    for fault in _faults(elements(read(args.props, "spec", "networkInterfaces")), "spec.networkInterfaces"):
        report(fault)


def _faults(interfaces: list[Any], path: str) -> Iterator[str]:
    if not interfaces:
        return
    places = [tuple(_index(read(one, key)) for key in ("networkCardIndex", "deviceIndex")) for one in interfaces]
    for index, (_, device) in enumerate(places):
        if device is not UNKNOWN and device not in (0, 1):
            yield f"{path}[{index}].deviceIndex is {shown(device)}; on each network card it must be 0 or 1."
    for (card, device), times in Counter(place for place in places if UNKNOWN not in place).items():
        if times > 1:
            yield f"{path} has {times} at card {shown(card)}, device {shown(device)}; each place must have one."
    if any(UNKNOWN in place for place in places):
        return
    if (0, 0) not in places:
        yield f"{path} has none at card 0, device 0; every node must have its primary one there."
    elif read(interfaces[places.index((0, 0))], "interfaceType") == "efa-only":
        yield f"{path} is efa-only at card 0, device 0, so the node has no address; the primary one must be ordinary."


def _index(value: Any) -> Any:
    return 0.0 if value is None else value if value is UNKNOWN else number(value)


RULE = ResourceValidationPolicy(
    name="ec2-network-interfaces-agree",
    description="EC2 refuses interfaces that contradict each other only when the first node starts.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "gpu", "network"],
    remediation_steps="Make the interface at card 0, device 0 an ordinary one, put efa-only at device 1 of card 0 and "
    "device 0 of the other cards, and security groups into each interface.",
    url="https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/using-eni.html",
    validate=[for_type(_check_template, "aws:ec2/launchTemplate:LaunchTemplate"), for_type(_check_class, *NODE_CLASS)],
)
