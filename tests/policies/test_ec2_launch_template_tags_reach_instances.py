from typing import Any

import pulumi_aws as aws

from policies.rules.ec2_launch_template_tags_reach_instances import RULE
from tests.policies.judging import OWNED, later, messages


def _template(**tags: Any) -> None:
    specifications = [
        aws.ec2.LaunchTemplateTagSpecificationArgs(resource_type=kind, tags=value) for kind, value in tags.items()
    ]
    aws.ec2.LaunchTemplate("template", tag_specifications=specifications, tags=OWNED)


def _fault(kind: str, keys: str) -> str:
    return f"template: tagSpecifications for {kind} lacks {keys}; each must be there with a value."


def test_tags_on_the_template_alone_are_reported(preview: bool) -> None:
    assert messages(RULE, _template, preview=preview) == [
        _fault("instance", "owner, cost-center, expires"),
        _fault("volume", "owner, cost-center, expires"),
    ]


def test_each_missing_or_empty_key_is_named(preview: bool) -> None:
    def build() -> None:
        _template(instance=OWNED, volume={"owner": "", "cost-center": "research", "expires": later("2027-01-31")})

    assert messages(RULE, build, preview=preview) == [_fault("volume", "owner")]


def test_the_keys_are_the_packs(preview: bool) -> None:
    def build() -> None:
        _template(instance={"team": "vision"}, volume={"team": "vision"})

    assert messages(RULE, build, preview=preview, config={"required": ["team"]}) == []


def test_instance_and_volume_with_all_tags_are_quiet(preview: bool) -> None:
    assert messages(RULE, lambda: _template(instance=OWNED, volume=OWNED), preview=preview) == []


def test_unknown_tags_are_quiet_until_they_are_known() -> None:
    def build() -> None:
        _template(instance=later({"owner": "ml-platform"}), volume=OWNED)

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [_fault("instance", "cost-center, expires")]
