import pulumi_aws as aws

from policies.rules.ec2_instance_no_public_ip import RULE
from tests.policies.judging import later, messages


def test_a_template_and_an_instance_with_a_public_address_are_reported(preview: bool) -> None:
    def build() -> None:
        aws.ec2.LaunchTemplate(
            "template",
            network_interfaces=[
                aws.ec2.LaunchTemplateNetworkInterfaceArgs(security_groups=[later("sg-1")]),
                aws.ec2.LaunchTemplateNetworkInterfaceArgs(associate_public_ip_address="true"),
            ],
        )
        aws.ec2.Instance("instance", ami="ami-1", instance_type="m7i.large", associate_public_ip_address=True)

    assert messages(RULE, build, preview=preview) == [
        "instance: associatePublicIpAddress is true; it must be false.",
        "template: networkInterfaces[1].associatePublicIpAddress is true; it must be false.",
    ]


def test_no_and_nothing_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.ec2.LaunchTemplate(
            "template",
            network_interfaces=[aws.ec2.LaunchTemplateNetworkInterfaceArgs(associate_public_ip_address="false")],
        )
        aws.ec2.Instance("instance", ami="ami-1", instance_type="m7i.large")

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_setting_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.ec2.Instance("one", ami="ami-1", instance_type="m7i.large", associate_public_ip_address=later(True))

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == ["one: associatePublicIpAddress is true; it must be false."]
