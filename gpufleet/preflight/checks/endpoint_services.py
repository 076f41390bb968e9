"""VPC endpoints: whether the region has the services, in the zones of the subnets."""

import difflib
from collections.abc import Iterable, Iterator

from gpufleet.plan.graph import UNKNOWN
from gpufleet.preflight.pools import zones_of
from gpufleet.preflight.results import Result, failed, passed
from gpufleet.preflight.site import Site
from gpufleet.pricing import wire

NAME = "endpoints"
PERMISSIONS = ("ec2:DescribeVpcEndpointServices",)

ENDPOINT = "aws:ec2/vpcEndpoint:VpcEndpoint"


def check(site: Site) -> Iterator[Result]:
    """For each endpoint of the plan; what is well is told in one line."""
    planned = [one for one in site.place.of(ENDPOINT) if one.inputs.get("serviceName") not in (None, UNKNOWN)]
    names = sorted({str(one.inputs["serviceName"]) for one in planned})
    if not names:
        return
    # All of them: asked by name, one service that is not there fails the whole question.
    listed = site.aws.listed(PERMISSIONS[0], "ec2", "describe_vpc_endpoint_services", "ServiceDetails")
    found = {str(one["ServiceName"]): one for one in listed}
    there: list[str] = []
    for endpoint in planned:
        name = str(endpoint.inputs["serviceName"])
        service = found.get(name)
        if service is None:
            yield failed(
                f"{endpoint.name}: {site.region} has no endpoint service {name}",
                f"{_nearest(name, found)}; what there is: "
                f"aws ec2 describe-vpc-endpoint-services --region {site.region} --query ServiceNames",
                service=name,
            )
            continue
        zones, _ = zones_of(site.place, wire.items(endpoint.inputs, "subnetIds"))
        has: list[str] = service.get("AvailabilityZones") or list(zones)
        if missing := [zone for zone in zones if zone not in has]:
            yield failed(
                f"{endpoint.name}: {name} has no endpoint in {', '.join(missing)}",
                f"give the endpoint subnets of {', '.join(has)} only",
                service=name,
                zones=has,
            )
            continue
        there.append(name)
    if there:
        names = sorted(set(there))
        yield passed(f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} there", services=names)


def _nearest(name: str, found: Iterable[str]) -> str:
    like = difflib.get_close_matches(name, found, n=3, cutoff=0.8)
    return f"did you mean {', '.join(like)}?" if like else "correct the name, or leave the endpoint out"
