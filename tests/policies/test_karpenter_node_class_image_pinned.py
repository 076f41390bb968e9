import pulumi_aws as aws

from policies.rules.karpenter_node_class_image_pinned import RULE
from tests.policies.elastic import node_class
from tests.policies.judging import later, messages


def test_the_newest_image_in_a_protected_environment_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.s3.Bucket("b", tags={"gpufleet-protected": "true"})
        node_class(amiSelectorTerms=[{"alias": "al2023@latest"}])

    assert messages(RULE, build, preview=preview) == [
        "train-nodes: spec.amiSelectorTerms[0].alias is al2023@latest; in a protected environment it "
        "must name a version.",
    ]


def test_a_version_there_is_quiet(preview: bool) -> None:
    def build() -> None:
        aws.s3.Bucket("b", tags={"gpufleet-protected": "true"})
        node_class()

    assert messages(RULE, build, preview=preview) == []


def test_the_newest_elsewhere_is_quiet(preview: bool) -> None:
    def build() -> None:
        node_class(amiSelectorTerms=[{"alias": "al2023@latest"}])

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_alias_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.s3.Bucket("b", tags={"gpufleet-protected": "true"})
        node_class(amiSelectorTerms=[{"alias": later("al2023@latest")}])

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "train-nodes: spec.amiSelectorTerms[0].alias is al2023@latest; in a protected environment it "
        "must name a version.",
    ]
