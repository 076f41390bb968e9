"""For Karpenter's controller: launch, tag and end the nodes of its own cluster.

After the policies of Karpenter 1.14, without zonal shift (`settings.enableZonalShift` is off by default). It may not
make service-linked roles: the spot role comes with the stack (`ServiceLinkedRoles`).
https://github.com/aws/karpenter-provider-aws/blob/main/website/content/en/v1.14/getting-started/getting-started-with-karpenter/cloudformation.yaml
"""

from collections.abc import Sequence

import pulumi

from .. import service_principals
from ..exact_names import arn
from ..statements import Statement
from . import key_use
from .place import Place

_LAUNCH = ("ec2:CreateFleet", "ec2:RunInstances")
_LAUNCHED = ("fleet", "instance", "network-interface", "spot-instances-request", "volume")
_NODES = "nodes come and go; the tags of the cluster limit them"


def parts(
    place: Place,
    cluster_name: str,
    node_role_arn: pulumi.Input[str],
    queue_arn: pulumi.Input[str],
    volume_key_arns: Sequence[pulumi.Input[str]] = (),
    isolated: bool = False,
) -> dict[str, list[Statement]]:
    """The grant in three policies: `launch`, `roles` and `lookups`.

    `node_role_arn` is the role of `EC2NodeClass.spec.role`, path and all. In an `isolated` network, where the IAM and
    pricing APIs cannot be reached, the node class names an instance profile of the stack instead, and Karpenter makes
    none (`settings.isolatedVPC`).
    """
    return {
        "launch": [*_launch(place, cluster_name), *key_use.for_volumes(place, volume_key_arns)],
        "roles": [_pass_role(place, node_role_arn), *([] if isolated else _instance_profiles(place, cluster_name))],
        "lookups": [*_lookups(place, cluster_name, queue_arn), *([] if isolated else _global_lookups(place))],
    }


def _launch(place: Place, cluster_name: str) -> list[Statement]:
    launched = [place.arn("ec2", f"{kind}/*") for kind in _LAUNCHED]
    templates = [place.arn("ec2", "launch-template/*")]
    asked = {
        "StringEquals": {
            f"aws:RequestTag/kubernetes.io/cluster/{cluster_name}": "owned",
            "aws:RequestTag/eks:eks-cluster-name": cluster_name,
        },
        "StringLike": {"aws:RequestTag/karpenter.sh/nodepool": "*"},
    }
    own = {
        "StringEquals": {f"aws:ResourceTag/kubernetes.io/cluster/{cluster_name}": "owned"},
        "StringLike": {"aws:ResourceTag/karpenter.sh/nodepool": "*"},
    }
    return [
        Statement(
            sid="LaunchFromWhatThereIs",
            actions=_LAUNCH,
            resources=[
                f"arn:{place.partition}:ec2:{place.region}::image/*",
                f"arn:{place.partition}:ec2:{place.region}::snapshot/*",
                # Reservations can be another account's, shared with this one.
                place.any_owner("ec2", "capacity-reservation/*"),
                *(place.arn("ec2", f"{kind}/*") for kind in ("placement-group", "security-group", "subnet")),
            ],
            because="node classes choose among them; none is changed by a launch",
        ),
        Statement(
            sid="LaunchFromOwnTemplates",
            actions=_LAUNCH,
            resources=templates,
            conditions=own,
            because=_NODES,
        ),
        Statement(
            sid="LaunchTaggedNodes",
            actions=_LAUNCH,
            resources=launched,
            conditions=asked,
            because=_NODES,
        ),
        Statement(
            sid="CreateTaggedTemplates",
            actions=["ec2:CreateLaunchTemplate"],
            resources=templates,
            conditions=asked,
            because=_NODES,
        ),
        Statement(
            sid="TagOnLaunch",
            actions=["ec2:CreateTags"],
            resources=[*launched, *templates],
            conditions={
                **asked,
                "StringEquals": {
                    **asked["StringEquals"],
                    "ec2:CreateAction": ["CreateFleet", "CreateLaunchTemplate", "RunInstances"],
                },
            },
            because=_NODES,
        ),
        Statement(
            sid="NameOwnNodes",
            actions=["ec2:CreateTags"],
            resources=[place.arn("ec2", "instance/*")],
            conditions={
                **own,
                "StringEqualsIfExists": {"aws:RequestTag/eks:eks-cluster-name": cluster_name},
                "ForAllValues:StringEquals": {
                    "aws:TagKeys": ["Name", "eks:eks-cluster-name", "karpenter.sh/nodeclaim"]
                },
                "Null": {"aws:TagKeys": "false"},
            },
            because=_NODES,
        ),
        Statement(
            sid="EndOwnNodes",
            actions=["ec2:DeleteLaunchTemplate", "ec2:TerminateInstances"],
            resources=[place.arn("ec2", "instance/*"), *templates],
            conditions=own,
            because=_NODES,
        ),
    ]


