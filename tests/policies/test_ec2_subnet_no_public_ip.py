import pulumi_aws as aws

from policies.rules.ec2_subnet_no_public_ip import RULE
from tests.policies.judging import later, messages


def test_a_subnet_that_hands_out_public_addresses_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.ec2.Subnet("open", vpc_id="vpc-1", cidr_block=later("10.0.0.0/24"), map_public_ip_on_launch=True)

    assert messages(RULE, build, preview=preview) == ["open: mapPublicIpOnLaunch is true; it must be false."]


def test_a_default_subnet_that_says_nothing_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.ec2.DefaultSubnet("default", availability_zone="us-east-1a")

    assert messages(RULE, build, preview=preview) == ["default: mapPublicIpOnLaunch is not set; it must be false."]


def test_a_subnet_that_says_nothing_or_false_is_quiet(preview: bool) -> None:
    def build() -> None:
        aws.ec2.Subnet("silent", vpc_id="vpc-1", cidr_block="10.0.0.0/24")
        aws.ec2.Subnet("closed", vpc_id="vpc-1", cidr_block="10.0.1.0/24", map_public_ip_on_launch=False)

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_setting_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.ec2.Subnet("maybe", vpc_id="vpc-1", cidr_block="10.0.0.0/24", map_public_ip_on_launch=later(True))

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == ["maybe: mapPublicIpOnLaunch is true; it must be false."]
