from policies.rules.karpenter_node_class_selects_by_name import RULE
from tests.policies.elastic import node_class
from tests.policies.judging import later, messages


def test_selectors_that_fit_whatever_there_is_are_reported(preview: bool) -> None:
    def build() -> None:
        node_class(
            amiSelectorTerms=[{"name": "*"}], subnetSelectorTerms=[{"tags": {"*": "*"}}], securityGroupSelectorTerms=[]
        )

    assert messages(RULE, build, preview=preview) == [
        "train-nodes: spec.amiSelectorTerms[0] names no owner, so that whoever publishes such an image "
        "has it booted; it must give id, alias or owner.",
        "train-nodes: spec.securityGroupSelectorTerms is empty; it must name what nodes get.",
        "train-nodes: spec.subnetSelectorTerms[0] fits whatever the account has; it must give an id, or "
        "a tag with its value.",
    ]


def test_ids_and_tags_with_values_are_quiet(preview: bool) -> None:
    def build() -> None:
        node_class(
            amiSelectorTerms=[{"name": "own-*", "owner": "self"}],
            subnetSelectorTerms=[{"tags": {"karpenter.sh/discovery": "c"}}],
        )

    assert messages(RULE, build, preview=preview) == []


def test_unknown_ids_are_quiet(preview: bool) -> None:
    def build() -> None:
        node_class(subnetSelectorTerms=[{"id": later("subnet-1")}])

    assert messages(RULE, build, preview=preview) == []
