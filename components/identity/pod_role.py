"""The role that the pods of one service account take on."""

from collections.abc import Mapping
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from ..arguments import typed
from ..ordering import after
from . import exact_names
from .statements import MANAGED_LIMIT, pod_identity_trust, within

MOST_POLICIES = 10
"""Managed policies a role takes. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html"""


@dataclass(frozen=True, kw_only=True)
class PodRoleArgs:
    """What a `PodRole` is made from."""

    account_id: str
    cluster_name: pulumi.Input[str]
    cluster_arn: pulumi.Input[str]
    """Of the one cluster whose pods get the role; a plain string lets a preview show the trust policy."""
    namespace: str
    service_account: str
    policies: Mapping[str, pulumi.Input[str]]
    """What the pods may do: JSON documents by a short name, 1 to 10 of 6144 characters each, such as
    `statements.managed` makes from grants."""
    path: str = "/"
    """Before the role's name, where the organisation asks for one: `/gpufleet/`."""
    permissions_boundary_arn: pulumi.Input[str] | None = None

    def __post_init__(self) -> None:
        exact_names.namespace("namespace", self.namespace)
        exact_names.service_account("service_account", self.service_account)
        exact_names.path("path", self.path)
        if not 1 <= len(self.policies) <= MOST_POLICIES:
            raise ValueError(
                f"policies: {len(self.policies)} were given, a role takes 1 to {MOST_POLICIES}; put the statements of "
                f"small ones into one document of {MANAGED_LIMIT} characters"
            )
        for grant, text in self.policies.items():
            if isinstance(text, str):
                within(text, MANAGED_LIMIT, f"policies.{grant}")


class PodRole(pulumi.ComponentResource):
    """An IAM role for one service account of one cluster, by EKS Pod Identity.

    Creates: the role, which EKS may hand to that service account alone (account, cluster, namespace and name all
    stand in its trust policy); a managed policy for each document; the association. Sessions carry the pod's tags, so
    policies can say `${aws:PrincipalTag/kubernetes-namespace}`. Deliberately not: the service account itself, roles by
    web identity, several service accounts a role.
    """

    role_arn: pulumi.Output[str]
    """Whoever takes it waits for the role's policies."""
    role_name: pulumi.Output[str]
    service_account: pulumi.Output[str]
    """The service account's name again: pods that take it from here start after the association, without which they
    would run on no credentials until they are restarted."""

    def __init__(self, name: str, args: PodRoleArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:PodRole", name, None, opts)
        args = typed(args, PodRoleArgs)
        child = pulumi.ResourceOptions(parent=self)

        role = aws.iam.Role(
            name,
            path=args.path,
            description=f"Pods of {args.service_account} in {args.namespace}",
            assume_role_policy=pod_identity_trust(
                args.account_id, args.cluster_arn, args.namespace, args.service_account
            ),
            permissions_boundary=args.permissions_boundary_arn,
            opts=child,
        )
        attachments: list[pulumi.Resource] = []
        for grant, text in sorted(args.policies.items()):
            policy = aws.iam.Policy(f"{name}-{grant}", path=args.path, policy=_measured(grant, text), opts=child)
            attachments.append(
                aws.iam.RolePolicyAttachment(f"{name}-{grant}", role=role.name, policy_arn=policy.arn, opts=child)
            )
        association = aws.eks.PodIdentityAssociation(
            name,
            cluster_name=args.cluster_name,
            namespace=args.namespace,
            service_account=args.service_account,
            role_arn=after(role.arn, *attachments),
            opts=child,
        )

        self.role_arn = after(role.arn, *attachments)
        self.role_name = after(role.name, *attachments)
        self.service_account = after(args.service_account, association)
        self.register_outputs(
            {"roleArn": self.role_arn, "roleName": self.role_name, "serviceAccount": self.service_account}
        )


def _measured(grant: str, text: pulumi.Input[str]) -> pulumi.Output[str]:
    """The document, checked as soon as it is known."""
    return pulumi.Output.from_input(text).apply(lambda known: within(known, MANAGED_LIMIT, f"policies.{grant}"))
