"""Capacity that a pool reserves for itself: an on-demand reservation with an end, or a capacity block."""

from collections.abc import Mapping

import pulumi
import pulumi_aws as aws

from .design.shapes import Design

PLATFORM = "Linux/UNIX"


def build(
    name: str, design: Design, tags: Mapping[str, str], child: pulumi.ResourceOptions
) -> pulumi.Input[str] | None:
    """The id of the reservation that the nodes run in; None where they run in none."""
    if design.makes_reservation == "on-demand":
        return _on_demand(name, design, tags, child)
    if design.makes_reservation == "capacity-block":
        return _block(name, design, tags, child)
    return design.reservation_id


def _on_demand(name: str, design: Design, tags: Mapping[str, str], child: pulumi.ResourceOptions) -> pulumi.Output[str]:
    held = design.request.reservation
    if held is None or held.ends is None:
        raise ValueError("reservation_ends: missing; what is reserved is billed, used or not, so it needs an end")
    return aws.ec2.CapacityReservation(
        f"{name}-reservation",
        instance_type=design.instance_types[0],
        instance_platform=PLATFORM,
        instance_count=held.count or design.request.max_nodes,
        availability_zone=design.zones[0],
        tenancy=design.tenancy or "default",
        # Only who names it runs in it: with `open` any instance of the type would take a place.
        instance_match_criteria="targeted",
        end_date_type="limited",
        end_date=held.ends.strftime("%Y-%m-%dT%H:%M:%SZ"),
        tags={"Name": name, **tags},
        opts=child,
    ).id


def _block(name: str, design: Design, tags: Mapping[str, str], child: pulumi.ResourceOptions) -> pulumi.Output[str]:
    held = design.request.reservation
    # It is paid for and cannot be given back, so nothing here may delete, replace or forget it by mistake.
    kept = pulumi.ResourceOptions(protect=True, retain_on_delete=True)
    return aws.ec2.CapacityBlockReservation(
        f"{name}-block",
        capacity_block_offering_id=held.offering_id if held else None,
        instance_platform=PLATFORM,
        tags={"Name": name, **tags},
        opts=pulumi.ResourceOptions.merge(child, kept),
    ).id
