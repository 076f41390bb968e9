"""The role of a node: join the cluster, pull images, nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pulumi
import pulumi_aws as aws

from ..arguments import typed
from ..ordering import after
from . import exact_names, service_principals
from .statements import trust

POLICIES = {"worker": "AmazonEKSWorkerNodePolicy", "pull": "AmazonEC2ContainerRegistryPullOnly"}
"""https://docs.aws.amazon.com/eks/latest/userguide/create-node-role.html"""


@dataclass(frozen=True, kw_only=True)
class NodeRoleArgs:
    """What a `NodeRole` is made from."""

    partition: str
    path: str = "/"
    """Before the role's name, where the organisation asks for one: `/gpufleet/`."""
    policies: Mapping[str, pulumi.Input[str]] = field(default_factory=dict[str, pulumi.Input[str]])
    """JSON documents by a short name, for what pulling needs beside the right to pull: `pull_statements` of a
    `PullThroughCache`."""
    permissions_boundary_arn: pulumi.Input[str] | None = None
    """The policy that bounds the role, where the organisation asks for one."""

    def __post_init__(self) -> None:
        exact_names.path("path", self.path)


class NodeRole(pulumi.ComponentResource):
    """The IAM role that EC2 gives to nodes.

    Deliberately not: the network plugin's permissions, which belong to a role of its own (every pod on a node could use
    them otherwise); write access to registries; Session Manager.
    """

    role_arn: pulumi.Output[str]
    """Whoever takes it waits for the role's policies, and goes before them."""
    role_name: pulumi.Output[str]

    def __init__(self, name: str, args: NodeRoleArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:NodeRole", name, None, opts)
        args = typed(args, NodeRoleArgs)
        child = pulumi.ResourceOptions(parent=self)

        role = aws.iam.Role(
            name,
            path=args.path,
            assume_role_policy=trust(service_principals.of("ec2", args.partition)),
            permissions_boundary=args.permissions_boundary_arn,
            opts=child,
        )
        attachments: list[pulumi.Resource] = [
            aws.iam.RolePolicyAttachment(
                f"{name}-{purpose}",
                role=role.name,
                policy_arn=f"arn:{args.partition}:iam::aws:policy/{policy}",
                opts=child,
            )
            for purpose, policy in POLICIES.items()
        ]
        attachments += [
            aws.iam.RolePolicy(f"{name}-{purpose}", role=role.id, policy=policy, opts=child)
            for purpose, policy in sorted(args.policies.items())
        ]

        self.role_arn = after(role.arn, *attachments)
        self.role_name = after(role.name, *attachments)
        self.register_outputs({"roleArn": self.role_arn, "roleName": self.role_name})
