"""A Karpenter that is not held to its cluster and its own nodes may end the next cluster's, or the system's."""

from collections.abc import Iterator
from typing import Any, Final

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._documents import CARRIERS, Statement, attached, statements
from ._for_type import Report, for_type
from ._reading import UNKNOWN

_CLUSTER: Final = "/kubernetes.io/cluster/"
_EKS: Final = "aws:requesttag/eks:eks-cluster-name"
_OWN: Final = ("/karpenter.sh/nodepool", "/karpenter.k8s.aws/ec2nodeclass")
_TAGS: Final = ("aws:requesttag/", "aws:resourcetag/")


def _check(args: ResourceValidationArgs, report: Report) -> None:
    for where, policy in attached(args.props):
        for label, missing in _loose(policy):
            report(f"{where}, {label}: is bound by some of Karpenter's tags and not by {missing}; it must be by all.")


def _loose(policy: Any) -> Iterator[tuple[str, str]]:
    """Statements of a policy that is Karpenter's: one that knows its tags."""
    found = None if policy is UNKNOWN else statements(policy)
    tagged = [(one, keys) for one in found or () if one.allows and (keys := _tag_keys(one))]
    if not any(key.endswith(_OWN) for _, keys in tagged for key in keys):
        return
    by_eks = any(_EKS in keys for _, keys in tagged)
    for statement, keys in tagged:
        if not any(_CLUSTER in key for key in keys):
            yield statement.label, "kubernetes.io/cluster/NAME"
        if not any(key.endswith(_OWN) for key in keys):
            yield statement.label, "karpenter.sh/nodepool (or karpenter.k8s.aws/ec2nodeclass)"
        if _tags_at_will(statement, keys):
            yield statement.label, "aws:TagKeys"
        if by_eks and _gives_tags(statement, keys) and _EKS not in keys:
            yield statement.label, "eks:eks-cluster-name in aws:RequestTag"


def _tag_keys(statement: Statement) -> list[str]:
    return [one.key for one in statement.conditions or () if one.key.startswith(_TAGS)]


def _tags_at_will(statement: Statement, keys: list[str]) -> bool:
    """Whether it may give what is its own any tag; at launch, and where Karpenter's own is given, it may not."""
    conditions = statement.conditions or ()
    bounded = any(
        one.key == "ec2:createaction" or one.key == "aws:tagkeys" and one.operator != "Null" for one in conditions
    )
    given = any(key.startswith("aws:requesttag/") and key.endswith(_OWN) for key in keys)
    return statement.grants("ec2:CreateTags") and not bounded and not given


def _gives_tags(statement: Statement, keys: list[str]) -> bool:
    return any(key.startswith("aws:requesttag/") for key in keys) or statement.grants("ec2:CreateTags")


RULE = ResourceValidationPolicy(
    name="iam-karpenter-bound-to-its-cluster",
    description="A Karpenter that is not held to its cluster and its own nodes may end the nodes of the next cluster, "
    "or the system's.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["identity", "compute"],
    remediation_steps="Take the controller policy of Karpenter's own CloudFormation template for the installed "
    "version, with all its conditions.",
    url="https://karpenter.sh/docs/reference/cloudformation/",
    validate=for_type(_check, *CARRIERS),
)
