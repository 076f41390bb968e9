import pulumi_aws as aws

from components.network.efa_group import EfaGroup, EfaGroupArgs
from tests.harness import record

GROUP = "aws:ec2/securityGroup:SecurityGroup"
IN = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
OUT = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule"


def build() -> EfaGroup:
    return EfaGroup("efa", EfaGroupArgs(vpc_id="vpc-one"))


def test_members_may_say_anything_to_each_other_in_both_directions_and_nothing_to_others() -> None:
    recorded = record(build)

    group = recorded.one(GROUP)
    among_themselves = {
        "securityGroupId": group.id,
        "referencedSecurityGroupId": group.id,
        "ipProtocol": "-1",
        "description": "EFA interfaces among themselves",
    }
    assert recorded.one(IN, "efa-from-self-all").inputs == among_themselves
    assert recorded.one(OUT, "efa-to-self-all").inputs == among_themselves
    assert len(recorded.all(IN)) == len(recorded.all(OUT)) == 1


def test_its_description_is_frozen_its_rules_are_their_own_and_no_cluster_is_tagged() -> None:
    assert record(build).one(GROUP).inputs == {
        "vpcId": "vpc-one",
        "description": "EFA traffic among nodes",
        "tags": {"Name": "efa"},
    }


def test_whoever_takes_the_group_waits_for_its_rules() -> None:
    def user() -> None:
        aws.ec2.NetworkInterface("user", subnet_id="subnet-a", security_groups=[build().security_group_id])

    recorded = record(user)

    rules = {resource.urn for type_ in (IN, OUT) for resource in recorded.all(type_)}
    assert rules < set(recorded.one("aws:ec2/networkInterface:NetworkInterface").dependencies)


def test_a_preview_registers_what_the_update_registers() -> None:
    assert [r.urn for r in record(build, preview=True).resources] == [r.urn for r in record(build).resources]
