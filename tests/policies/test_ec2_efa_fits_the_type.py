from policies.rules.ec2_efa_fits_the_type import RULE
from tests.policies.elastic import EFA, node_class, node_pool, requirements
from tests.policies.judging import later, messages
from tests.policies.pools import pool


def test_efa_for_a_type_without_it_is_reported(preview: bool) -> None:
    def build() -> None:
        node_class(networkInterfaces=EFA)
        node_pool(node={"requirements": requirements(["g6.2xlarge"])})

    assert messages(RULE, build, preview=preview) == [
        "train: 4 EFA interfaces for g6.2xlarge, which carries none; the type must have EFA.",
    ]


def test_a_card_that_is_left_out_is_reported(preview: bool) -> None:
    def build() -> None:
        node_class(networkInterfaces=EFA[:-1])
        node_pool(node={"requirements": requirements(["p4d.24xlarge"])})

    assert messages(RULE, build, preview=preview) == [
        "train: no EFA interface on cards 3 of p4d.24xlarge; each card that has EFA must have one.",
    ]


def test_a_card_that_is_not_there_is_reported(preview: bool) -> None:
    def build() -> None:
        node_class(networkInterfaces=[*EFA, {"networkCardIndex": 99, "deviceIndex": 0, "interfaceType": "efa-only"}])
        node_pool(node={"requirements": requirements(["p4d.24xlarge"])})

    assert messages(RULE, build, preview=preview) == [
        "train: EFA on network cards 99 of p4d.24xlarge, which carries it on 0 to 3.",
    ]


def test_a_label_that_promises_efa_without_it_is_reported(preview: bool) -> None:
    def build() -> None:
        node_class()
        node_pool(labels={"gpufleet.io/efa": "true"}, node={"requirements": requirements(["p4d.24xlarge"])})

    assert messages(RULE, build, preview=preview) == [
        "train: its label gpufleet.io/efa promises EFA and spec.networkInterfaces has none; each card must have one.",
    ]


def test_one_interface_a_card_and_pools_without_efa_are_quiet(preview: bool) -> None:
    def build() -> None:
        node_class(networkInterfaces=EFA)
        node_pool(node={"requirements": requirements(["p4d.24xlarge"])})
        pool(types=("p4d.24xlarge",))

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_kind_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        node_class(
            networkInterfaces=[EFA[0], {"networkCardIndex": 0, "deviceIndex": 1, "interfaceType": later("efa-only")}]
        )
        node_pool(node={"requirements": requirements(["g6.2xlarge"])})

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "train: 1 EFA interfaces for g6.2xlarge, which carries none; the type must have EFA.",
    ]
