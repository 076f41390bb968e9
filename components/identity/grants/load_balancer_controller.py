"""For the AWS Load Balancer Controller: balancers, target groups and firewall rules of its own cluster.

After the policy of version 3.5, narrowed to one account, region, VPC and cluster, and without WAF, Shield, Cognito,
outposts and IAM's own certificates: run the chart with `enableShield`, `enableWaf` and `enableWafv2` false. It may not
make the service-linked role, which comes with the stack (`ServiceLinkedRoles`).
https://github.com/kubernetes-sigs/aws-load-balancer-controller/blob/main/docs/install/iam_policy.json
"""

import pulumi

from ..statements import Statement, joined
from .place import Place

_TAG = "elbv2.k8s.aws/cluster"
_ANY = "balancers come and go with services; the tag of the cluster limits them"


def parts(place: Place, cluster_name: str, vpc_id: pulumi.Input[str]) -> dict[str, list[Statement]]:
    """The grant in three policies: `lookups`, `firewall` and `balancers`."""
    return {
        "lookups": _lookups(place, vpc_id),
        "firewall": _firewall(place, cluster_name, vpc_id),
        "balancers": [*_balancers(place, cluster_name), *_listeners(place, cluster_name)],
    }


def _asked(cluster_name: str) -> dict[str, dict[str, str]]:
    return {"StringEquals": {f"aws:RequestTag/{_TAG}": cluster_name}}


def _own(cluster_name: str) -> dict[str, dict[str, str]]:
    return {"StringEquals": {f"aws:ResourceTag/{_TAG}": cluster_name}}


def _own_keeping_the_tag(cluster_name: str) -> dict[str, dict[str, str]]:
    return {**_own(cluster_name), "Null": {f"aws:RequestTag/{_TAG}": "true"}}


def _balancer_arns(place: Place, kind: str, suffix: str = "") -> list[str]:
    return [place.arn("elasticloadbalancing", f"{kind}/{sort}/*{suffix}") for sort in ("app", "net")]


def _lookups(place: Place, vpc_id: pulumi.Input[str]) -> list[Statement]:
    return [
        Statement(
            sid="DescribeNetwork",
            actions=[
                "ec2:DescribeAccountAttributes",
                "ec2:DescribeAddresses",
                "ec2:DescribeAvailabilityZones",
                "ec2:DescribeInstances",
                "ec2:DescribeInternetGateways",
                "ec2:DescribeIpamPools",
                "ec2:DescribeNetworkInterfaces",
                "ec2:DescribeRouteTables",
                "ec2:DescribeSecurityGroups",
                "ec2:DescribeSubnets",
                "ec2:DescribeTags",
                "ec2:DescribeVpcPeeringConnections",
                "ec2:DescribeVpcs",
            ],
            resources=["*"],
            because="describing takes no resource",
        ),
        Statement(
            sid="DescribeBalancers",
            actions=[
                "elasticloadbalancing:DescribeCapacityReservation",
                "elasticloadbalancing:DescribeListenerAttributes",
                "elasticloadbalancing:DescribeListenerCertificates",
                "elasticloadbalancing:DescribeListeners",
                "elasticloadbalancing:DescribeLoadBalancerAttributes",
                "elasticloadbalancing:DescribeLoadBalancers",
                "elasticloadbalancing:DescribeRules",
                "elasticloadbalancing:DescribeSSLPolicies",
                "elasticloadbalancing:DescribeTags",
                "elasticloadbalancing:DescribeTargetGroupAttributes",
                "elasticloadbalancing:DescribeTargetGroups",
                "elasticloadbalancing:DescribeTargetHealth",
                "elasticloadbalancing:DescribeTrustStores",
            ],
            resources=["*"],
            because="describing takes no resource",
        ),
        Statement(
            sid="GroupsOfOwnVpc",
            actions=["ec2:GetSecurityGroupsForVpc"],
            resources=[joined(place.arn("ec2", "vpc/"), vpc_id)],
        ),
        Statement(
            sid="ListCertificates",
            actions=["acm:ListCertificates"],
            resources=["*"],
            because="listing takes no resource",
        ),
        Statement(
            sid="DescribeCertificates",
            actions=["acm:DescribeCertificate"],
            resources=[place.arn("acm", "certificate/*")],
            because="the controller finds the certificate of a host name by itself",
        ),
    ]


