import pulumi_aws as aws

from policies.rules.aws_resource_not_expired import RULE
from tests.policies.elastic import node_class
from tests.policies.judging import later, messages


def test_a_date_that_is_over_and_one_that_is_none_are_reported(preview: bool) -> None:
    def build() -> None:
        aws.s3.Bucket("old", tags={"expires": "2020-01-01"})
        aws.s3.Bucket("odd", tags={"expires": "soon"})
        aws.ec2.LaunchTemplate(
            "template", tag_specifications=[{"resource_type": "instance", "tags": {"expires": "2020-01-01"}}]
        )
        node_class(tags={"expires": "2020-01-01"})

    assert messages(RULE, build, preview=preview) == [
        "template: tagSpecifications[0].tags.expires is 2020-01-01, which is over; remove the resource, "
        "or agree on a later day.",
        "odd: tags.expires is soon; it must be a date such as 2027-03-31.",
        "old: tags.expires is 2020-01-01, which is over; remove the resource, or agree on a later day.",
        "train-nodes: spec.tags.expires is 2020-01-01, which is over; remove the resource, or agree on a later day.",
    ]


def test_a_day_that_is_to_come_and_none_at_all_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.s3.Bucket("new", tags={"expires": "2099-01-01"})
        aws.s3.Bucket("none")
        node_class()

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_day_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.s3.Bucket("old", tags={"expires": later("2020-01-01")})

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "old: tags.expires is 2020-01-01, which is over; remove the resource, or agree on a later day.",
    ]
