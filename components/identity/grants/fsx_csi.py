"""For the FSx for Lustre CSI driver.

After https://github.com/kubernetes-sigs/aws-fsx-csi-driver/blob/master/docs/install.md without its rights on IAM and on
every bucket: the service-linked role of FSx is made with the stack (`ServiceLinkedRoles`), and file systems are linked
to buckets there too.
"""

import pulumi

from ..statements import Statement
from . import key_use
from .place import Place

CLUSTER_TAG = "gpufleet-cluster"
"""By which a cluster knows its own file systems: give the driver's controller `extraTags: {gpufleet-cluster: NAME}`."""


def static(place: Place) -> list[Statement]:
    """To mount file systems that the stack made: look them up, no more."""
    return [
        Statement(
            sid="DescribeFileSystems",
            actions=["fsx:DescribeFileSystems"],
            resources=["*"],
            conditions={"StringEquals": {"aws:RequestedRegion": place.region}},
            because="describing takes no resource",
        )
    ]


def dynamic(place: Place, cluster_name: str, key_arn: pulumi.Input[str]) -> list[Statement]:
    """To make file systems for claims under the key, and to grow and delete those of its own cluster."""
    file_systems = [place.arn("fsx", "file-system/*")]
    why = "file systems come and go; the tag of the cluster limits them"
    return [
        *static(place),
        Statement(
            sid="CreateOwnFileSystems",
            actions=["fsx:CreateFileSystem", "fsx:TagResource"],
            resources=file_systems,
            conditions={"StringEquals": {f"aws:RequestTag/{CLUSTER_TAG}": cluster_name}},
            because=why,
        ),
        Statement(
            sid="ManageOwnFileSystems",
            actions=["fsx:DeleteFileSystem", "fsx:UpdateFileSystem"],
            resources=file_systems,
            conditions={"StringEquals": {f"aws:ResourceTag/{CLUSTER_TAG}": cluster_name}},
            because=why,
        ),
        *key_use.for_volumes(place, [key_arn], service="fsx"),
    ]
