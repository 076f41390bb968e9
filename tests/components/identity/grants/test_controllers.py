"""The grants of drivers, controllers and shippers: each keeps to its cluster, or to what is named."""

from collections.abc import Callable

import pytest

from components.identity.grants import (
    ebs_csi,
    external_secrets,
    fsx_csi,
    keda_scaler,
    load_balancer_controller,
    log_writer,
    metrics_writer,
    vpc_cni,
)
from tests.components.identity.grants.catalogue import CLUSTER, HOME, KEY, by_sid

VPC = "vpc-0123456789abcdef0"


def test_ebs_volumes_are_those_of_the_cluster_in_the_sessions_tags() -> None:
    granted = by_sid(ebs_csi.statements(HOME))
    own = {"ec2:ResourceTag/ebs.csi.aws.com/cluster-name": "${aws:PrincipalTag/eks-cluster-name}"}

    assert granted["ManageOwnVolumes"]["Condition"] == {"StringEquals": own}
    assert granted["ManageOwnSnapshots"]["Condition"] == {"StringEquals": own}
    assert "ec2:EnableFastSnapshotRestores" not in granted["ManageOwnSnapshots"]["Action"]


def test_ebs_volumes_attach_to_nodes_of_managed_groups_and_of_karpenter() -> None:
    granted = by_sid(ebs_csi.statements(HOME))

    assert {sid: granted[sid]["Condition"]["StringEquals"] for sid in granted if sid.startswith("AttachTo")} == {
        "AttachToManagedNodes": {"ec2:ResourceTag/eks:cluster-name": "${aws:PrincipalTag/eks-cluster-name}"},
        "AttachToKarpenterNodes": {"ec2:ResourceTag/eks:eks-cluster-name": "${aws:PrincipalTag/eks-cluster-name}"},
    }


def test_file_systems_of_the_stack_are_only_looked_up() -> None:
    assert [statement.actions for statement in fsx_csi.static(HOME)] == [["fsx:DescribeFileSystems"]]


def test_file_systems_for_claims_carry_the_clusters_tag_from_the_first() -> None:
    granted = by_sid(fsx_csi.dynamic(HOME, CLUSTER, KEY))

    assert granted["CreateOwnFileSystems"]["Condition"] == {"StringEquals": {"aws:RequestTag/gpufleet-cluster": "demo"}}
    assert granted["ManageOwnFileSystems"]["Condition"] == {
        "StringEquals": {"aws:ResourceTag/gpufleet-cluster": "demo"}
    }
    assert granted["UseVolumeKeys"]["Condition"] == {
        "StringEquals": {"kms:ViaService": ["fsx.us-east-1.amazonaws.com"]}
    }


def test_the_network_plugin_changes_nothing_outside_its_cluster_and_vpc() -> None:
    granted = by_sid(vpc_cni.statements(HOME, CLUSTER, VPC))
    in_vpc = {"ArnEquals": {"ec2:Vpc": HOME.arn("ec2", f"vpc/{VPC}")}}

    assert {sid: statement.get("Condition") for sid, statement in granted.items()} == {
        "DescribeNetwork": None,
        "CreateAndTagOwnInterfaces": {"StringEquals": {"aws:RequestTag/cluster.k8s.amazonaws.com/name": "demo"}},
        "CreateInterfacesInOwnVpc": in_vpc,
        "ManageOwnInterfaces": {"StringEquals": {"aws:ResourceTag/cluster.k8s.amazonaws.com/name": "demo"}},
        "AttachToOwnNodes": {"StringEquals": {"aws:ResourceTag/kubernetes.io/cluster/demo": "owned"}},
        "GiveGroupsOfOwnVpc": in_vpc,
    }


def test_every_change_to_balancers_and_firewalls_is_bound_to_the_cluster_or_its_vpc() -> None:
    parts = load_balancer_controller.parts(HOME, CLUSTER, VPC)
    tags = {
        "aws:RequestTag/elbv2.k8s.aws/cluster": "demo",
        "aws:ResourceTag/elbv2.k8s.aws/cluster": "demo",
        "aws:ResourceTag/kubernetes.io/cluster/demo": "owned",
    }

    changing = by_sid([*parts["firewall"], *parts["balancers"]])

    assert changing.pop("CreateGroupsInOwnVpc")["Resource"] == [HOME.arn("ec2", f"vpc/{VPC}")]
    for sid, statement in changing.items():
        demanded = statement["Condition"]["StringEquals"].items()
        assert demanded & tags.items(), sid


def test_the_tag_of_the_cluster_itself_cannot_be_changed() -> None:
    parts = load_balancer_controller.parts(HOME, CLUSTER, VPC)

    for part, sid in (("firewall", "RetagOwnGroups"), ("balancers", "RetagOwnBalancers")):
        assert by_sid(parts[part])[sid]["Condition"]["Null"] == {"aws:RequestTag/elbv2.k8s.aws/cluster": "true"}


def test_secrets_are_read_by_name_and_decrypted_through_their_service() -> None:
    secret = HOME.arn("secretsmanager", "secret:hub-AbCdEf")
    granted = by_sid(external_secrets.statements(HOME, [secret], key_arns=[KEY]))

    assert granted["ReadNamedSecrets"]["Resource"] == [secret]
    assert "secretsmanager:ListSecrets" not in granted["ReadNamedSecrets"]["Action"]
    assert granted["DecryptThroughServices"]["Condition"] == {
        "StringEquals": {"kms:ViaService": ["secretsmanager.us-east-1.amazonaws.com"]}
    }


def test_metrics_are_put_into_named_namespaces() -> None:
    (granted,) = metrics_writer.statements(cloudwatch_namespaces=["GpuFleet", "GpuFleet"])

    assert granted.as_dict()["Condition"] == {"StringEquals": {"cloudwatch:namespace": ["GpuFleet"]}}


def test_logs_go_to_named_groups_and_no_group_is_made() -> None:
    (granted,) = log_writer.statements([HOME.arn("logs", "log-group:pods")])

    assert granted.as_dict()["Resource"] == [HOME.arn("logs", "log-group:pods:*")]
    assert "logs:CreateLogGroup" not in granted.actions


def test_a_scaler_reads_only_what_it_scales_by() -> None:
    queue = HOME.arn("sqs", "jobs")

    assert [statement.sid for statement in keda_scaler.statements(HOME, [queue])] == ["MeasureQueues"]
    assert keda_scaler.statements(HOME, [queue])[0].actions == ["sqs:GetQueueAttributes"]


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: external_secrets.statements(HOME), "secret_arns, parameter_arns: both are empty"),
        (lambda: external_secrets.statements(HOME, [HOME.arn("secretsmanager", "secret:*")]), "does not name one"),
        (lambda: metrics_writer.statements(), "workspace_arn, cloudwatch_namespaces: neither is given"),
        (lambda: metrics_writer.statements(cloudwatch_namespaces=["AWS/EC2"]), "'AWS/EC2' is not allowed"),
        (lambda: metrics_writer.statements(cloudwatch_namespaces=["*"]), r"'\*' is not allowed"),
        (lambda: log_writer.statements([]), "log_group_arns: empty"),
        (lambda: keda_scaler.statements(HOME), "nothing is named"),
        (lambda: fsx_csi.dynamic(HOME, CLUSTER, "alias/data"), "does not name one"),
    ],
)
def test_a_grant_of_nothing_or_of_everything_is_refused(build: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build()
