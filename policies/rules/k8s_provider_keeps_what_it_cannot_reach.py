"""A cluster that cannot be reached for an hour is forgotten, with all that runs and costs in it."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._reading import differs, read


def _check(args: ResourceValidationArgs, report: Report) -> None:
    if differs(read(args.props, "deleteUnreachable"), False, absent=False):
        report("deleteUnreachable is true; it must be false, or a lost connection empties the state.")


RULE = ResourceValidationPolicy(
    name="k8s-provider-keeps-what-it-cannot-reach",
    description="A cluster that cannot be reached for an hour is forgotten, with all that runs and costs in it.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["kubernetes"],
    remediation_steps="Leave delete_unreachable out; remove what is really gone with pulumi state delete.",
    url="https://www.pulumi.com/registry/packages/kubernetes/api-docs/provider/",
    validate=for_type(_check, "pulumi:providers:kubernetes"),
)
