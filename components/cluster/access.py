"""Who administers a cluster: access entries, one for each principal that is named."""

import re
from collections.abc import Sequence

import pulumi
import pulumi_aws as aws

ADMIN_POLICY = "AmazonEKSClusterAdminPolicy"
"""https://docs.aws.amazon.com/eks/latest/userguide/access-policy-permissions.html"""

_PRINCIPAL = re.compile(r"arn:aws[a-z-]*:iam::\d{12}:(?:role|user)/(?:[^*?]+/)?(?P<name>[^/*?]+)")


def principal_names(arns: Sequence[str], field: str = "admin_principal_arns") -> dict[str, str]:
    """A short name for each principal, the last part of its path, sorted.

    Raises:
        ValueError: an ARN is not one of a role or user, or two end in the same name; `field` is named in the message.
    """
    names: dict[str, str] = {}
    for arn in sorted(set(arns)):
        match = _PRINCIPAL.fullmatch(arn)
        if match is None:
            raise ValueError(
                f"{field}: {arn!r} is not a role or user; allowed are ARNs like "
                "arn:aws:iam::111122223333:role/platform (for a session, give the ARN of its role)"
            )
        if (other := names.get(match["name"])) is not None:
            raise ValueError(f"{field}: {other} and {arn} end in the same name; rename one of them")
        names[match["name"]] = arn
    return names


def admit_administrators(
    name: str,
    cluster_name: pulumi.Input[str],
    principal_arns: Sequence[str],
    partition: str,
    child: pulumi.ResourceOptions,
) -> list[pulumi.Resource]:
    """An access entry and the administrator's policy for each principal, named `{name}-admin-{principal}`."""
    made: list[pulumi.Resource] = []
    for principal, arn in principal_names(principal_arns).items():
        entry = aws.eks.AccessEntry(
            f"{name}-admin-{principal}", cluster_name=cluster_name, principal_arn=arn, type="STANDARD", opts=child
        )
        association = aws.eks.AccessPolicyAssociation(
            f"{name}-admin-{principal}",
            cluster_name=cluster_name,
            principal_arn=entry.principal_arn,
            policy_arn=f"arn:{partition}:eks::aws:cluster-access-policy/{ADMIN_POLICY}",
            access_scope=aws.eks.AccessPolicyAssociationAccessScopeArgs(type="cluster"),
            opts=child,
        )
        made += [entry, association]
    return made
