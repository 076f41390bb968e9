"""The roles that AWS services act by, and that an account lacks until each service is first used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from ..arguments import typed
from ..ordering import after

ROLES: Mapping[str, str] = {
    "autoscaling.amazonaws.com": "AWSServiceRoleForAutoScaling",
    "eks.amazonaws.com": "AWSServiceRoleForAmazonEKS",
    "eks-nodegroup.amazonaws.com": "AWSServiceRoleForAmazonEKSNodegroup",
    "elasticloadbalancing.amazonaws.com": "AWSServiceRoleForElasticLoadBalancing",
    "fsx.amazonaws.com": "AWSServiceRoleForAmazonFSx",
    "pullthroughcache.ecr.amazonaws.com": "AWSServiceRoleForECRPullThroughCache",
    "spot.amazonaws.com": "AWSServiceRoleForEC2Spot",
}
"""Service -> the one name its role has in every account.
https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_aws-services-that-work-with-iam.html

Not here: `s3.data-source.lustre.fsx.amazonaws.com`, of which FSx makes one for each file system that is linked to a
bucket, named after it (https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-service-linked-roles.html): whoever
links one needs the right to, and nobody can do it beforehand."""


def needed(
    *,
    spot: bool = False,
    load_balancers: bool = False,
    lustre: bool = False,
    pull_through_cache: bool = False,
) -> tuple[str, ...]:
    """The services whose roles a stack of these features needs, sorted.

    EKS, its node groups and Auto Scaling, to which the keys of node volumes are opened by name, are in every stack.
    """
    features = {
        "elasticloadbalancing.amazonaws.com": load_balancers,
        "fsx.amazonaws.com": lustre,
        "pullthroughcache.ecr.amazonaws.com": pull_through_cache,
        "spot.amazonaws.com": spot,
    }
    always = ("autoscaling.amazonaws.com", "eks.amazonaws.com", "eks-nodegroup.amazonaws.com")
    return tuple(sorted([*always, *(service for service, wanted in features.items() if wanted)]))


@dataclass(frozen=True, kw_only=True)
class ServiceLinkedRolesArgs:
    """What `ServiceLinkedRoles` are made from."""

    account_id: str
    partition: str
    services: Sequence[str]
    """As `needed` answers; each by its principal, such as `spot.amazonaws.com`."""
    created: Sequence[str] = ()
    """Those of them that this stack makes. The others are adopted: they are there, made by another stack or by first
    use. AWS refuses to make one twice, so in each account exactly one stack creates, and only what is missing."""

    def __post_init__(self) -> None:
        for service in self.services:
            if service not in ROLES:
                raise ValueError(f"services: {service!r} is not known; allowed are {', '.join(ROLES)}")
        for service in self.created:
            if service not in self.services:
                raise ValueError(
                    f"created: {service!r} is not among services ({', '.join(self.services)}); only what is needed is "
                    "created, so take it out"
                )


class ServiceLinkedRoles(pulumi.ComponentResource):
    """The service-linked roles of a stack, created or adopted; one a stack, for they belong to the whole account.

    What is created stays when the stack goes: others of the account use it by then. What is adopted is not looked up,
    only named. Deliberately not: suffixes, tags, deletion.
    """

    role_arns: pulumi.Output[dict[str, str]]
    """By service. Whoever takes them comes after the roles: a key whose policy names one, a pool that asks for spot."""
    adopted: pulumi.Output[Sequence[str]]
    """The services whose roles have to be there already, sorted; for the stack's report."""

    def __init__(self, name: str, args: ServiceLinkedRolesArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:ServiceLinkedRoles", name, None, opts)
        args = typed(args, ServiceLinkedRolesArgs)
        keep = pulumi.ResourceOptions(parent=self, retain_on_delete=True)

        created = [
            aws.iam.ServiceLinkedRole(f"{name}-{service.partition('.')[0]}", aws_service_name=service, opts=keep)
            for service in sorted(set(args.created))
        ]

        self.role_arns = after(
            {service: role_arn(args.account_id, args.partition, service) for service in sorted(set(args.services))},
            *created,
        )
        self.adopted = pulumi.Output.from_input(sorted(set(args.services) - set(args.created)))
        self.register_outputs({"roleArns": self.role_arns, "adopted": self.adopted})


def role_arn(account_id: str, partition: str, service: str) -> str:
    """The ARN that the service's role has in the account, whoever made it."""
    return f"arn:{partition}:iam::{account_id}:role/aws-service-role/{service}/{ROLES[service]}"
