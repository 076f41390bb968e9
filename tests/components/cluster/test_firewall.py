from dataclasses import replace

import pulumi
import pytest

from components import GpuCluster
from components.cluster import firewall
from components.cluster.firewall import Reach
from components.network.efa_group import EfaGroup, EfaGroupArgs
from components.network.file_system_group import FileSystemGroup, FileSystemGroupArgs
from tests.components import builds
from tests.harness import record

GROUP = "aws:ec2/securityGroup:SecurityGroup"
CLOSED = Reach(
    nodes="sg-nodes", control_plane="sg-plane", vpc_cidr="10.20.0.0/16", internet=False, s3_prefix_list_id="pl-s3"
)


def test_nothing_leaves_the_vpc_unless_it_is_asked_for() -> None:
    beyond = {
        key: rule.prefix_list or rule.cidr
        for key, rule in firewall.egress(CLOSED).items()
        if rule.peer is None and rule.cidr != CLOSED.vpc_cidr
    }

    assert beyond == {"nodes-to-s3-443": "pl-s3"}


def test_every_service_with_a_gateway_is_reached_by_its_prefix_list() -> None:
    reach = replace(CLOSED, gateway_prefix_list_ids={"s3": "pl-s3", "s3express": "pl-x"})

    rules = firewall.egress(reach)

    assert rules["nodes-to-s3express-443"].prefix_list == "pl-x"
    assert rules["nodes-to-s3-443"] == firewall.egress(CLOSED)["nodes-to-s3-443"]


def test_the_internet_is_https_only_and_covers_the_gateways() -> None:
    reach = replace(CLOSED, internet=True, gateway_prefix_list_ids={"s3express": "pl-x"})

    added = firewall.egress(reach).keys() - firewall.egress(replace(CLOSED, s3_prefix_list_id=None)).keys()

    assert added == {"nodes-to-anywhere-443"}
    assert firewall.egress(reach)["nodes-to-anywhere-443"].port == 443


def test_the_control_plane_is_let_to_the_nodes_ports_and_nowhere_else() -> None:
    of_plane = {key: rule for key, rule in firewall.egress(CLOSED).items() if rule.group == "sg-plane"}

    assert {(rule.peer, rule.protocol, rule.port) for rule in of_plane.values()} == {
        ("sg-nodes", "tcp", port) for port in (443, 8443, 9443, 10250)
    }
    assert set(of_plane) == {f"cluster-to-nodes-{port}" for port in (443, 8443, 9443, 10250)}
    assert {
        key: (rule.peer, rule.port) for key, rule in firewall.ingress(CLOSED).items() if rule.group == "sg-plane"
    } == {"cluster-from-nodes-443": ("sg-nodes", 443)}


@pytest.mark.parametrize("reach", [CLOSED, replace(CLOSED, internet=True)], ids=["closed", "internet"])
def test_every_rule_says_what_it_is_for_and_names_one_peer(reach: Reach) -> None:
    for rule in [*firewall.ingress(reach).values(), *firewall.egress(reach).values()]:
        assert rule.description
        assert sum(peer is not None for peer in (rule.peer, rule.cidr, rule.prefix_list)) == 1


def test_the_control_planes_group_has_a_frozen_description_and_no_cluster_tag() -> None:
    group = record(lambda: firewall.control_plane_group("cluster", "vpc-one", pulumi.ResourceOptions())).one(GROUP)

    assert (group.name, group.inputs) == (
        "cluster-control-plane",
        {
            "vpcId": "vpc-one",
            "description": "Control plane of the cluster",
            "tags": {"Name": "cluster-control-plane"},
        },
    )


def test_of_all_groups_that_a_node_can_carry_exactly_one_is_tagged_for_the_cluster() -> None:
    def build() -> None:
        nodes = GpuCluster("cluster", builds.cluster_args()).node_security_group_id
        efa = EfaGroup("efa", EfaGroupArgs(vpc_id="vpc-one"))
        FileSystemGroup(
            "fs",
            FileSystemGroupArgs(
                vpc_id="vpc-one",
                node_security_group_id=nodes,
                efa_security_group_id=efa.security_group_id,
            ),
        )

    groups = record(build).all(GROUP)

    assert {group.name for group in groups} >= {"cluster-nodes", "efa", "fs"}
    tagged = [g.name for g in groups if any(key.startswith("kubernetes.io/cluster/") for key in g.inputs["tags"])]
    assert tagged == ["cluster-nodes"]
