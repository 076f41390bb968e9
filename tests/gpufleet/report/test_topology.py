"""Where things are: zones, subnets by their way out, and what lies in them."""

from typing import Any

import pulumi_aws as aws

from gpufleet.report import topology
from gpufleet.report.estate import Estate
from gpufleet.report.places import Chip
from tests.gpufleet.report.world import estate_of, network, node_pool


def the_network():
    (region,) = topology.of(estate_of(network)).regions
    assert region.name == "eu-west-1"
    return region.networks[0]


def test_a_subnet_is_what_its_routes_make_it():
    found = {s.name: (s.access, s.way_out) for zone in the_network().zones for s in zone.subnets}
    assert found == {
        "public-a": ("public", "internet gateway"),
        "private-a": ("private", "out by NAT eu-west-1a"),
        "private-b": ("private", "out by NAT eu-west-1a"),
        "closed-a": ("isolated", "no way out"),
    }


def test_zones_hold_their_subnets_from_the_internet_inwards():
    assert [(zone.name, [s.name for s in zone.subnets]) for zone in the_network().zones] == [
        ("eu-west-1a", ["public-a", "private-a", "closed-a"]),
        ("eu-west-1b", ["private-b"]),
    ]


def test_a_pool_stands_in_each_of_its_subnets_and_says_that_it_is_one():
    muscle = Chip(look="gpu", title="muscle", detail="spot, 0-4 × g6.2xlarge")
    found = {s.name: s.chips for zone in the_network().zones for s in zone.subnets}
    assert found["private-a"] == (muscle,)
    assert found["private-b"] == (muscle,)
    assert found["public-a"] == (Chip(look="edge", title="NAT gateway", detail="public address of its own"),)


def test_a_control_plane_says_from_where_it_is_reached():
    assert the_network().chips == (Chip(look="cluster", title="EKS brain", detail="Kubernetes 1.35, API private"),)


def test_data_stands_beside_the_network():
    (region,) = topology.of(estate_of(network)).regions
    assert region.beside == (Chip(look="data", title="data", detail="S3 bucket"),)


def test_what_the_drawing_does_not_know_is_counted():
    def build():
        aws.sqs.Queue("q")
        aws.sqs.Queue("r")
        aws.iam.User("u")

    assert topology.of(estate_of(build)).not_drawn == (("Queue", 2), ("User", 1))


def test_a_program_without_a_network_has_no_region():
    assert topology.of(estate_of(lambda: aws.iam.User("u"))).regions == ()


def test_interface_endpoints_share_a_chip():
    def build():
        vpc = aws.ec2.Vpc("net", cidr_block="10.0.0.0/16")
        subnet = aws.ec2.Subnet("s", vpc_id=vpc.id, cidr_block="10.0.0.0/24", availability_zone="us-east-1a")
        for service in ("sts", "ecr.api"):
            aws.ec2.VpcEndpoint(
                service,
                vpc_id=vpc.id,
                subnet_ids=[subnet.id],
                service_name=f"com.amazonaws.us-east-1.{service}",
                vpc_endpoint_type="Interface",
            )

    (region,) = topology.of(estate_of(build)).regions
    (subnet,) = region.networks[0].zones[0].subnets
    assert subnet.chips == (Chip(look="edge", title="2 interface endpoints", detail="ecr.api, sts"),)


def test_a_node_group_in_a_reservation_says_so_before_its_types():
    def build():
        subnet = aws.ec2.Subnet(
            "s", vpc_id=aws.ec2.Vpc("net", cidr_block="10.0.0.0/16").id, availability_zone="us-east-1a"
        )
        template = aws.ec2.LaunchTemplate(
            "held",
            capacity_reservation_specification={
                "capacity_reservation_target": {"capacity_reservation_id": "cr-0123456789abcdef0"}
            },
        )
        aws.eks.NodeGroup(
            "held",
            cluster_name="brain",
            node_role_arn="arn:aws:iam::111122223333:role/muscle",
            subnet_ids=[subnet.id],
            instance_types=["p5en.48xlarge"],
            launch_template={"id": template.id, "version": "1"},
            scaling_config={"min_size": 1, "max_size": 2, "desired_size": 1},
        )

    (region,) = topology.of(estate_of(build)).regions
    (subnet,) = region.networks[0].zones[0].subnets
    assert subnet.chips == (Chip(look="gpu", title="held", detail="reserved, 1-2 × p5en.48xlarge"),)


def test_karpenters_pools_stand_where_their_zones_are():
    def build():
        for region in ("eu-west-1", "us-east-1"):
            aws.ec2.Vpc(region, cidr_block="10.0.0.0/16", region=region)

    pools = [node_pool(["us-east-1a"]), node_pool(["ap-south-1a"], "far")]
    estate = Estate([*estate_of(build).resources, *pools])
    regions = {region.name: region for region in topology.of(estate).regions}
    assert regions["eu-west-1"].networks[0].chips == ()
    assert regions["us-east-1"].networks[0].chips == (
        Chip(
            look="gpu",
            title="train",
            detail="spot or on-demand, 0-4 × p5.48xlarge, Karpenter",
        ),
    )
    assert [chip.title for chip in regions["ap-south-1"].beside] == ["far"]


def test_karpenters_pools_stand_in_the_subnets_that_their_node_class_names():
    estate = estate_of(network)
    subnets = {subnet["name"]: subnet["id"] for subnet in estate.of("aws:ec2/subnet:Subnet")}
    pool = node_pool(["eu-west-1b"])
    pool["inputs"]["spec"]["template"]["spec"]["nodeClassRef"] = {"name": "big"}
    terms = [{"id": subnets["private-a"]}, {"id": subnets["private-b"]}, {"tags": {"a": "b"}}]

    def node_class(provider: str, terms: list[dict[str, Any]]) -> dict[str, Any]:
        spec = {"metadata": {"name": "big"}, "spec": {"subnetSelectorTerms": terms}}
        type_ = "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"
        return {**pool, "urn": f"urn:{provider}", "type": type_, "inputs": spec, "provider": provider}

    others = node_class("another-cluster", [{"id": subnets["public-a"]}])
    (region,) = topology.of(Estate([*estate.resources, others, pool, node_class("", terms)])).regions
    found = {s.name: [chip.title for chip in s.chips] for zone in region.networks[0].zones for s in zone.subnets}
    assert found["private-b"] == ["muscle", "train"]  # only zone b is asked for
    assert found["private-a"] == ["muscle"]
    assert found["public-a"] == ["NAT gateway"]


def test_a_subnet_of_pods_is_known_by_its_tag():
    def build():
        vpc = aws.ec2.Vpc("net", cidr_block="10.0.0.0/16")
        tags = {"kubernetes.io/role/cni": "1"}
        aws.ec2.Subnet("s", vpc_id=vpc.id, cidr_block="100.64.0.0/19", availability_zone="us-east-1a", tags=tags)

    (region,) = topology.of(estate_of(build)).regions
    assert [subnet.access for subnet in region.networks[0].zones[0].subnets] == ["pods"]
