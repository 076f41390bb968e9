"""EFA traffic that its security group does not let in and out is dropped, and jobs hang at their first exchange."""

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._admission import Admission
from ._node_sets import node_sets
from ._stack import Report, Stack, for_stack


def _check(stack: Stack, report: Report) -> None:
    inwards, outwards = Admission(stack), Admission(stack, "egress")
    told: set[str] = set()
    for nodes in node_sets(stack):
        # A group of another stack cannot be looked into.
        if (
            not nodes.efa_interfaces
            or nodes.maker is None
            or nodes.maker.urn in told
            or not nodes.groups.certain
            or nodes.groups.possible
        ):
            continue
        told.add(nodes.maker.urn)
        lacking = [
            way
            for way, admission in (("ingress", inwards), ("egress", outwards))
            if not any(admission.admits_itself(group) for group in nodes.groups.certain)
        ]
        if lacking:
            report(
                f"{len(nodes.efa_interfaces)} EFA interfaces, and none of their security groups has a rule for all "
                f"its own traffic ({' and '.join(lacking)}); EFA needs both.",
                nodes.maker.urn,
            )


RULE = StackValidationPolicy(
    name="ec2-efa-group-admits-itself",
    description="EFA traffic that its security group does not let in and out again is dropped, and jobs hang at their "
    "first exchange.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "gpu", "network"],
    remediation_steps="Give EFA interfaces a security group with an ingress and an egress rule for protocol -1 that "
    "both name the group itself.",
    url="https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-start.html",
    validate=for_stack(_check),
)
