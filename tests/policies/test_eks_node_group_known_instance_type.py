from functools import partial

import pytest

from policies.rules.eks_node_group_known_instance_type import RULE
from tests.policies.judging import later, messages
from tests.policies.pools import pool


def test_a_mistyped_type_is_reported_with_its_neighbours(preview: bool) -> None:
    (message,) = messages(RULE, lambda: pool(types=("p5.48xlarg", "g6.2xlarge")), preview=preview)
    assert message.startswith("gpu: instance type p5.48xlarg is not in the catalogue; nearest known: p5.48xlarge")


def test_a_family_of_the_future_is_reported_since_no_rule_could_see_its_gpus(preview: bool) -> None:
    (message,) = messages(RULE, lambda: pool(types=("p9.metal",)), preview=preview)
    assert "p9.metal is not in the catalogue" in message


@pytest.mark.parametrize("type_", ["p5.48xlarge", "m7i.xlarge", "r8g.48xlarge", "c7i-flex.large"])
def test_known_types_and_other_sizes_of_cpu_families_are_quiet(type_: str, preview: bool) -> None:
    assert messages(RULE, lambda: pool(types=(type_,)), preview=preview) == []


def test_further_cpu_families_are_the_packs_to_allow(preview: bool) -> None:
    build = partial(pool, types=("u7i.large",))
    assert len(messages(RULE, build, preview=preview)) == 1
    assert messages(RULE, build, preview=preview, config={"cpu_families": ["u7i"]}) == []


def test_an_unknown_type_is_quiet_and_hides_no_mistake_beside_it() -> None:
    def build() -> None:
        pool(types=[later("p5.48xlarg"), "g6.2xlargee"])

    assert len(messages(RULE, build, preview=True)) == 1
    assert len(messages(RULE, build)) == 2
