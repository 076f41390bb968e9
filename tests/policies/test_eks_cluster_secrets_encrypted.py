from policies.rules.eks_cluster_secrets_encrypted import RULE
from tests.policies.clusters import KEY, cluster
from tests.policies.judging import later, messages


def test_a_cluster_without_a_key_is_reported(preview: bool) -> None:
    assert messages(RULE, lambda: cluster(encryption_config=None), preview=preview) == [
        "cluster: encryptionConfig.provider.keyArn is not set; it must name a KMS key of your own."
    ]


def test_a_key_for_something_else_than_secrets_is_reported_though_the_key_is_unknown(preview: bool) -> None:
    def build() -> None:
        cluster(encryption_config={"provider": {"key_arn": later(KEY)}, "resources": []})

    assert messages(RULE, build, preview=preview) == [
        "cluster: encryptionConfig.resources is empty; it must hold secrets."
    ]


def test_a_key_is_quiet_known_or_unknown(preview: bool) -> None:
    def unknown() -> None:
        cluster(encryption_config={"provider": {"key_arn": later(KEY)}, "resources": ["secrets"]})

    assert messages(RULE, cluster, preview=preview) == []
    assert messages(RULE, unknown, preview=preview) == []


def test_an_unknown_block_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        cluster(encryption_config=later({"provider": {"key_arn": KEY}, "resources": ["configmaps"]}))

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == ["cluster: encryptionConfig.resources is configmaps; it must hold secrets."]
