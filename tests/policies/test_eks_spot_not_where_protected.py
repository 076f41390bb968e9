from policies.rules.eks_spot_not_where_protected import RULE
from tests.policies.judging import later, messages
from tests.policies.pools import pool


def test_spot_in_a_protected_environment_is_reported(preview: bool) -> None:
    def build() -> None:
        pool(capacity_type="SPOT", tags={"gpufleet-protected": "true"})

    assert messages(RULE, build, preview=preview) == [
        "gpu: is spot in a protected environment, and nothing says that its work is checkpointed; it "
        'must be bought on demand or reserved, or carry the label gpufleet.io/checkpointed: "true".',
    ]


def test_checkpointed_spot_and_spot_elsewhere_are_quiet(preview: bool) -> None:
    def build() -> None:
        pool(capacity_type="SPOT", labels={"gpufleet.io/checkpointed": "true"}, tags={"gpufleet-protected": "true"})
        pool("on-demand")

    assert messages(RULE, build, preview=preview) == []


def test_spot_without_protection_is_quiet(preview: bool) -> None:
    def build() -> None:
        pool(capacity_type="SPOT")

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_purchase_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        pool(capacity_type=later("SPOT"), tags={"gpufleet-protected": "true"})

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "gpu: is spot in a protected environment, and nothing says that its work is checkpointed; it "
        'must be bought on demand or reserved, or carry the label gpufleet.io/checkpointed: "true".',
    ]
