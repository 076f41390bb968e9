from typing import Any

import pulumi
import pulumi_aws as aws

from policies.rules.aws_resource_required_tags import RULE
from tests.policies.judging import OWNED, later, messages


def _fault(name: str, keys: str) -> str:
    return f"{name}: tags lack {keys}; each must be there with a value, here or in the provider's default tags."


def _with_defaults(tags: Any, own: Any = None) -> None:
    provider = aws.Provider("aws", region="us-east-1", default_tags=aws.ProviderDefaultTagsArgs(tags=tags))
    aws.ec2.Vpc("vpc", cidr_block="10.0.0.0/16", tags=own, opts=pulumi.ResourceOptions(provider=provider))


def test_a_taggable_resource_without_tags_is_reported(preview: bool) -> None:
    assert messages(RULE, lambda: aws.ec2.Vpc("vpc"), preview=preview) == [_fault("vpc", "owner, cost-center, expires")]


def test_own_tags_and_default_tags_add_up(preview: bool) -> None:
    half = {"owner": "ml-platform", "cost-center": "research"}
    assert messages(RULE, lambda: _with_defaults(half), preview=preview) == [_fault("vpc", "expires")]
    assert messages(RULE, lambda: _with_defaults(half, {"expires": "2027-01-31"}), preview=preview) == []


def test_the_keys_are_the_packs(preview: bool) -> None:
    def build() -> None:
        aws.ec2.Vpc("vpc", tags={"team": "vision"})

    assert messages(RULE, build, preview=preview, config={"required": ["team"]}) == []


def test_default_tags_alone_and_types_without_tags_are_quiet(preview: bool) -> None:
    def build() -> None:
        _with_defaults(OWNED)
        aws.ec2.Route("route", route_table_id="rtb-1", destination_cidr_block="0.0.0.0/0", nat_gateway_id="nat-1")
        pulumi.ComponentResource("example:index:Thing", "thing")

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_value_still_is_a_tag_and_an_unknown_key_is_missing(preview: bool) -> None:
    def build() -> None:
        aws.ec2.Vpc("vpc", tags={"owner": later("ml-platform"), "expires": "2027-01-31"})

    assert messages(RULE, build, preview=preview) == [_fault("vpc", "cost-center")]


def test_unknown_tags_are_quiet_until_they_are_known() -> None:
    def build() -> None:
        aws.ec2.Vpc("vpc", tags=later({"owner": "ml-platform"}))

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [_fault("vpc", "cost-center, expires")]
