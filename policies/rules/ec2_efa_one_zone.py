"""EFA traffic and a cluster placement group end at the zone, so a pool that spans two has nodes that cannot talk."""

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._node_sets import NodeSet, node_sets
from ._reading import UNKNOWN, read, shown
from ._stack import Report, Stack, for_stack

_GROUP = "aws:ec2/placementGroup:PlacementGroup"


def _check(stack: Stack, report: Report) -> None:
    for nodes in node_sets(stack):
        why = "EFA" if nodes.efa_interfaces else "a placement group" if nodes.placement_group is not None else None
        if why and nodes.zones is not None and len(nodes.zones) > 1:
            report(
                f"has {why} and lies in {', '.join(sorted(nodes.zones))}; it must lie in one zone.", nodes.resource.urn
            )
        _check_strategy(stack, nodes, report)


def _check_strategy(stack: Stack, nodes: NodeSet, report: Report) -> None:
    if nodes.maker is None or not nodes.efa_interfaces or nodes.placement_group is None:
        return
    key = nodes.interfaces_key.split(".")[0] if "." in nodes.interfaces_key else "placement"
    by_name = [
        group
        for group in stack.of(_GROUP)
        if nodes.placement_group in (read(group.props, "name"), read(group.props, "id"))
    ]
    for group in by_name or stack.links(nodes.maker, key, nodes.placement_group, _GROUP).certain:
        strategy = read(group.props, "strategy")
        if strategy is not UNKNOWN and strategy != "cluster":
            report(f"strategy is {shown(strategy)} for nodes with EFA; it must be cluster.", group.urn)


RULE = StackValidationPolicy(
    name="ec2-efa-one-zone",
    description="EFA traffic and a cluster placement group both end at the zone, so a pool that spans two has nodes "
    "that cannot talk.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "gpu", "network"],
    remediation_steps="Give the pool the subnet of one zone (a NodePool also by topology.kubernetes.io/zone), and a "
    "placement group of strategy cluster.",
    url="https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/placement-strategies.html",
    validate=for_stack(_check),
)
