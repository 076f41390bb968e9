import pulumi_aws as aws

from policies.rules.ec2_efa_group_admits_itself import RULE
from tests.policies.elastic import EFA, node_class, node_pool, requirements
from tests.policies.judging import messages
from tests.policies.pools import pool


def test_a_group_that_keeps_its_own_traffic_out_is_reported(preview: bool) -> None:
    def build() -> None:
        group = aws.ec2.SecurityGroup("efa")
        aws.vpc.SecurityGroupIngressRule(
            "in", security_group_id=group.id, ip_protocol="-1", referenced_security_group_id=group.id
        )
        node_class(networkInterfaces=EFA, securityGroupSelectorTerms=[{"id": group.id}])
        node_pool(node={"requirements": requirements(["p4d.24xlarge"])})

    assert messages(RULE, build, preview=preview) == [
        "train-nodes: 4 EFA interfaces, and none of their security groups has a rule for all its own "
        "traffic (egress); EFA needs both.",
    ]


def test_a_range_does_not_do_for_efa(preview: bool) -> None:
    def build() -> None:
        group = aws.ec2.SecurityGroup("efa")
        aws.vpc.SecurityGroupIngressRule("in", security_group_id=group.id, ip_protocol="-1", cidr_ipv4="10.0.0.0/8")
        aws.vpc.SecurityGroupEgressRule("out", security_group_id=group.id, ip_protocol="-1", cidr_ipv4="10.0.0.0/8")
        node_class(networkInterfaces=EFA, securityGroupSelectorTerms=[{"id": group.id}])
        node_pool(node={"requirements": requirements(["p4d.24xlarge"])})

    assert messages(RULE, build, preview=preview) == [
        "train-nodes: 4 EFA interfaces, and none of their security groups has a rule for all its own "
        "traffic (ingress and egress); EFA needs both.",
    ]


def test_a_group_that_admits_itself_both_ways_and_one_of_another_stack_are_quiet(preview: bool) -> None:
    def build() -> None:
        group = aws.ec2.SecurityGroup("efa")
        aws.vpc.SecurityGroupIngressRule(
            "in", security_group_id=group.id, ip_protocol="-1", referenced_security_group_id=group.id
        )
        aws.vpc.SecurityGroupEgressRule(
            "out", security_group_id=group.id, ip_protocol="-1", referenced_security_group_id=group.id
        )
        node_class(networkInterfaces=EFA, securityGroupSelectorTerms=[{"id": group.id}])
        node_pool(node={"requirements": requirements(["p4d.24xlarge"])})
        node_class("foreign", networkInterfaces=EFA)
        node_pool("foreign", node={"nodeClassRef": {"name": "foreign"}, "requirements": requirements(["p4d.24xlarge"])})

    assert messages(RULE, build, preview=preview) == []


def test_an_inline_rule_for_itself_counts(preview: bool) -> None:
    def build() -> None:
        template = aws.ec2.LaunchTemplate(
            "template",
            network_interfaces=[
                {
                    "interface_type": "efa",
                    "security_groups": [
                        aws.ec2.SecurityGroup(
                            "efa",
                            ingress=[{"self": True, "protocol": "-1", "from_port": 0, "to_port": 0}],
                            egress=[{"self": True, "protocol": "-1", "from_port": 0, "to_port": 0}],
                        ).id
                    ],
                }
            ],
        )
        pool(types=("p4d.24xlarge",), launch_template={"id": template.id, "version": "1"})

    assert messages(RULE, build, preview=preview) == []
