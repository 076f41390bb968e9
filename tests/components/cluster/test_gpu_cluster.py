import json
from typing import Any

import pulumi_aws as aws
import pytest

from components import GpuCluster
from tests.components import builds
from tests.harness import Recorded, record

CLUSTER, GROUP, ADDON = "aws:eks/cluster:Cluster", "aws:ec2/securityGroup:SecurityGroup", "aws:eks/addon:Addon"
IN = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
OUT = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule"
ROLE, ATTACHMENT = "aws:iam/role:Role", "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
ENTRY, POLICY = "aws:eks/accessEntry:AccessEntry", "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
ADMIN = f"arn:aws:iam::{builds.ACCOUNT}:role/teams/platform"


def rules(recorded: Recorded, type_: str) -> dict[str, tuple[str, str, int | None, str]]:
    """Rule name -> (group it is on, protocol, port, who it is about)."""
    groups = {
        recorded.one(GROUP, "cluster-nodes").id: "nodes",
        recorded.one(GROUP, "cluster-control-plane").id: "cluster",
    }
    found: dict[str, tuple[str, str, int | None, str]] = {}
    for rule in recorded.all(type_):
        i = rule.inputs
        assert i.get("fromPort") == i.get("toPort")
        assert i["description"]
        peer = groups.get(i.get("referencedSecurityGroupId")) or i.get("cidrIpv4") or i["prefixListId"]
        found[rule.name.removeprefix("cluster-")] = (
            groups[i["securityGroupId"]],
            i["ipProtocol"],
            i.get("fromPort"),
            peer,
        )
    return found


def trusted(recorded: Recorded, role: str) -> dict[str, Any]:
    (statement,) = json.loads(recorded.one(ROLE, role).inputs["assumeRolePolicy"])["Statement"]
    return statement


def test_by_default_the_api_is_private_and_everything_is_logged_encrypted_and_protected() -> None:
    recorded = record(builds.cluster())

    assert recorded.one(CLUSTER).inputs == {
        "name": "demo",
        "version": "1.35",
        "roleArn": recorded.one(ROLE, "cluster-control-plane").outputs["arn"],
        "vpcConfig": {
            "subnetIds": ["subnet-a", "subnet-b"],
            "securityGroupIds": [recorded.one(GROUP, "cluster-control-plane").id],
            "endpointPrivateAccess": True,
            "endpointPublicAccess": False,
        },
        "kubernetesNetworkConfig": {"serviceIpv4Cidr": "172.20.0.0/16"},
        "accessConfig": {"authenticationMode": "API", "bootstrapClusterCreatorAdminPermissions": False},
        "encryptionConfig": {"provider": {"keyArn": builds.KEY}, "resources": ["secrets"]},
        "enabledClusterLogTypes": ["api", "audit", "authenticator", "controllerManager", "scheduler"],
        "upgradePolicy": {"supportType": "STANDARD"},
        "zonalShiftConfig": {"enabled": True},
        "deletionProtection": True,
        "bootstrapSelfManagedAddons": False,
    }


def test_services_get_addresses_that_the_vpc_does_not_have() -> None:
    beside = record(builds.cluster(vpc_cidr="172.20.0.0/16")).one(CLUSTER).inputs

    assert beside["kubernetesNetworkConfig"] == {"serviceIpv4Cidr": "10.100.0.0/16"}


def test_a_public_api_is_for_the_listed_networks_and_stays_reachable_from_inside() -> None:
    recorded = record(builds.cluster(api_public_cidrs=["203.0.113.0/24", "198.51.100.0/24"]))

    config = recorded.one(CLUSTER).inputs["vpcConfig"]
    assert config["endpointPublicAccess"] is True
    assert config["publicAccessCidrs"] == ["198.51.100.0/24", "203.0.113.0/24"]
    assert config["endpointPrivateAccess"] is True


def test_the_log_group_and_the_roles_policy_come_before_the_cluster() -> None:
    recorded = record(builds.cluster(log_retention_days=90))

    logs = recorded.one("aws:cloudwatch/logGroup:LogGroup")
    assert logs.inputs == {"name": "/aws/eks/demo/cluster", "retentionInDays": 90, "kmsKeyId": builds.KEY}
    attachment = recorded.one(ATTACHMENT, "cluster-control-plane")
    assert attachment.inputs["policyArn"] == "arn:aws:iam::aws:policy/AmazonEKSClusterPolicy"
    assert {logs.urn, attachment.urn} < set(recorded.one(CLUSTER).dependencies)


def test_the_control_planes_role_is_for_clusters_of_this_account_and_region_only() -> None:
    statement = trusted(record(builds.cluster()), "cluster-control-plane")

    assert statement["Principal"] == {"Service": "eks.amazonaws.com"}
    assert statement["Condition"] == {
        "StringEquals": {"aws:SourceAccount": builds.ACCOUNT},
        "ArnLike": {"aws:SourceArn": f"arn:aws:eks:us-east-1:{builds.ACCOUNT}:cluster/*"},
    }


def test_the_network_plugin_has_a_role_of_its_own_by_pod_identity() -> None:
    recorded = record(builds.cluster())

    statement = trusted(recorded, "cluster-cni")
    assert statement["Action"] == ["sts:AssumeRole", "sts:TagSession"]
    assert statement["Principal"] == {"Service": "pods.eks.amazonaws.com"}
    assert recorded.one(ATTACHMENT, "cluster-cni").inputs["policyArn"] == "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy"
    plugin = recorded.one(ADDON, "cluster-cni")
    assert plugin.inputs["podIdentityAssociations"] == [
        {"roleArn": recorded.one(ROLE, "cluster-cni").outputs["arn"], "serviceAccount": "aws-node"}
    ]
    assert recorded.one(ATTACHMENT, "cluster-cni").urn in plugin.dependencies


