"""Data in another region than the GPUs is charged by the gigabyte, arrives late, and keeps dear machines waiting.

What counts as the GPUs' data: a bucket that a file system is linked to, a file system in a region without a GPU pool
while there are pools elsewhere, and a bucket named by a policy of a role that the pods of a cluster take on.
"""

import re
from collections.abc import Iterator

from pulumi_policy import EnforcementLevel, PolicyResource, Severity, StackValidationPolicy

from ._buckets import BUCKETS
from ._pools import gpu_pools
from ._reading import read
from ._regions import region_of
from ._stack import Report, Stack, for_stack
from ._walk import texts

_LUSTRE = "aws:fsx/lustreFileSystem:LustreFileSystem"
_ROLE = "aws:iam/role:Role"
_POLICY = "aws:iam/policy:Policy"


def _check(stack: Stack, report: Report) -> None:
    for reader, bucket in [*_linked(stack), *_granted(stack)]:
        here, there = region_of(reader), region_of(bucket)
        if here and there and here != there:
            report(f"reads bucket {bucket.name} of {there} from {here}; both must lie in one region.", reader.urn)
    with_gpus = {region_of(pool.resource) for pool in gpu_pools(stack)}
    for system in stack.of(_LUSTRE):
        region = region_of(system)
        if region and with_gpus and None not in with_gpus and region not in with_gpus:
            gpus = ", ".join(sorted(r for r in with_gpus if r))
            report(f"lies in {region}, but the GPU node groups in {gpus}; it must lie where they do.", system.urn)


def _linked(stack: Stack) -> Iterator[tuple[PolicyResource, PolicyResource]]:
    """Associations of a file system, and the bucket behind each; what it may be does not count."""
    buckets = {name: bucket for bucket in stack.of(*BUCKETS) if isinstance(name := read(bucket.props, "bucket"), str)}
    for association in stack.of("aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation"):
        path = read(association.props, "dataRepositoryPath")
        if isinstance(path, str) and (bucket := buckets.get(path.removeprefix("s3://").partition("/")[0])):
            yield association, bucket


def _granted(stack: Stack) -> Iterator[tuple[PolicyResource, PolicyResource]]:
    """Pod Identity associations, and each bucket whose name stands in a policy of the role they give."""
    by_role: dict[str, list[PolicyResource]] = {}
    for policy, holder in _policies(stack):
        for role in stack.links(holder, "role", read(holder.props, "role"), _ROLE).certain:
            by_role.setdefault(role.urn, []).append(policy)
    for association in stack.of("aws:eks/podIdentityAssociation:PodIdentityAssociation"):
        for role in stack.links(association, "roleArn", read(association.props, "roleArn"), _ROLE).certain:
            for policy in by_role.get(role.urn, ()):
                yield from ((association, bucket) for bucket in _named(policy))


def _policies(stack: Stack) -> Iterator[tuple[PolicyResource, PolicyResource]]:
    """Policies that hold a document, each with the resource that gives it to a role."""
    for inline in stack.of("aws:iam/rolePolicy:RolePolicy"):
        yield inline, inline
    for attachment in stack.of("aws:iam/rolePolicyAttachment:RolePolicyAttachment"):
        value = read(attachment.props, "policyArn")
        yield from ((policy, attachment) for policy in stack.links(attachment, "policyArn", value, _POLICY).certain)


def _named(policy: PolicyResource) -> Iterator[PolicyResource]:
    """Buckets of the stack that the document is made of and certainly names."""
    said = "\n".join(text for _, text in texts(read(policy.props, "policy")))
    for bucket in policy.property_dependencies.get("policy", ()):
        name = read(bucket.props, "bucket") if bucket.resource_type in BUCKETS else None
        if isinstance(name, str) and re.search(rf":::{re.escape(name)}(?![\w.-])", said):
            yield bucket


RULE = StackValidationPolicy(
    name="data-same-region",
    description="Data in another region than the GPUs is charged by the gigabyte, arrives late, and keeps dear "
    "machines waiting.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["data", "money"],
    remediation_steps="Replicate the bucket into the GPUs' region and read the copy, or move the pool to the data.",
    url="https://docs.aws.amazon.com/AmazonS3/latest/userguide/replication.html",
    validate=for_stack(_check),
)
