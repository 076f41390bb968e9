"""Images of GPU programs have ten gigabytes and more each, and without a rule all of them are kept for ever."""

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._frameworks import security_hub
from ._reading import read
from ._stack import Report, Stack, for_stack

_REPOSITORY = "aws:ecr/repository:Repository"


def _check(stack: Stack, report: Report) -> None:
    served: set[str] = set()
    for policy in stack.of("aws:ecr/lifecyclePolicy:LifecyclePolicy"):
        named = read(policy.props, "repository")
        served |= {found.urn for found in stack.links(policy, "repository", named, _REPOSITORY).all}
        served |= {one.urn for one in stack.of(_REPOSITORY) if named is not None and read(one.props, "name") == named}
    for repository in stack.of(_REPOSITORY):
        if repository.urn not in served:
            report("has no aws.ecr.LifecyclePolicy; it should have one that lets old images go.", repository.urn)


RULE = StackValidationPolicy(
    name="ecr-repository-lifecycle",
    description="Images of GPU programs have ten gigabytes and more each, and without a rule all of them are kept for "
    "ever.",
    severity=Severity.LOW,
    # Some must keep every image that was ever run.
    enforcement_level=EnforcementLevel.ADVISORY,
    framework=security_hub("ECR.3"),
    tags=["data", "money"],
    remediation_steps="Add aws.ecr.LifecyclePolicy with a rule for images without a tag and one for all but the "
    "newest.",
    url="https://docs.aws.amazon.com/AmazonECR/latest/userguide/LifecyclePolicies.html",
    validate=for_stack(_check),
)
