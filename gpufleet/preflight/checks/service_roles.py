"""Service-linked roles: an account lacks each until its service is first used, and has it only once."""

from collections.abc import Iterator, Mapping
from typing import Final

from gpufleet.preflight.places import CLUSTER
from gpufleet.preflight.pool import SPOT
from gpufleet.preflight.pools import NODE_GROUP, SCALING_GROUP
from gpufleet.preflight.results import CouldNotAsk, Result, failed, passed
from gpufleet.preflight.site import Site

NAME = "service-roles"
PERMISSIONS = ("iam:GetRole",)

ROLE: Final = "aws:iam/serviceLinkedRole:ServiceLinkedRole"
_NAMES: Final[Mapping[str, str]] = {
    "autoscaling.amazonaws.com": "AWSServiceRoleForAutoScaling",
    "eks-nodegroup.amazonaws.com": "AWSServiceRoleForAmazonEKSNodegroup",
    "eks.amazonaws.com": "AWSServiceRoleForAmazonEKS",
    "elasticloadbalancing.amazonaws.com": "AWSServiceRoleForElasticLoadBalancing",
    "fsx.amazonaws.com": "AWSServiceRoleForAmazonFSx",
    "pullthroughcache.ecr.amazonaws.com": "AWSServiceRoleForECRPullThroughCache",
    "spot.amazonaws.com": "AWSServiceRoleForEC2Spot",
}
"""https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_aws-services-that-work-with-iam.html"""
_NEEDED_BY: Final[Mapping[str, tuple[str, ...]]] = {
    "autoscaling.amazonaws.com": (NODE_GROUP, SCALING_GROUP),
    "eks-nodegroup.amazonaws.com": (NODE_GROUP,),
    "eks.amazonaws.com": (CLUSTER,),
    "elasticloadbalancing.amazonaws.com": ("aws:lb/loadBalancer:LoadBalancer",),
    "fsx.amazonaws.com": ("aws:fsx/lustreFileSystem:LustreFileSystem",),
    "pullthroughcache.ecr.amazonaws.com": ("aws:ecr/pullThroughCacheRule:PullThroughCacheRule",),
}


def check(site: Site) -> Iterator[Result]:
    """What the plan needs and does not make has to be there; what it makes must not be, unless it made it.

    Roles are of the account and not of a region, so they are asked about in the first region alone.
    """
    if not site.place.first:
        return
    made = {str(one.inputs.get("awsServiceName")): one for one in site.place.of_account if one.type == ROLE}
    iam = site.aws.client("iam")
    for service, name in _NAMES.items():
        planned = made.get(service)
        if planned is None and not _needed(site, service):
            continue
        try:
            found = site.aws.ask(PERMISSIONS[0], lambda name=name: iam.get_role(RoleName=name), "NoSuchEntity")
        except CouldNotAsk as error:
            yield error.result(f"whether {name} is there")
            continue
        if planned is None:
            yield _needs(service, name, there=found is not None)
            continue
        tags = {tag["Key"]: tag["Value"] for tag in found["Role"].get("Tags") or ()} if found else {}
        if found and not site.place.is_own(planned, tags):
            yield failed(
                f"{name} is there already, and the plan makes it: AWS refuses to make it twice",
                f"take {service} out of what the stack makes, or import the role into its state "
                f"(pulumi import {ROLE} {planned.name} {found['Role']['Arn']})",
                service=service,
            )
        else:
            yield passed(f"{name} {'is of this stack' if found else 'will be made by this stack'}", service=service)


def _needed(site: Site, service: str) -> bool:
    if service == "spot.amazonaws.com":
        return any(SPOT in pool.purchases for pool in site.account_pools)
    return any(one.type in _NEEDED_BY[service] for one in site.place.of_account)


def _needs(service: str, name: str, *, there: bool) -> Result:
    if there:
        return passed(f"{name} is there", service=service)
    return failed(
        f"{name} is missing: {service} was never used in this account, and whoever comes first may not be allowed to "
        "make it",
        f"aws iam create-service-linked-role --aws-service-name {service}",
        service=service,
    )
