"""A grant of all but a few grows by itself with every service that AWS adds."""

from collections.abc import Iterator

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._buckets import BUCKETS, side
from ._documents import CARRIERS, attached, statements
from ._for_type import Report, for_type
from ._reading import UNKNOWN

_OF_RESOURCES = (
    *("aws:ecr/repositoryPolicy:RepositoryPolicy", "aws:kms/key:Key", "aws:kms/keyPolicy:KeyPolicy"),
    *("aws:secretsmanager/secretPolicy:SecretPolicy", "aws:sns/topicPolicy:TopicPolicy"),
    *("aws:sqs/queuePolicy:QueuePolicy", "aws:sqs/queue:Queue", "aws:sns/topic:Topic"),
    *("aws:ec2/vpcEndpoint:VpcEndpoint", "aws:ec2/vpcEndpointPolicy:VpcEndpointPolicy"),
    *BUCKETS,
    *side("BucketPolicy"),
)


def _check(args: ResourceValidationArgs, report: Report) -> None:
    for where, policy in attached(args.props):
        for statement in (None if policy is UNKNOWN else statements(policy)) or ():
            for name in _excluding(statement.excludes) if statement.allows else ():
                report(
                    f"{where}, {statement.label}: Allow with {name} grants all but a few; it must name what it grants."
                )


def _excluding(excludes: tuple[str, ...]) -> Iterator[str]:
    """NotPrincipal is left to the rules that ask who is let in."""
    return (name for name in excludes if name != "NotPrincipal")


RULE = ResourceValidationPolicy(
    name="iam-policy-no-not-action",
    description="A grant of all but a few grows by itself with every service that AWS adds.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["identity"],
    remediation_steps="Allow by Action and Resource; keep NotAction and NotResource for statements that deny.",
    url="https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_notaction.html",
    validate=for_type(_check, *CARRIERS, *_OF_RESOURCES),
)
