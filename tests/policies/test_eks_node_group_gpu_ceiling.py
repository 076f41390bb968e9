from functools import partial

import pulumi_aws as aws

from policies.rules.eks_node_group_gpu_ceiling import RULE
from tests.policies.judging import later, messages
from tests.policies.pools import pool

FAULT = "gpu: maxSize 9 x 8 GPUs of p5.48xlarge is 72 GPUs; the ceiling of a pool is 64."


def test_a_pool_above_the_ceiling_is_reported_by_its_largest_type(preview: bool) -> None:
    assert messages(RULE, lambda: pool(types=("p5.4xlarge", "p5.48xlarge"), maximum=9), preview=preview) == [FAULT]


def test_the_ceiling_is_the_packs(preview: bool) -> None:
    build = partial(pool, types=("p5.48xlarge",), maximum=9)
    assert messages(RULE, build, preview=preview, config={"max_gpus": 72}) == []
    assert messages(RULE, build, preview=preview, config={"max_gpus": 71}) == [FAULT.replace("64", "71")]


def test_a_type_set_in_the_launch_template_counts(preview: bool) -> None:
    def build() -> None:
        template = aws.ec2.LaunchTemplate("template", instance_type="p5.48xlarge")
        pool(types=None, maximum=9, launch_template={"id": template.id, "version": "1"})

    assert messages(RULE, build, preview=preview) == [FAULT]


def test_a_pool_without_a_readable_ceiling_is_reported(preview: bool) -> None:
    def build() -> None:
        pool(scaling_config={"min_size": 0, "max_size": "many", "desired_size": 0})

    assert messages(RULE, build, preview=preview) == [
        "gpu: scalingConfig.maxSize is many; a GPU pool must have a number as its ceiling."
    ]


def test_a_pool_within_the_ceiling_and_a_cpu_pool_are_quiet(preview: bool) -> None:
    def build() -> None:
        pool(types=("p5.48xlarge",), maximum=8)
        pool("cpu", types=("m7i.xlarge",), maximum=100)

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_ceiling_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        pool(types=("p5.48xlarge",), maximum=later(9))

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [FAULT]


def test_one_unknown_type_hides_no_known_one() -> None:
    def build() -> None:
        pool(types=[later("g6.2xlarge"), "p5.48xlarge"], maximum=9)

    assert messages(RULE, build, preview=True) == [FAULT]
    assert messages(RULE, build) == [FAULT]
