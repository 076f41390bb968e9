import pulumi_aws as aws

from policies.rules.ec2_volume_goes_with_its_node import RULE
from tests.policies.elastic import node_class
from tests.policies.judging import later, messages


def test_a_volume_that_stays_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.ec2.LaunchTemplate(
            "template", block_device_mappings=[{"device_name": "/dev/xvda", "ebs": {"delete_on_termination": "false"}}]
        )
        node_class(blockDeviceMappings=[{"deviceName": "/dev/xvda", "ebs": {"deleteOnTermination": False}}])

    assert messages(RULE, build, preview=preview) == [
        "template: blockDeviceMappings[0].ebs.deleteOnTermination is false; it must be true.",
        "train-nodes: spec.blockDeviceMappings[0].ebs.deleteOnTermination is false; it must be true.",
    ]


def test_one_that_goes_and_one_that_says_nothing_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.ec2.LaunchTemplate(
            "template", block_device_mappings=[{"device_name": "/dev/xvda", "ebs": {"encrypted": "true"}}]
        )
        node_class()

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_flag_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.ec2.LaunchTemplate(
            "template",
            block_device_mappings=[{"device_name": "/dev/xvda", "ebs": {"delete_on_termination": later("false")}}],
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "template: blockDeviceMappings[0].ebs.deleteOnTermination is false; it must be true.",
    ]
