import pulumi_aws as aws

from policies.rules.eks_capacity_block_settings_agree import RULE
from tests.policies.judging import later, messages
from tests.policies.pools import pool


def test_a_block_in_the_template_alone_is_reported(preview: bool) -> None:
    def build() -> None:
        template = aws.ec2.LaunchTemplate("template", instance_market_options={"market_type": "capacity-block"})
        pool(launch_template={"id": template.id, "version": "1"})

    assert messages(RULE, build, preview=preview) == [
        "gpu: capacityType is not set and the template's marketType capacity-block; both must say so.",
    ]


def test_a_block_in_the_group_alone_is_reported(preview: bool) -> None:
    def build() -> None:
        template = aws.ec2.LaunchTemplate("template")
        pool(
            capacity_type="CAPACITY_BLOCK",
            subnet_ids=["subnet-1", "subnet-2"],
            scaling_config={"min_size": 0, "max_size": 2, "desired_size": 2},
            launch_template={"id": template.id, "version": "1"},
        )

    assert messages(RULE, build, preview=preview) == [
        "gpu: instanceTypes is set; in a capacity block the type must stand in the launch template.",
        "gpu: scalingConfig.desiredSize is 2; it must be 0 until the block begins.",
        "gpu: subnetIds has 2 subnets; it must have the one of the block's zone.",
        "gpu: the template has no capacityReservationTarget; it must name the block.",
        "gpu: the template's instanceMarketOptions.marketType is not set; it must be capacity-block.",
        "gpu: the template's instanceType is not set; it must be the block's.",
    ]


def test_settings_that_agree_and_a_pool_on_demand_are_quiet(preview: bool) -> None:
    def build() -> None:
        template = aws.ec2.LaunchTemplate(
            "template",
            instance_type="p5.48xlarge",
            instance_market_options={"market_type": "capacity-block"},
            capacity_reservation_specification={"capacity_reservation_target": {"capacity_reservation_id": "cr-1"}},
        )
        pool(types=None, capacity_type="CAPACITY_BLOCK", launch_template={"id": template.id, "version": "1"})
        pool("on-demand")

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_market_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        template = aws.ec2.LaunchTemplate(
            "template",
            instance_type="p5.48xlarge",
            instance_market_options={"market_type": later("spot")},
            capacity_reservation_specification={"capacity_reservation_target": {"capacity_reservation_id": "cr-1"}},
        )
        pool(types=None, capacity_type="CAPACITY_BLOCK", launch_template={"id": template.id, "version": "1"})

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "gpu: the template's instanceMarketOptions.marketType is spot; it must be capacity-block.",
    ]
