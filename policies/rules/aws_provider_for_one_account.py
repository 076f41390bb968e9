"""A provider that takes whatever account the credentials are for builds production in the wrong one."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._reading import read


def _check(args: ResourceValidationArgs, report: Report) -> None:
    # The engine's own default provider is named so, and takes its settings from the stack's configuration.
    if args.name.startswith("default"):
        return
    if all(read(args.props, key) in (None, "", "[]") for key in ("allowedAccountIds", "forbiddenAccountIds")):
        report("allowedAccountIds is not set; it should name the one account that this is for.")


RULE = ResourceValidationPolicy(
    name="aws-provider-for-one-account",
    description="A provider that takes whatever account the credentials are for builds production in the wrong one.",
    severity=Severity.MEDIUM,
    # Where a role of the account is assumed, the provider cannot end up elsewhere.
    enforcement_level=EnforcementLevel.ADVISORY,
    tags=["account"],
    remediation_steps="Set allowed_account_ids on the provider.",
    url="https://www.pulumi.com/registry/packages/aws/api-docs/provider/",
    validate=for_type(_check, "pulumi:providers:aws"),
)
