"""Nodes get their rights by a role or a profile; with neither or both Karpenter refuses the class."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._karpenter import NODE_CLASS
from ._reading import read


def _check(args: ResourceValidationArgs, report: Report) -> None:
    said = [key for key in ("role", "instanceProfile") if read(args.props, "spec", key) is not None]
    if len(said) != 1:
        report(f"spec has {' and '.join(said) or 'neither role nor instanceProfile'}; it must have one of the two.")


RULE = ResourceValidationPolicy(
    name="karpenter-node-class-one-identity",
    description="Nodes get their rights by a role or a profile; with neither or both Karpenter refuses the class.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "identity"],
    remediation_steps="Set spec.role, from which Karpenter makes a profile, or in a closed network "
    "spec.instanceProfile.",
    url="https://karpenter.sh/docs/concepts/nodeclasses/#specrole",
    validate=for_type(_check, *NODE_CLASS),
)
