"""Availability zones: an account sees some of a region's, by names of its own."""

from collections.abc import Iterator

from gpufleet.plan.graph import UNKNOWN
from gpufleet.preflight.places import SUBNET
from gpufleet.preflight.results import Result, failed, passed
from gpufleet.preflight.site import Site

NAME = "zones"
PERMISSIONS = ("ec2:DescribeAvailabilityZones",)


def check(site: Site) -> Iterator[Result]:
    """Whether the account may use the zones that the planned subnets are in."""
    planned = {one.inputs.get("availabilityZone") for one in site.place.of(SUBNET)}
    zones = sorted(str(zone) for zone in planned if zone and zone != UNKNOWN)
    if not zones:
        return
    client = site.aws.client("ec2")
    found = site.aws.told(PERMISSIONS[0], client.describe_availability_zones)["AvailabilityZones"]
    there = sorted(one["ZoneName"] for one in found if one["State"] == "available")
    if missing := [zone for zone in zones if zone not in there]:
        yield failed(
            f"{', '.join(missing)} cannot be used by this account in {site.region}",
            f"take zones out of {', '.join(there)}",
            planned=zones,
            available=there,
        )
    else:
        yield passed(f"{', '.join(zones)} are there", planned=zones, available=there)
