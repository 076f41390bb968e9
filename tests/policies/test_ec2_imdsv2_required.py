from typing import Any

import pulumi_aws as aws

from policies.rules.ec2_imdsv2_required import RULE
from tests.policies.judging import later, messages

TOKENS = "{}: metadataOptions.httpTokens is {} (AWS default optional); it must be required."
HOPS = "{}: metadataOptions.httpPutResponseHopLimit is {}; it must be at most {}, or pods reach the node's credentials."


def _template(**options: Any) -> None:
    aws.ec2.LaunchTemplate("template", metadata_options=aws.ec2.LaunchTemplateMetadataOptionsArgs(**options))


def test_a_template_and_an_instance_that_say_nothing_are_reported(preview: bool) -> None:
    def build() -> None:
        aws.ec2.LaunchTemplate("template", image_id=later("ami-1"))
        aws.ec2.Instance("instance", ami=later("ami-1", "ami"), instance_type="m7i.large")

    assert messages(RULE, build, preview=preview) == [
        TOKENS.format("instance", "not set"),
        TOKENS.format("template", "not set"),
    ]


def test_two_hops_are_reported_unless_the_pack_allows_them(preview: bool) -> None:
    def build() -> None:
        _template(http_tokens="required", http_put_response_hop_limit=2)

    assert messages(RULE, build, preview=preview) == [HOPS.format("template", 2, 1)]
    assert messages(RULE, build, preview=preview, config={"max_hops": 2}) == []


def test_required_tokens_with_one_hop_and_a_closed_endpoint_are_quiet(preview: bool) -> None:
    def build() -> None:
        _template(http_tokens="required", http_put_response_hop_limit=1)
        aws.ec2.LaunchTemplate("closed", metadata_options={"http_endpoint": "disabled"})

    assert messages(RULE, build, preview=preview) == []


def test_an_instance_of_a_template_is_judged_by_the_template(preview: bool) -> None:
    def build() -> None:
        aws.ec2.Instance("instance", launch_template=aws.ec2.InstanceLaunchTemplateArgs(id="lt-1"))

    assert messages(RULE, build, preview=preview) == []


def test_unknown_tokens_are_quiet_and_hide_no_certain_hop_limit() -> None:
    def build() -> None:
        _template(http_tokens=later("optional"), http_put_response_hop_limit=3)

    assert messages(RULE, build, preview=True) == [HOPS.format("template", 3, 1)]
    assert messages(RULE, build) == [HOPS.format("template", 3, 1), TOKENS.format("template", "optional")]
