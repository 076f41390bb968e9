import pulumi_aws as aws

from policies.rules.eks_control_plane_egress_closed import RULE
from tests.policies.clusters import cluster
from tests.policies.judging import later, messages


def test_a_way_out_of_the_control_planes_group_is_reported(preview: bool) -> None:
    def build() -> None:
        group = aws.ec2.SecurityGroup("plane")
        aws.vpc.SecurityGroupEgressRule(
            "out", security_group_id=group.id, ip_protocol="tcp", from_port=443, to_port=443, cidr_ipv4="0.0.0.0/0"
        )
        cluster(vpc_config={"subnet_ids": ["subnet-1"], "security_group_ids": [group.id]})

    assert messages(RULE, build, preview=preview) == [
        "out: egress rule lets the control plane's interfaces out to 0.0.0.0/0 on tcp port 443; they "
        "must reach the VPC only.",
    ]


def test_a_way_to_the_nodes_and_a_way_out_of_other_groups_are_quiet(preview: bool) -> None:
    def build() -> None:
        group, nodes = aws.ec2.SecurityGroup("plane"), aws.ec2.SecurityGroup("nodes")
        aws.vpc.SecurityGroupEgressRule(
            "to-nodes",
            security_group_id=group.id,
            ip_protocol="tcp",
            from_port=10250,
            to_port=10250,
            referenced_security_group_id=nodes.id,
        )
        aws.vpc.SecurityGroupEgressRule(
            "out", security_group_id=nodes.id, ip_protocol="tcp", from_port=443, to_port=443, cidr_ipv4="0.0.0.0/0"
        )
        cluster(vpc_config={"subnet_ids": ["subnet-1"], "security_group_ids": [group.id]})

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_range_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        group = aws.ec2.SecurityGroup("plane")
        aws.vpc.SecurityGroupEgressRule(
            "out",
            security_group_id=group.id,
            ip_protocol="tcp",
            from_port=443,
            to_port=443,
            cidr_ipv4=later("0.0.0.0/0"),
        )
        cluster(vpc_config={"subnet_ids": ["subnet-1"], "security_group_ids": [group.id]})

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "out: egress rule lets the control plane's interfaces out to 0.0.0.0/0 on tcp port 443; they "
        "must reach the VPC only.",
    ]
