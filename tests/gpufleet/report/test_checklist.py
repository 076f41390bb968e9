"""What is to be done before an update: asked by what the plan holds, and by nothing else."""

import pulumi_aws as aws
import pytest

from gpufleet.report import checklist
from gpufleet.report.checklist import Task
from gpufleet.report.estate import Estate
from tests.gpufleet.report.world import estate_of, network, node_pool


def tasks(build: object, violations: list[dict[str, object]] | None = None) -> dict[str, Task]:
    assert callable(build)
    return {task.title: task for task in checklist.tasks(estate_of(build), violations or [], stack="prod")}


def test_an_empty_plan_asks_only_for_what_always_comes():
    assert list(tasks(lambda: None)) == ["Ask the account", "Deploy with the same rules"]


def test_commands_name_the_stack():
    found = tasks(lambda: None)
    assert found["Ask the account"].command == "gpufleet preflight prod"
    assert found["Deploy with the same rules"].command == "pulumi up --stack prod --policy-pack policies"


@pytest.mark.parametrize(("waiver", "asked"), [(None, True), ({"reason": "known"}, False)])
def test_broken_rules_come_first_unless_waived(waiver: object, asked: bool):
    titles = list(tasks(lambda: None, [{"level": "mandatory", "waiver": waiver}, {"level": "advisory"}]))
    assert (titles[0] == "Mend 1 mandatory violation") is asked


def test_quotas_are_summed_by_region_and_purchase_at_the_ceiling():
    quotas = tasks(network)["Have the quotas for every pool at its ceiling"]
    assert quotas.details == ("eu-west-1: 32 vCPUs of All G and VT Spot Instance Requests (L-3819A6DF)",)


def test_karpenters_pools_count_at_their_limits_by_each_purchase():
    estate = Estate([*estate_of(lambda: None).resources, node_pool(["us-east-1a"])])
    (quotas,) = [task for task in checklist.tasks(estate, [], stack="prod") if task.details]
    assert quotas.details == (
        "us-east-1: 768 vCPUs of All P5 Spot Instance Requests (L-C4BD4855)",
        "us-east-1: 768 vCPUs of Running On-Demand P instances (L-417A185B)",
    )


def test_a_private_api_asks_for_a_way_in():
    assert "Have a way into the network of brain" in tasks(network)


def test_an_api_on_the_internet_asks_whether_the_addresses_are_yours():
    def build():
        aws.eks.Cluster(
            "c",
            name="c",
            role_arn="arn:x",
            vpc_config={
                "subnet_ids": ["s"],
                "endpoint_public_access": True,
                "public_access_cidrs": ["203.0.113.0/24"],
            },
            deletion_protection=True,
        )

    found = tasks(build)
    assert "See that 203.0.113.0/24 is yours" in found
    assert "Know that c is protected from deletion" in found


def test_a_reservation_is_to_be_active():
    def build():
        aws.ec2.LaunchTemplate(
            "t",
            capacity_reservation_specification={
                "capacity_reservation_target": {"capacity_reservation_id": "cr-0123456789abcdef0"}
            },
            region="us-east-1",
        )

    assert tasks(build)["Have reservation cr-0123456789abcdef0 active"].command == (
        "aws ec2 describe-capacity-reservations --capacity-reservation-ids cr-0123456789abcdef0 --region us-east-1"
    )


def test_service_linked_roles_that_the_stack_makes_must_not_be_there():
    found = tasks(lambda: aws.iam.ServiceLinkedRole("s", aws_service_name="spot.amazonaws.com"))
    assert "See that the account lacks these service-linked roles: spot.amazonaws.com" in found


def test_a_budget_wants_a_reader_and_an_active_tag():
    def build():
        aws.budgets.Budget(
            "b",
            budget_type="COST",
            time_unit="MONTHLY",
            limit_amount="100",
            limit_unit="USD",
            cost_filters=[{"name": "TagKeyValue", "values": ["user:team$ml"]}],
            notifications=[
                {
                    "comparison_operator": "GREATER_THAN",
                    "notification_type": "ACTUAL",
                    "threshold": 80,
                    "threshold_type": "PERCENTAGE",
                    "subscriber_email_addresses": ["costs@example.com"],
                }
            ],
        )

    found = tasks(build)
    assert "Ask that somebody reads costs@example.com" in found
    assert "Activate the cost allocation tag team" in found


def test_mail_subscriptions_must_be_confirmed():
    def build():
        aws.sns.TopicSubscription("m", protocol="email", endpoint="oncall@example.com", topic="arn:t")

    assert "Confirm the subscription mail at oncall@example.com" in tasks(build)
