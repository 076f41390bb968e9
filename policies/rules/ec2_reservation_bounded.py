"""A reservation is billed, used or not, until somebody ends it, and an open one is used up by whoever comes first."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._reading import UNKNOWN, read, shown


def _check(args: ResourceValidationArgs, report: Report) -> None:
    kind, match = read(args.props, "endDateType"), read(args.props, "instanceMatchCriteria")
    if kind is not UNKNOWN and kind != "limited":
        report(f"endDateType is {shown(kind)} (AWS default unlimited); it must be limited, with an endDate.")
    if match is not UNKNOWN and match != "targeted":
        report(f"instanceMatchCriteria is {shown(match)} (AWS default open); it must be targeted.")


RULE = ResourceValidationPolicy(
    name="ec2-reservation-bounded",
    description="A reservation is billed, used or not, until somebody ends it, and an open one is used up by whoever "
    "comes first.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "gpu", "money"],
    remediation_steps="Set end_date_type limited with an end_date, and instance_match_criteria targeted; the pool "
    "names the reservation.",
    url="https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-reservations.html",
    validate=for_type(_check, "aws:ec2/capacityReservation:CapacityReservation"),
)
