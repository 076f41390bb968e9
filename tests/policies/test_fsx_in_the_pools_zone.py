from collections.abc import Sequence
from typing import Any

import pulumi
import pulumi_aws as aws

from policies.rules.fsx_in_the_pools_zone import RULE
from tests.policies.elastic import node_pool
from tests.policies.judging import later, messages
from tests.policies.pools import pool

FAULT = (
    "lustre: lies in us-east-1c, but the GPU pools in us-east-1a, us-east-1b; it must lie in the zone of the "
    "pool that reads it."
)


def _stack(there: Any, *pools: Sequence[Any]) -> None:
    made: dict[int, aws.ec2.Subnet] = {}

    def subnet(zone: Any) -> pulumi.Output[str]:
        index = len(made)
        made[index] = aws.ec2.Subnet(
            f"subnet-{index}", vpc_id="vpc-1", cidr_block=f"10.0.{index}.0/24", availability_zone=zone
        )
        return made[index].id

    aws.fsx.LustreFileSystem("lustre", subnet_ids=subnet(there), storage_capacity=1200)
    for index, zones in enumerate(pools):
        pool(f"pool-{index}", subnet_ids=[subnet(zone) for zone in zones])
    pool("cpu", types=("m7i.large",), subnet_ids=[subnet("us-east-1c")])


def test_a_file_system_in_a_zone_without_gpus_is_reported(preview: bool) -> None:
    assert messages(RULE, lambda: _stack("us-east-1c", ["us-east-1a"], ["us-east-1b"]), preview=preview) == [FAULT]


def test_one_in_the_zone_of_any_pool_is_quiet(preview: bool) -> None:
    assert (
        messages(RULE, lambda: _stack("us-east-1b", ["us-east-1a"], ["us-east-1a", "us-east-1b"]), preview=preview)
        == []
    )


def test_a_stack_without_gpu_pools_or_with_pools_in_subnets_of_another_is_quiet(preview: bool) -> None:
    def foreign() -> None:
        _stack("us-east-1c", ["us-east-1a"])
        pool("foreign", subnet_ids=["subnet-0123456789abcdef0"])

    assert messages(RULE, lambda: _stack("us-east-1c"), preview=preview) == []
    assert messages(RULE, foreign, preview=preview) == []


def test_a_zone_that_is_unknown_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        _stack("us-east-1c", ["us-east-1a", later("us-east-1b")])

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [FAULT]


def test_pools_of_karpenter_count_by_their_zones(preview: bool) -> None:
    def build(there: str) -> None:
        _stack(there)
        node_pool()  # in us-east-1a

    assert messages(RULE, lambda: build("us-east-1a"), preview=preview) == []
    (message,) = messages(RULE, lambda: build("us-east-1b"), preview=preview)
    assert message.startswith("lustre: lies in us-east-1b, but the GPU pools in us-east-1a;")