def _pass_role(place: Place, node_role_arn: pulumi.Input[str]) -> Statement:
    return Statement(
        sid="PassNodeRoleToEc2",
        actions=["iam:PassRole"],
        resources=[arn("node_role_arn", node_role_arn)],
        conditions={"StringEquals": {"iam:PassedToService": service_principals.of("ec2", place.partition)}},
    )


def _instance_profiles(place: Place, cluster_name: str) -> list[Statement]:
    def tagged(by: str) -> dict[str, str]:
        return {
            f"aws:{by}/kubernetes.io/cluster/{cluster_name}": "owned",
            f"aws:{by}/topology.kubernetes.io/region": place.region,
        }

    profiles = [place.iam_arn("instance-profile/*")]
    why = "Karpenter names profiles itself, one a node class; the tags of the cluster limit them"
    asked = {**tagged("RequestTag"), "aws:RequestTag/eks:eks-cluster-name": cluster_name}
    return [
        Statement(
            sid="CreateTaggedProfiles",
            actions=["iam:CreateInstanceProfile"],
            resources=profiles,
            conditions={
                "StringEquals": asked,
                "StringLike": {"aws:RequestTag/karpenter.k8s.aws/ec2nodeclass": "*"},
            },
            because=why,
        ),
        Statement(
            sid="RetagOwnProfiles",
            actions=["iam:TagInstanceProfile"],
            resources=profiles,
            conditions={
                "StringEquals": {**asked, **tagged("ResourceTag")},
                "StringLike": {f"aws:{by}/karpenter.k8s.aws/ec2nodeclass": "*" for by in ("RequestTag", "ResourceTag")},
            },
            because=why,
        ),
        Statement(
            sid="FillAndDeleteOwnProfiles",
            actions=["iam:AddRoleToInstanceProfile", "iam:DeleteInstanceProfile", "iam:RemoveRoleFromInstanceProfile"],
            resources=profiles,
            conditions={
                "StringEquals": tagged("ResourceTag"),
                "StringLike": {"aws:ResourceTag/karpenter.k8s.aws/ec2nodeclass": "*"},
            },
            because=why,
        ),
    ]


def _lookups(place: Place, cluster_name: str, queue_arn: pulumi.Input[str]) -> list[Statement]:
    return [
        Statement(
            sid="DescribeCapacity",
            actions=[
                "ec2:DescribeCapacityReservations",
                "ec2:DescribeImages",
                "ec2:DescribeInstanceStatus",
                "ec2:DescribeInstanceTypeOfferings",
                "ec2:DescribeInstanceTypes",
                "ec2:DescribeInstances",
                "ec2:DescribeLaunchTemplates",
                "ec2:DescribePlacementGroups",
                "ec2:DescribeSecurityGroups",
                "ec2:DescribeSpotPriceHistory",
                "ec2:DescribeSubnets",
            ],
            resources=["*"],
            conditions={"StringEquals": {"aws:RequestedRegion": place.region}},
            because="describing takes no resource",
        ),
        Statement(
            sid="FindPublicImages",
            actions=["ssm:GetParameter"],
            resources=[f"arn:{place.partition}:ssm:{place.region}::parameter/aws/service/*"],
            because="AWS publishes image ids under this path, one for each version",
        ),
        Statement(
            sid="FindOwnCluster",
            actions=["eks:DescribeCluster"],
            resources=[place.arn("eks", f"cluster/{cluster_name}")],
        ),
        Statement(
            sid="HearOfInterruptions",
            actions=["sqs:DeleteMessage", "sqs:GetQueueUrl", "sqs:ReceiveMessage"],
            resources=[arn("queue_arn", queue_arn)],
        ),
    ]


def _global_lookups(place: Place) -> list[Statement]:
    return [
        Statement(
            sid="ReadPricesAndListProfiles",
            actions=["iam:ListInstanceProfiles", "pricing:GetProducts"],
            resources=["*"],
            because="both take no resource",
        ),
        Statement(
            sid="ReadProfiles",
            actions=["iam:GetInstanceProfile"],
            resources=[place.iam_arn("instance-profile/*")],
            because="Karpenter names profiles itself, one a node class",
        ),
    ]
