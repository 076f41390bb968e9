"""Resources by component, told apart by their settings."""

import pulumi
import pulumi_aws as aws

from gpufleet.report import inventory
from gpufleet.report.inventory import Component, Item
from tests.gpufleet.report.world import Box, estate_of


def test_resources_stand_under_their_component_and_the_rest_comes_last():
    def build():
        key = aws.kms.Key("key", description="not said", enable_key_rotation=True, region="eu-west-1")
        box = pulumi.ResourceOptions(parent=Box("box"), protect=True)
        aws.sqs.Queue("jobs", kms_master_key_id=key.id, tags={"a": "b"}, region="eu-west-1", opts=box)

    assert inventory.components(estate_of(build)) == [
        Component(
            name="box",
            kind="Box",
            region="eu-west-1",
            items=(
                Item(
                    name="jobs", kind="Queue", type="aws:sqs/queue:Queue", told="kms master key id key", protected=True
                ),
            ),
        ),
        Component(
            name="on their own",
            kind="",
            region="eu-west-1",
            items=(
                Item(name="key", kind="Key", type="aws:kms/key:Key", told="enable key rotation yes", protected=False),
            ),
        ),
    ]


def test_only_a_few_short_settings_are_told():
    def build():
        aws.sqs.Queue(
            "q",
            delay_seconds=1,
            max_message_size=2,
            receive_wait_time_seconds=3,
            fifo_queue=True,
            kms_master_key_id="x" * 70,
            visibility_timeout_seconds=4,
            message_retention_seconds=5,
        )

    ((item,),) = [component.items for component in inventory.components(estate_of(build))]
    assert item.told.count(";") == 4
    assert "x" * 70 not in item.told
