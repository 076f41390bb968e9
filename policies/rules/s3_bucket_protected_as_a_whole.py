"""A bucket that cannot be deleted by mistake is still opened by mistake, if its policy and its blocks can be."""

from collections import defaultdict

from pulumi_policy import EnforcementLevel, PolicyResource, Severity, StackValidationPolicy

from ._buckets import BUCKETS, side
from ._reading import read
from ._stack import Report, Stack, for_stack

_SIDES = (
    *("BucketLifecycleConfiguration", "BucketOwnershipControls", "BucketPolicy", "BucketPublicAccessBlock"),
    *("BucketServerSideEncryptionConfiguration", "BucketVersioning"),
)


def _check(stack: Stack, report: Report) -> None:
    families: defaultdict[str, list[PolicyResource]] = defaultdict(list)
    for resource in stack.of(*(token for kind in _SIDES for token in side(kind))):
        for bucket in stack.links(resource, "bucket", read(resource.props, "bucket"), *BUCKETS).certain:
            families[bucket.urn].append(resource)
    for bucket in stack.of(*BUCKETS):
        family = [bucket, *families[bucket.urn]]
        kept = [resource for resource in family if resource.opts.protect]
        for resource in family if kept else ():
            if not resource.opts.protect:
                report(
                    f"is not protected, and {len(kept)} other resources of bucket {bucket.name} are; all of them must "
                    "be, or none.",
                    resource.urn,
                )


RULE = StackValidationPolicy(
    name="s3-bucket-protected-as-a-whole",
    description="A bucket that cannot be deleted by mistake is still opened by mistake, if its policy and its "
    "blocks can be.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["data"],
    remediation_steps="Set the resource option protect on the bucket and on all that belongs to it; a component's "
    "options pass it on.",
    url="https://www.pulumi.com/docs/iac/concepts/resources/options/protect/",
    validate=for_stack(_check),
)
