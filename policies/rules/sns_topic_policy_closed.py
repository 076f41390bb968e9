"""A topic that strangers may publish to or read cries wolf or tells on you, and plain HTTP lets them read along."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._messaging import faults
from ._reading import read
from ._resource_policies import TOPICS


def _check(args: ResourceValidationArgs, report: Report) -> None:
    for fault in faults(read(args.props, "policy")):
        report(f"policy {fault}" if fault.startswith(("cannot", "does")) else f"policy, {fault}")


RULE = ResourceValidationPolicy(
    name="sns-topic-policy-closed",
    description="A topic that strangers may publish to or read cries wolf or tells on you, and plain HTTP lets them "
    "read along.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["data", "identity"],
    remediation_steps="Name who may use the topic (a service with aws:SourceArn), and deny Principal * everything "
    "where aws:SecureTransport is false.",
    url="https://docs.aws.amazon.com/sns/latest/dg/sns-security-best-practices.html",
    validate=for_type(_check, *TOPICS),
)