def test_the_add_ons_that_need_no_node_are_there_before_one_and_dns_is_not() -> None:
    recorded = record(builds.cluster())

    assert {addon.inputs["addonName"] for addon in recorded.all(ADDON)} == {
        "vpc-cni",
        "kube-proxy",
        "eks-pod-identity-agent",
    }
    assert all(addon.inputs["resolveConflictsOnCreate"] == "OVERWRITE" for addon in recorded.all(ADDON))


def test_nodes_admit_each_other_and_the_control_plane() -> None:
    assert rules(record(builds.cluster()), IN) == {
        "nodes-from-nodes-all": ("nodes", "-1", None, "nodes"),
        "nodes-from-cluster-10250": ("nodes", "tcp", 10250, "cluster"),
        "nodes-from-cluster-443": ("nodes", "tcp", 443, "cluster"),
        "nodes-from-cluster-8443": ("nodes", "tcp", 8443, "cluster"),
        "nodes-from-cluster-9443": ("nodes", "tcp", 9443, "cluster"),
        "cluster-from-nodes-443": ("cluster", "tcp", 443, "nodes"),
    }


INSIDE = {
    "nodes-to-nodes-all": ("nodes", "-1", None, "nodes"),
    "nodes-to-cluster-443": ("nodes", "tcp", 443, "cluster"),
    "nodes-to-vpc-443": ("nodes", "tcp", 443, "10.20.0.0/16"),
    "nodes-to-vpc-dns-tcp": ("nodes", "tcp", 53, "10.20.0.0/16"),
    "nodes-to-vpc-dns-udp": ("nodes", "udp", 53, "10.20.0.0/16"),
    **{f"cluster-to-nodes-{port}": ("cluster", "tcp", port, "nodes") for port in (443, 8443, 9443, 10250)},
}


def test_nodes_reach_the_internet_by_https_only() -> None:
    anywhere = {"nodes-to-anywhere-443": ("nodes", "tcp", 443, "0.0.0.0/0")}

    assert rules(record(builds.cluster()), OUT) == INSIDE | anywhere


def test_nodes_without_internet_still_reach_s3_by_its_endpoint() -> None:
    recorded = record(builds.cluster(internet_egress=False, s3_prefix_list_id="pl-s3"))

    assert rules(recorded, OUT) == INSIDE | {"nodes-to-s3-443": ("nodes", "tcp", 443, "pl-s3")}


def test_of_the_groups_on_a_node_exactly_one_is_tagged_for_the_cluster() -> None:
    assert record(builds.cluster()).one(GROUP, "cluster-nodes").inputs["tags"] == {
        "Name": "cluster-nodes",
        "kubernetes.io/cluster/demo": "owned",
    }


def test_an_administrator_has_an_entry_and_the_policy_under_a_name_that_says_who() -> None:
    recorded = record(builds.cluster(admin_principal_arns=[ADMIN]))

    assert recorded.one(ENTRY, "cluster-admin-platform").inputs == {
        "clusterName": "demo",
        "principalArn": ADMIN,
        "type": "STANDARD",
    }
    assert recorded.one(POLICY, "cluster-admin-platform").inputs == {
        "clusterName": "demo",
        "principalArn": ADMIN,
        "policyArn": "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy",
        "accessScope": {"type": "cluster"},
    }


def test_nobody_administers_a_cluster_without_being_named() -> None:
    assert record(builds.cluster()).all(ENTRY) == []


def test_whoever_takes_the_clusters_name_waits_until_nodes_can_join() -> None:
    def build() -> None:
        cluster = GpuCluster("cluster", builds.cluster_args(admin_principal_arns=[ADMIN]))
        aws.eks.FargateProfile(
            "user",
            cluster_name=cluster.cluster_name,
            pod_execution_role_arn="arn:aws:iam::111122223333:role/r",
            selectors=[aws.eks.FargateProfileSelectorArgs(namespace="a")],
        )

    recorded = record(build)

    user = recorded.one("aws:eks/fargateProfile:FargateProfile")
    assert user.inputs["clusterName"] == "demo"
    ready = [r.urn for type_ in (IN, OUT, ADDON, ENTRY, POLICY) for r in recorded.all(type_)]
    assert set(ready) < set(user.dependencies)


def test_a_permissions_boundary_reaches_every_role() -> None:
    boundary = f"arn:aws:iam::{builds.ACCOUNT}:policy/boundary"

    recorded = record(builds.cluster(permissions_boundary_arn=boundary))

    assert {role.inputs["permissionsBoundary"] for role in recorded.all(ROLE)} == {boundary}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"cluster_name": "-demo"}, "cluster_name: '-demo' is not allowed; 1 to 100 letters"),
        ({"cluster_name": "d" * 101}, "is not allowed; 1 to 100 letters"),
        ({"api_public_cidrs": ["203.0.113.7/24"]}, "api_public_cidrs: '203.0.113.7/24' is not an IPv4 network"),
        ({"vpc_cidr": "10.20"}, "vpc_cidr: '10.20' is not an IPv4 network"),
        ({"admin_principal_arns": ["ops"]}, "admin_principal_arns: 'ops' is not a role or user"),
        ({"internet_egress": False}, "s3_prefix_list_id: needed where internet_egress is false"),
    ],
)
def test_a_mistake_is_answered_with_the_value_and_the_fix(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        builds.cluster_args(**changes)
