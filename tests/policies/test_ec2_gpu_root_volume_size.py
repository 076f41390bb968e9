import pulumi_aws as aws

from policies.rules.ec2_gpu_root_volume_size import RULE
from tests.policies.elastic import node_class, node_pool
from tests.policies.judging import later, messages
from tests.policies.pools import pool


def test_a_small_root_volume_is_reported_for_both_kinds_of_pools(preview: bool) -> None:
    def build() -> None:
        template = aws.ec2.LaunchTemplate(
            "template", block_device_mappings=[{"device_name": "/dev/xvda", "ebs": {"volume_size": 20}}]
        )
        pool(launch_template={"id": template.id, "version": "1"})
        node_class(blockDeviceMappings=[{"deviceName": "/dev/xvda", "ebs": {"volumeSize": "20Gi"}}])
        node_pool()

    assert messages(RULE, build, preview=preview) == [
        "gpu: the root volume has 20 GiB; where GPU images are pulled it must have 100 at least.",
        "train: the root volume has 20 GiB; where GPU images are pulled it must have 100 at least.",
    ]


def test_a_large_one_a_cpu_pool_and_a_template_of_another_stack_are_quiet(preview: bool) -> None:
    def build() -> None:
        template = aws.ec2.LaunchTemplate(
            "template", block_device_mappings=[{"device_name": "/dev/xvda", "ebs": {"volume_size": 20}}]
        )
        pool(types=("m7i.xlarge",), launch_template={"id": template.id, "version": "1"})
        pool("foreign")
        node_class()
        node_pool()

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_size_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        template = aws.ec2.LaunchTemplate(
            "template", block_device_mappings=[{"device_name": "/dev/xvda", "ebs": {"volume_size": later(20)}}]
        )
        pool(launch_template={"id": template.id, "version": "1"})

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "gpu: the root volume has 20 GiB; where GPU images are pulled it must have 100 at least.",
    ]
