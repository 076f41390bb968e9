from policies.rules.k8s_chart_version_pinned import RULE
from tests.policies.judging import later, messages
from tests.policies.manifests import Manifest


def test_a_chart_without_one_version_is_reported(preview: bool) -> None:
    def build() -> None:
        Manifest("kubernetes:helm.sh/v3:Release", "none", chart="karpenter")
        Manifest("kubernetes:helm.sh/v3:Release", "range", chart="karpenter", version="1.x")

    assert messages(RULE, build, preview=preview) == [
        "none: version is not set; it must be one version, such as 1.14.1.",
        "range: version is 1.x; it must be one version, such as 1.14.1.",
    ]


def test_an_exact_version_and_a_chart_of_ones_own_are_quiet(preview: bool) -> None:
    def build() -> None:
        Manifest("kubernetes:helm.sh/v3:Release", "exact", chart="karpenter", version="1.14.1")
        Manifest("kubernetes:helm.sh/v3:Release", "own", chart="./charts/own")

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_version_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        Manifest("kubernetes:helm.sh/v3:Release", "later", chart="karpenter", version=later("1.x"))

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "later: version is 1.x; it must be one version, such as 1.14.1.",
    ]
