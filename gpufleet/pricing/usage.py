"""What is billed by the GiB: traffic and storage, of which a plan tells where and only people tell how much."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Final

from gpufleet.facts import prices
from gpufleet.pricing import wire
from gpufleet.pricing.charge import Charge, Gap, fixed
from gpufleet.pricing.index import Context, Resource, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One thing that is billed by the GiB."""

    what: str
    type: str
    """The resource type it flows through or lies in; the stated GiB are spread evenly over all of the stack's."""
    price: str
    """Key of `gpufleet.facts.prices.service`."""
    times: int = 1
    """How often one GiB is billed."""
    note: str = ""


KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        "nat_gib_per_month": Kind(
            what="data through NAT gateways", type="aws:ec2/natGateway:NatGateway", price="nat-gateway-gib"
        ),
        "endpoint_gib_per_month": Kind(
            what="data through interface endpoints",
            type="aws:ec2/vpcEndpoint:VpcEndpoint",
            price="interface-endpoint-gib",
        ),
        "cross_zone_gib_per_month": Kind(
            what="traffic between zones",
            type="aws:ec2/vpc:Vpc",
            price="cross-zone-gib",
            times=2,
            note="billed to the sender and to the receiver",
        ),
        "internet_gib_per_month": Kind(
            what="traffic out to the internet", type="aws:ec2/vpc:Vpc", price="internet-out-gib"
        ),
        "s3_gib": Kind(what="data in S3", type="aws:s3/bucket:Bucket", price="s3-standard", note="class Standard"),
        "log_gib_per_month": Kind(
            what="logs ingested", type="aws:cloudwatch/logGroup:LogGroup", price="logs-ingested-gib"
        ),
        "registry_gib": Kind(what="images in ECR", type="aws:ecr/repository:Repository", price="ecr-storage"),
    }
)
"""By the name of the command line's option, with underscores."""


def carries(resource: Resource, kind: Kind) -> bool:
    """Whether the resource is one of those that this is billed at."""
    if field(resource, "type") != kind.type:
        return False
    is_endpoint = kind.type == "aws:ec2/vpcEndpoint:VpcEndpoint"
    return not is_endpoint or wire.value(resource.get("inputs"), "vpcEndpointType") == "Interface"


def charges(resource: Resource, context: Context) -> Iterator[Charge | Gap]:
    """The resource's share of what was stated; nothing where nothing was."""
    for key, amount in context.assumptions.usage.items():
        kind = KINDS[key]
        if not amount or not carries(resource, kind):
            continue
        price = prices.service(kind.price, context.region)
        if price is None:
            yield Gap(f"no price is known for {kind.what}")
            continue
        note = "; ".join(filter(None, ["as stated, the same at floor and ceiling", kind.note]))
        share = amount / context.index.count(kind.type, lambda other, kind=kind: carries(other, kind))
        yield fixed(kind.what, share * Decimal(kind.times), price, note)
