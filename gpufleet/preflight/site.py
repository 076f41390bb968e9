"""A place together with who asks there: all that a check is given."""

from dataclasses import dataclass

from gpufleet.preflight.asking import Aws
from gpufleet.preflight.places import Place
from gpufleet.preflight.pool import Pool


@dataclass(frozen=True, kw_only=True)
class Site:
    """One place of the plan, and the credentials to ask there."""

    place: Place
    pools: tuple[Pool, ...]
    account_pools: tuple[Pool, ...]
    """Those of all regions of the same credentials."""
    aws: Aws
    account_id: str

    @property
    def region(self) -> str:
        """The region's name."""
        return self.place.region

    def zones_of(self, pool: Pool) -> tuple[str, ...]:
        """The zones of a pool; AWS is asked for those of subnets that are not of this plan.

        Raises:
            CouldNotAsk: AWS does not tell.
        """
        if not pool.subnets:
            return pool.zones
        found = self.aws.listed(
            "ec2:DescribeSubnets", "ec2", "describe_subnets", "Subnets", SubnetIds=list(pool.subnets)
        )
        return tuple(sorted({*pool.zones, *(subnet["AvailabilityZone"] for subnet in found)}))
