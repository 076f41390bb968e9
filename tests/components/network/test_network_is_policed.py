"""The whole pack over a cluster's network with everything in it, closed and with NAT."""

import pulumi
import pulumi_aws as aws
import pytest

from components import GpuCluster, PrivateNetwork
from components.identity.account_guard_rails import AccountGuardRails, AccountGuardRailsArgs
from components.network.efa_group import EfaGroup, EfaGroupArgs
from components.network.endpoint_services import FEATURES, needed
from components.network.file_system_group import FileSystemGroup, FileSystemGroupArgs
from gpufleet.plan import police
from policies.rules import RULES
from tests.components import builds
from tests.harness import record
from tests.policies.judging import OWNED


def everything(egress: str) -> None:
    tags = aws.ProviderDefaultTagsArgs(tags=OWNED)
    provider = aws.Provider(
        "aws-us-east-1", region="us-east-1", allowed_account_ids=[builds.ACCOUNT], default_tags=tags
    )
    opts = pulumi.ResourceOptions(providers=[provider])
    network = PrivateNetwork(
        "net",
        builds.network_args(
            egress=egress,
            pod_cidr="100.64.0.0/16",
            endpoints=needed(tuple(FEATURES)),
            s3_readable_buckets=["fast-ai-*"],
        ),
        opts,
    )
    cluster = GpuCluster(
        "cluster",
        builds.cluster_args(
            vpc_id=network.vpc_id,
            subnet_ids=network.intra_subnet_ids.apply(lambda ids: list(ids.values())),
            internet_egress=egress != "none",
            s3_prefix_list_id=network.s3_prefix_list_id,
            gateway_prefix_list_ids={"s3express": network.gateway_prefix_list_ids["s3express"]},
        ),
        opts,
    )
    efa = EfaGroup("efa", EfaGroupArgs(vpc_id=network.vpc_id), opts)
    FileSystemGroup(
        "fs",
        FileSystemGroupArgs(
            vpc_id=network.vpc_id,
            node_security_group_id=cluster.node_security_group_id,
            efa_security_group_id=efa.security_group_id,
        ),
        opts,
    )
    AccountGuardRails("rails", AccountGuardRailsArgs(account_id=builds.ACCOUNT, ebs_key_arn=builds.KEY), opts)


@pytest.mark.parametrize("preview", [True, False], ids=["preview", "update"])
@pytest.mark.parametrize("egress", ["none", "single-nat", "nat-per-zone"])
def test_no_rule_of_the_pack_is_broken(egress: str, preview: bool) -> None:
    found = police.judge(RULES, record(lambda: everything(egress), preview=preview).run)

    assert [(violation.rule, violation.urn, violation.message) for violation in found] == []


def test_no_address_outside_the_vpc_is_let_in_or_reached_from_a_closed_network() -> None:
    recorded = record(lambda: everything("none"))

    rules = [
        *recorded.all("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"),
        *recorded.all("aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule"),
    ]
    assert {rule.inputs.get("cidrIpv4") for rule in rules} == {None, "10.20.0.0/16", "100.64.0.0/16"}


def test_every_group_is_described_the_same_in_every_stack_and_holds_no_rules_itself() -> None:
    groups = record(lambda: everything("none")).all("aws:ec2/securityGroup:SecurityGroup")

    assert {group.name: group.inputs["description"] for group in groups} == {
        "net-endpoints": "HTTPS from the VPC to its endpoints",
        "cluster-nodes": "Nodes of the cluster",
        "cluster-control-plane": "Control plane of the cluster",
        "efa": "EFA traffic among nodes",
        "fs": "Lustre file system and its clients",
    }
    assert all(not {"ingress", "egress", "name"} & group.inputs.keys() for group in groups)
