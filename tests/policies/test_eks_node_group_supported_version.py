from gpufleet.facts import kubernetes
from policies.rules.eks_node_group_supported_version import RULE
from tests.policies.judging import later, messages
from tests.policies.pools import pool


def test_an_old_version_and_amazon_linux_2_are_reported(preview: bool) -> None:
    def build() -> None:
        pool(version="1.29", ami_type="AL2_x86_64_GPU")

    assert messages(RULE, build, preview=preview) == [
        "gpu: amiType is AL2_x86_64_GPU, and Amazon Linux 2 has no images any more; it must be one of "
        "AL2023 or Bottlerocket.",
        "gpu: version 1.29 is not in standard support; it must be the cluster's, one of 1.34, 1.35, 1.36.",
    ]


def test_a_supported_version_and_none_are_quiet(preview: bool) -> None:
    def build() -> None:
        pool(version=kubernetes.DEFAULT_VERSION)
        pool("follows")

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_version_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        pool(version=later("1.29"))

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "gpu: version 1.29 is not in standard support; it must be the cluster's, one of 1.34, 1.35, 1.36.",
    ]
