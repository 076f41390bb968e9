import pulumi_aws as aws

from policies.rules.ec2_vpc_flow_logs import RULE
from tests.policies.judging import later, messages


def test_a_vpc_without_a_flow_log_is_reported_beside_one_that_has_it(preview: bool) -> None:
    def build() -> None:
        logged = aws.ec2.Vpc("logged", cidr_block="10.0.0.0/16")
        aws.ec2.Vpc("dark", cidr_block="10.1.0.0/16")
        aws.ec2.FlowLog("log", vpc_id=logged.id, traffic_type="ALL", log_destination=later("arn"))

    assert messages(RULE, build, preview=preview) == [
        "dark: there is no flow log; the VPC must have one for trafficType ALL."
    ]


def test_a_flow_log_of_rejects_only_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.ec2.FlowLog("log", vpc_id=aws.ec2.Vpc("vpc", cidr_block="10.0.0.0/16").id, traffic_type="REJECT")

    assert messages(RULE, build, preview=preview) == [
        "vpc: flow log log records REJECT; the VPC must have one for trafficType ALL."
    ]


def test_a_flow_log_of_all_traffic_is_quiet(preview: bool) -> None:
    def build() -> None:
        aws.ec2.FlowLog("log", vpc_id=aws.ec2.Vpc("vpc", cidr_block="10.0.0.0/16").id, traffic_type="ALL")

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_traffic_type_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        vpc = aws.ec2.Vpc("vpc", cidr_block="10.0.0.0/16")
        aws.ec2.FlowLog("log", vpc_id=vpc.id, traffic_type=later("ACCEPT"))

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == ["vpc: flow log log records ACCEPT; the VPC must have one for trafficType ALL."]
