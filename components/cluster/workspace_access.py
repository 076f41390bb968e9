"""What people may do in the namespaces of a cluster: access entries, nothing in aws-auth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pulumi
import pulumi_aws as aws

from ..arguments import typed
from ..identity import exact_names
from . import access

POLICIES = {"admin": "AmazonEKSAdminPolicy", "developer": "AmazonEKSEditPolicy", "viewer": "AmazonEKSViewPolicy"}
"""The part that somebody has in a workspace -> EKS's policy for it, the most powerful first.
https://docs.aws.amazon.com/eks/latest/userguide/access-policy-permissions.html"""


@dataclass(frozen=True, kw_only=True)
class WorkspaceAccessArgs:
    """What a `WorkspaceAccess` is made from."""

    cluster_name: pulumi.Input[str]
    partition: str
    admins: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """Namespace -> ARNs of the roles and users who may do everything in it, to roles and their bindings too."""
    developers: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """Namespace -> those who may run and change workloads in it, and read its secrets."""
    viewers: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """Namespace -> those who may look, but not at secrets."""
    cluster_admin_principal_arns: Sequence[str] = ()
    """Those that `GpuCluster` admits as administrators: they have an entry and every right already, and EKS takes one
    entry a principal, so they are left out here."""

    def __post_init__(self) -> None:
        for part, given in (("admins", self.admins), ("developers", self.developers), ("viewers", self.viewers)):
            for namespace, arns in given.items():
                exact_names.namespace(part, namespace)
                access.principal_names(arns, f"{part}.{namespace}")
        access.principal_names(list(members(self)), "admins, developers, viewers")


class WorkspaceAccess(pulumi.ComponentResource):
    """All that the people of a cluster's workspaces may do; one a cluster.

    EKS takes one entry a principal and one scope for each policy of it, so whoever works in several workspaces has
    one entry, with all of them in it. Creates: the entry, whose Kubernetes groups (`group`) the cluster's own role
    bindings can name, for the custom resources that EKS's policies do not cover; a policy for each part played, scoped
    to the namespaces. Deliberately not: administrators of the cluster, namespaces, role bindings.
    """

    groups: pulumi.Output[dict[str, list[str]]]
    """Principal's ARN -> its groups."""

    def __init__(self, name: str, args: WorkspaceAccessArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:WorkspaceAccess", name, None, opts)
        args = typed(args, WorkspaceAccessArgs)
        child = pulumi.ResourceOptions(parent=self)

        admitted = members(args)
        groups = {
            arn: sorted(group(namespace, part) for part, namespaces in parts.items() for namespace in namespaces)
            for arn, parts in admitted.items()
        }
        for principal, arn in access.principal_names(list(admitted)).items():
            entry = aws.eks.AccessEntry(
                f"{name}-{principal}",
                cluster_name=args.cluster_name,
                principal_arn=arn,
                kubernetes_groups=groups[arn],
                type="STANDARD",
                opts=child,
            )
            for part, namespaces in admitted[arn].items():
                aws.eks.AccessPolicyAssociation(
                    f"{name}-{principal}-{part}",
                    cluster_name=args.cluster_name,
                    principal_arn=entry.principal_arn,
                    policy_arn=f"arn:{args.partition}:eks::aws:cluster-access-policy/{POLICIES[part]}",
                    access_scope=aws.eks.AccessPolicyAssociationAccessScopeArgs(
                        type="namespace", namespaces=list(namespaces)
                    ),
                    opts=child,
                )

        self.groups = pulumi.Output.from_input(groups)
        self.register_outputs({"groups": self.groups})


def group(namespace: str, part: str) -> str:
    """The Kubernetes group of those who play a part (`admin`, `developer`, `viewer`) in a namespace.

    EKS refuses groups that begin with `system:`, `eks:`, `aws:`, `amazon:` or `iam:`.
    """
    return f"gpufleet:{namespace}:{part}"


def members(args: WorkspaceAccessArgs) -> dict[str, dict[str, list[str]]]:
    """Principal -> part -> namespaces, each sorted; who plays several parts in a namespace has the most powerful."""
    given = {"admin": args.admins, "developer": args.developers, "viewer": args.viewers}
    taken: dict[str, dict[str, str]] = {}
    for part in POLICIES:
        for namespace, arns in given[part].items():
            for arn in set(arns) - set(args.cluster_admin_principal_arns):
                taken.setdefault(arn, {}).setdefault(namespace, part)
    return {
        arn: {
            part: sorted(namespace for namespace, played in parts.items() if played == part)
            for part in POLICIES
            if part in parts.values()
        }
        for arn, parts in sorted(taken.items())
    }
