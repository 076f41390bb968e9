from tests.components import builds
from tests.harness import record

PODS = "aws:ec2/vpcIpv4CidrBlockAssociation:VpcIpv4CidrBlockAssociation"
VPC, SUBNET, TABLE = "aws:ec2/vpc:Vpc", "aws:ec2/subnet:Subnet", "aws:ec2/routeTable:RouteTable"
ASSOCIATION = "aws:ec2/routeTableAssociation:RouteTableAssociation"


def test_without_a_pod_block_there_is_no_second_block_and_no_pod_subnet() -> None:
    recorded = record(builds.network())

    assert recorded.all(PODS) == []
    assert not any("-pod-" in subnet.name for subnet in recorded.all(SUBNET))
    assert recorded.one("gpufleet:index:PrivateNetwork").outputs["podSubnetIds"] == {}


def test_a_pod_tier_adds_its_own_and_moves_nothing_else() -> None:
    without, with_pods = record(builds.network()), record(builds.network(pod_cidr="100.64.0.0/16"))

    before, after = ({r.urn: r.inputs for r in recorded.resources if r.custom} for recorded in (without, with_pods))
    added = {urn.rsplit("::", 1)[1] for urn in after.keys() - before.keys()}
    assert {urn: after[urn] for urn in before} == before
    assert added == {
        *("net-pods", "net-endpoints-https-from-pods"),
        *(f"net-pod-us-east-1{letter}" for letter in "abc"),
    }


def test_pod_subnets_wait_for_their_block_and_go_out_the_way_their_zones_nodes_do() -> None:
    recorded = record(builds.network(pod_cidr="100.64.0.0/16", zones=["us-east-1c", "us-east-1a"]))

    block = recorded.one(PODS)
    assert block.inputs == {"vpcId": recorded.one(VPC).id, "cidrBlock": "100.64.0.0/16"}
    tables = {table.id: table.name for table in recorded.all(TABLE)}
    for zone, cidr in (("us-east-1a", "100.64.0.0/19"), ("us-east-1c", "100.64.64.0/19")):
        subnet = recorded.one(SUBNET, f"net-pod-{zone}")
        assert (subnet.inputs["availabilityZone"], subnet.inputs["cidrBlock"]) == (zone, cidr)
        assert subnet.inputs["mapPublicIpOnLaunch"] is False
        assert subnet.inputs["tags"] == {"Name": f"net-pod-{zone}", "kubernetes.io/role/cni": "1"}
        assert block.urn in subnet.dependencies
        association = recorded.one(ASSOCIATION, f"net-pod-{zone}")
        assert association.inputs["subnetId"] == subnet.id
        assert tables[association.inputs["routeTableId"]] == f"net-private-{zone}"
