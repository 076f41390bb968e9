from policies.rules.gpu_idle_bounded import RULE
from tests.policies.elastic import node_pool
from tests.policies.judging import later, messages
from tests.policies.pools import pool


def test_a_training_pool_with_a_floor_is_reported(preview: bool) -> None:
    def build() -> None:
        pool(scaling_config={"min_size": 1, "desired_size": 1, "max_size": 2})

    assert messages(RULE, build, preview=preview) == [
        "gpu: keeps 1 GPU node whether anything runs or not; its minimum must be 0, or its label "
        "gpufleet.io/use say inference.",
    ]


def test_a_floor_for_inference_a_floor_of_zero_and_cpus_are_quiet(preview: bool) -> None:
    def build() -> None:
        pool(
            "serve",
            labels={"gpufleet.io/use": "inference"},
            scaling_config={"min_size": 2, "desired_size": 2, "max_size": 2},
        )
        pool("zero")
        pool("cpu", types=("m7i.xlarge",), scaling_config={"min_size": 2, "desired_size": 2, "max_size": 2})
        node_pool()

    assert messages(RULE, build, preview=preview) == []


def test_a_floor_in_a_protected_environment_is_quiet(preview: bool) -> None:
    def build() -> None:
        pool(tags={"gpufleet-protected": "true"}, scaling_config={"min_size": 1, "desired_size": 1, "max_size": 2})

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_floor_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        pool(scaling_config={"min_size": later(1), "desired_size": 1, "max_size": 2})

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "gpu: keeps 1 GPU node whether anything runs or not; its minimum must be 0, or its label "
        "gpufleet.io/use say inference.",
    ]
