"""The node monitoring agent's versions."""

from gpufleet.facts import node_agent


def test_versions_are_compared_by_number_and_without_eks_own_build() -> None:
    key = node_agent.version_key
    assert key("v1.6.4-eksbuild.2") == key("v1.6.4") < key("v1.6.10") < key("v1.7.0-eksbuild.1")
