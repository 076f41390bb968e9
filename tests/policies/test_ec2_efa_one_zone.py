import pulumi_aws as aws

from policies.rules.ec2_efa_one_zone import RULE
from tests.policies.elastic import EFA, node_class, node_pool
from tests.policies.judging import later, messages
from tests.policies.pools import pool


def test_efa_over_two_zones_is_reported(preview: bool) -> None:
    def build() -> None:
        subnets = [
            aws.ec2.Subnet(zone, vpc_id="vpc-1", availability_zone=zone) for zone in ("us-east-1a", "us-east-1b")
        ]
        template = aws.ec2.LaunchTemplate("template", network_interfaces=[{"interface_type": "efa"}])
        pool(subnet_ids=[subnet.id for subnet in subnets], launch_template={"id": template.id, "version": "1"})

    assert messages(RULE, build, preview=preview) == [
        "gpu: has EFA and lies in us-east-1a, us-east-1b; it must lie in one zone.",
    ]


def test_a_placement_group_of_another_strategy_is_reported(preview: bool) -> None:
    def build() -> None:
        group = aws.ec2.PlacementGroup("spread", strategy="spread")
        node_class(networkInterfaces=EFA, placementGroupSelector={"name": group.name})
        node_pool()

    assert messages(RULE, build, preview=preview) == [
        "spread: strategy is spread for nodes with EFA; it must be cluster.",
    ]


def test_one_zone_and_many_zones_without_efa_are_quiet(preview: bool) -> None:
    def build() -> None:
        group = aws.ec2.PlacementGroup("near", strategy="cluster")
        node_class(networkInterfaces=EFA, placementGroupSelector={"name": group.name})
        node_pool()
        subnets = [
            aws.ec2.Subnet(zone, vpc_id="vpc-1", availability_zone=zone) for zone in ("us-east-1a", "us-east-1b")
        ]
        pool(subnet_ids=[subnet.id for subnet in subnets])

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_zone_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        subnets = [
            aws.ec2.Subnet(zone, vpc_id="vpc-1", availability_zone=later(zone, zone))
            for zone in ("us-east-1a", "us-east-1b")
        ]
        template = aws.ec2.LaunchTemplate("template", network_interfaces=[{"interface_type": "efa"}])
        pool(subnet_ids=[subnet.id for subnet in subnets], launch_template={"id": template.id, "version": "1"})

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "gpu: has EFA and lies in us-east-1a, us-east-1b; it must lie in one zone.",
    ]