def _firewall(place: Place, cluster_name: str, vpc_id: pulumi.Input[str]) -> list[Statement]:
    groups = [place.arn("ec2", "security-group/*")]
    rules = ["ec2:AuthorizeSecurityGroupIngress", "ec2:RevokeSecurityGroupIngress"]
    return [
        Statement(
            sid="CreateGroupsInOwnVpc",
            actions=["ec2:CreateSecurityGroup"],
            resources=[joined(place.arn("ec2", "vpc/"), vpc_id)],
        ),
        Statement(
            sid="CreateTaggedGroups",
            actions=["ec2:CreateSecurityGroup"],
            resources=groups,
            conditions=_asked(cluster_name),
            because=_ANY,
        ),
        Statement(
            sid="TagGroupsOnCreation",
            actions=["ec2:CreateTags"],
            resources=groups,
            conditions={
                "StringEquals": {
                    "ec2:CreateAction": "CreateSecurityGroup",
                    f"aws:RequestTag/{_TAG}": cluster_name,
                }
            },
            because=_ANY,
        ),
        Statement(
            sid="RetagOwnGroups",
            actions=["ec2:CreateTags", "ec2:DeleteTags"],
            resources=groups,
            conditions=_own_keeping_the_tag(cluster_name),
            because=_ANY,
        ),
        Statement(
            sid="ManageOwnGroups",
            actions=[*rules, "ec2:DeleteSecurityGroup"],
            resources=groups,
            conditions=_own(cluster_name),
            because=_ANY,
        ),
        Statement(
            sid="AdmitBalancersToOwnNodes",
            actions=rules,
            resources=groups,
            conditions={"StringEquals": {f"aws:ResourceTag/kubernetes.io/cluster/{cluster_name}": "owned"}},
            because="the groups of the cluster's nodes, which its tag names",
        ),
    ]


def _balancers(place: Place, cluster_name: str) -> list[Statement]:
    balancers = _balancer_arns(place, "loadbalancer")
    everything = [*balancers, place.arn("elasticloadbalancing", "targetgroup/*")]
    return [
        Statement(
            sid="CreateTaggedBalancers",
            actions=["elasticloadbalancing:CreateLoadBalancer", "elasticloadbalancing:CreateTargetGroup"],
            resources=everything,
            conditions=_asked(cluster_name),
            because=_ANY,
        ),
        Statement(
            sid="TagBalancersOnCreation",
            actions=["elasticloadbalancing:AddTags"],
            resources=everything,
            conditions={
                "StringEquals": {
                    "elasticloadbalancing:CreateAction": ["CreateLoadBalancer", "CreateTargetGroup"],
                    f"aws:RequestTag/{_TAG}": cluster_name,
                }
            },
            because=_ANY,
        ),
        Statement(
            sid="RetagOwnBalancers",
            actions=["elasticloadbalancing:AddTags", "elasticloadbalancing:RemoveTags"],
            resources=everything,
            conditions=_own_keeping_the_tag(cluster_name),
            because=_ANY,
        ),
        Statement(
            sid="ManageOwnBalancers",
            actions=[
                "elasticloadbalancing:DeleteLoadBalancer",
                "elasticloadbalancing:DeleteTargetGroup",
                "elasticloadbalancing:DeregisterTargets",
                "elasticloadbalancing:ModifyCapacityReservation",
                "elasticloadbalancing:ModifyIpPools",
                "elasticloadbalancing:ModifyLoadBalancerAttributes",
                "elasticloadbalancing:ModifyTargetGroup",
                "elasticloadbalancing:ModifyTargetGroupAttributes",
                "elasticloadbalancing:RegisterTargets",
                "elasticloadbalancing:SetIpAddressType",
                "elasticloadbalancing:SetSecurityGroups",
                "elasticloadbalancing:SetSubnets",
            ],
            resources=everything,
            conditions=_own(cluster_name),
            because=_ANY,
        ),
    ]


def _listeners(place: Place, cluster_name: str) -> list[Statement]:
    """Listeners and rules inherit nothing from their balancer, and carry the tag only once they are made."""
    listeners = _balancer_arns(place, "listener")
    rules = _balancer_arns(place, "listener-rule")
    return [
        Statement(
            sid="CreateListenersOnOwnBalancers",
            actions=["elasticloadbalancing:CreateListener", "elasticloadbalancing:CreateRule"],
            resources=[*_balancer_arns(place, "loadbalancer"), *listeners],
            conditions=_own(cluster_name),
            because=_ANY,
        ),
        Statement(
            sid="TagListenersOnCreation",
            actions=["elasticloadbalancing:AddTags"],
            resources=[*listeners, *rules],
            conditions={
                "StringEquals": {
                    "elasticloadbalancing:CreateAction": ["CreateListener", "CreateRule"],
                    f"aws:RequestTag/{_TAG}": cluster_name,
                }
            },
            because=_ANY,
        ),
        Statement(
            sid="ManageOwnListeners",
            actions=[
                "elasticloadbalancing:AddListenerCertificates",
                "elasticloadbalancing:AddTags",
                "elasticloadbalancing:DeleteListener",
                "elasticloadbalancing:DeleteRule",
                "elasticloadbalancing:ModifyListener",
                "elasticloadbalancing:ModifyListenerAttributes",
                "elasticloadbalancing:ModifyRule",
                "elasticloadbalancing:RemoveListenerCertificates",
                "elasticloadbalancing:RemoveTags",
                "elasticloadbalancing:SetRulePriorities",
            ],
            resources=[*listeners, *rules],
            conditions=_own(cluster_name),
            because=_ANY,
        ),
    ]
