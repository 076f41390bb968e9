"""Holes that become known after a push stay unseen in a registry that scans only then, or never."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._frameworks import security_hub
from ._reading import UNKNOWN, elements, read, shown

_TYPE = "aws:ecr/registryScanningConfiguration:RegistryScanningConfiguration"


def _check(args: ResourceValidationArgs, report: Report) -> None:
    kind = read(args.props, "scanType")
    if kind not in ("ENHANCED", UNKNOWN):
        report(f"scanType is {shown(kind)}; it must be ENHANCED, which looks again when a new hole is known.")
    for index, rule in enumerate(elements(read(args.props, "rules"))):
        if read(rule, "scanFrequency") == "MANUAL":
            report(f"rules[{index}].scanFrequency is MANUAL; it must be CONTINUOUS_SCAN or SCAN_ON_PUSH.")


RULE = ResourceValidationPolicy(
    name="ecr-registry-scans",
    description="Holes that become known after a push stay unseen in a registry that scans only then, or never.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("ECR.1"),
    tags=["data"],
    remediation_steps="Set scan_type ENHANCED with a rule of scan_frequency CONTINUOUS_SCAN for every repository.",
    url="https://docs.aws.amazon.com/AmazonECR/latest/userguide/image-scanning-enhanced.html",
    validate=for_type(_check, _TYPE),
)
