"""Every grant there is, in each of its forms, for one place."""

from collections.abc import Mapping
from typing import Any

from components.identity.grants import (
    artifact_publisher,
    checkpoint_writer,
    dataset_reader,
    ebs_csi,
    external_secrets,
    fsx_csi,
    karpenter_controller,
    keda_scaler,
    load_balancer_controller,
    log_writer,
    metrics_writer,
    mountpoint_s3_csi,
    scratch_user,
    vpc_cni,
)
from components.identity.grants.place import Place
from components.identity.statements import Statement

ACCOUNT = "111122223333"
CLUSTER = "demo"
PLACES = {
    "aws": Place(account_id=ACCOUNT, region="us-east-1", partition="aws"),
    "aws-cn": Place(account_id=ACCOUNT, region="cn-north-1", partition="aws-cn"),
    "aws-us-gov": Place(account_id=ACCOUNT, region="us-gov-west-1", partition="aws-us-gov"),
}
HOME = PLACES["aws"]
KEY = HOME.arn("kms", "key/one")
BUCKET = "arn:aws:s3:::data"
NODE_ROLE = f"arn:aws:iam::{ACCOUNT}:role/gpu/node"
QUEUE = HOME.arn("sqs", "interruptions")


def documents(place: Place, cluster_name: str = CLUSTER) -> Mapping[str, list[Statement]]:
    """What would become one managed policy each, by a name."""
    key, queue = place.arn("kms", "key/one"), place.arn("sqs", "queue")
    bucket, role = f"arn:{place.partition}:s3:::data", place.iam_arn("role/gpu/node")
    express = place.arn("s3express", "bucket/fast--use1-az4--x-s3")
    workspace = place.arn("aps", "workspace/ws-1")
    secret, parameter = place.arn("secretsmanager", "secret:hub-AbCdEf"), place.arn("ssm", "parameter/hub")
    karpenter: dict[str, Any] = {"node_role_arn": role, "queue_arn": queue, "volume_key_arns": [key]}
    made: dict[str, list[Statement]] = {
        "dataset_reader": dataset_reader.statements(place, bucket, key),
        "dataset_reader-prefix": dataset_reader.statements(place, bucket, key, prefix="imagenet/"),
        "checkpoint_writer": checkpoint_writer.statements(place, bucket, key),
        "checkpoint_writer-prunes": checkpoint_writer.statements(place, bucket, key, prunes=True),
        "artifact_publisher": artifact_publisher.statements(place, bucket, key),
        "artifact_publisher-once": artifact_publisher.statements(place, bucket, key, write_once=True),
        "scratch_user": scratch_user.statements(place, bucket, key),
        "mountpoint_s3_csi": mountpoint_s3_csi.statements(place, bucket, key),
        "mountpoint_s3_csi-writes": mountpoint_s3_csi.statements(place, bucket, key, writes=True),
        "mountpoint_s3_csi-express": mountpoint_s3_csi.directory_bucket(place, express),
        "mountpoint_s3_csi-express-writes": mountpoint_s3_csi.directory_bucket(place, express, key, writes=True),
        "ebs_csi": ebs_csi.statements(place, [key], fast_snapshot_restore=True),
        "fsx_csi-static": fsx_csi.static(place),
        "fsx_csi-dynamic": fsx_csi.dynamic(place, cluster_name, key),
        "vpc_cni": vpc_cni.statements(place, cluster_name, "vpc-0123456789abcdef0"),
        "external_secrets": external_secrets.statements(place, [secret], [parameter], [key]),
        "metrics_writer": metrics_writer.statements(workspace, ["GpuFleet"]),
        "log_writer": log_writer.statements([place.arn("logs", "log-group:/gpufleet/pods")]),
        "keda_scaler": keda_scaler.statements(place, [queue], workspace, cloudwatch=True),
    }
    for name, statements in karpenter_controller.parts(place, cluster_name, **karpenter).items():
        made[f"karpenter_controller-{name}"] = statements
    for name, statements in karpenter_controller.parts(place, cluster_name, **karpenter, isolated=True).items():
        made[f"karpenter_controller-isolated-{name}"] = statements
    for name, statements in load_balancer_controller.parts(place, cluster_name, "vpc-0123456789abcdef0").items():
        made[f"load_balancer_controller-{name}"] = statements
    return made


def grants(place: Place) -> Mapping[str, list[Statement]]:
    """The same, with the parts of a grant together."""
    together: dict[str, list[Statement]] = {}
    for name, statements in documents(place).items():
        whole = name.rpartition("-")[0] if name.startswith(("karpenter", "load_balancer")) else name
        together.setdefault(whole, []).extend(statements)
    return together


def by_sid(statements: list[Statement]) -> dict[str, dict[str, Any]]:
    """The statements as IAM gets them, by sid."""
    return {statement.sid: statement.as_dict() for statement in statements}
