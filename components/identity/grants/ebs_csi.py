"""For the EBS CSI driver: volumes and snapshots of its own cluster.

After the driver's cluster-scoped policy, narrowed to one account and region. It needs the driver's argument
`--k8s-tag-cluster-id` (chart: `controller.k8sTagClusterId`), by which volumes carry the cluster's name; the cluster is
the one in the tags that EKS Pod Identity puts on the session, so the text is the same for every cluster.
https://github.com/kubernetes-sigs/aws-ebs-csi-driver/blob/master/docs/AmazonEBSCSIDriverEKSClusterScopedPolicy.json
"""

from collections.abc import Sequence

import pulumi

from ..statements import Statement
from . import key_use
from .place import Place

_OWN = "${aws:PrincipalTag/eks-cluster-name}"
_TAG = "ebs.csi.aws.com/cluster-name"
_NODE_TAGS = {"AttachToManagedNodes": "eks:cluster-name", "AttachToKarpenterNodes": "eks:eks-cluster-name"}
"""How EKS tags the nodes of its groups, and Karpenter those it launches."""
_ANY = "volumes and snapshots come and go; the tag of the cluster limits them"


def statements(
    place: Place, key_arns: Sequence[pulumi.Input[str]] = (), fast_snapshot_restore: bool = False
) -> list[Statement]:
    """Create, attach, grow, snapshot and delete; `key_arns` are the keys that volumes may be encrypted under."""
    volumes, snapshots = place.arn("ec2", "volume/*"), place.any_owner("ec2", "snapshot/*")
    return [
        Statement(
            sid="DescribeVolumes",
            actions=[
                "ec2:DescribeAvailabilityZones",
                "ec2:DescribeInstanceTypes",
                "ec2:DescribeInstances",
                "ec2:DescribeSnapshots",
                "ec2:DescribeVolumeStatus",
                "ec2:DescribeVolumes",
                "ec2:DescribeVolumesModifications",
            ],
            resources=["*"],
            because="describing takes no resource",
        ),
        _requested("CreateOwnVolumes", ["ec2:CopyVolumes", "ec2:CreateVolume"], volumes),
        _requested("CreateOwnSnapshots", ["ec2:CreateSnapshot"], snapshots),
        _owned(
            "ManageOwnVolumes",
            [
                "ec2:AttachVolume",
                "ec2:CopyVolumes",
                "ec2:CreateSnapshot",
                "ec2:DeleteVolume",
                "ec2:DetachVolume",
                "ec2:ModifyVolume",
            ],
            volumes,
        ),
        _owned(
            "ManageOwnSnapshots",
            [
                "ec2:CreateVolume",
                "ec2:DeleteSnapshot",
                *(["ec2:EnableFastSnapshotRestores"] if fast_snapshot_restore else []),
            ],
            snapshots,
        ),
        *(
            _owned(sid, ["ec2:AttachVolume", "ec2:DetachVolume"], place.arn("ec2", "instance/*"), tag)
            for sid, tag in _NODE_TAGS.items()
        ),
        Statement(
            sid="TagOnCreation",
            actions=["ec2:CreateTags"],
            resources=[volumes, snapshots],
            conditions={"StringEquals": {"ec2:CreateAction": ["CopyVolumes", "CreateSnapshot", "CreateVolume"]}},
            because=_ANY,
        ),
        Statement(
            sid="RetagOwnVolumes",
            actions=["ec2:CreateTags", "ec2:DeleteTags"],
            resources=[volumes],
            conditions={
                "StringEquals": {f"ec2:ResourceTag/{_TAG}": _OWN},
                "Null": {"aws:TagKeys": "false"},
                "ForAllValues:StringNotEquals": {
                    "aws:TagKeys": ["ebs.csi.aws.com/cluster", _TAG, "kubernetes.io/created-for/pvc/name"]
                },
            },
            because=_ANY,
        ),
        *key_use.for_volumes(place, key_arns),
    ]


def _requested(sid: str, actions: Sequence[str], resource: str) -> Statement:
    return Statement(
        sid=sid,
        actions=actions,
        resources=[resource],
        conditions={"StringEquals": {f"aws:RequestTag/{_TAG}": _OWN}},
        because=_ANY,
    )


def _owned(sid: str, actions: Sequence[str], resource: str, tag: str = _TAG) -> Statement:
    return Statement(
        sid=sid,
        actions=actions,
        resources=[resource],
        conditions={"StringEquals": {f"ec2:ResourceTag/{tag}": _OWN}},
        because=_ANY,
    )
