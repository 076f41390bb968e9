"""Every accelerated type, however it is bought: its objects have no field that Karpenter's definitions lack."""

import importlib
from typing import Any

import pytest

from components.compute.design.shapes import Design
from components.scheduling import node_class, node_pool
from gpufleet.facts import instances
from tests.components.scheduling import builds
from tests.components.scheduling.designs import around, design, spec_schema

ACCELERATED = [name for name in instances.names() if instances.get(name).accelerator]
PURCHASES: dict[str, dict[str, Any]] = {
    "on-demand": {},
    "spot": {"purchase": "spot"},
    "dedicated": {"dedicated": True},
    "efa": {"efa": True, "use": "training"},
}


def faults(kind: str, spec: Any) -> list[str]:
    validator: Any = importlib.import_module("jsonschema").Draft202012Validator(spec_schema(kind))
    errors = validator.iter_errors(spec)
    return [f"{kind}.{'.'.join(map(str, error.absolute_path))}: {error.message}" for error in errors]


def decided(name: str, how: str) -> Design | str:
    """The design of a pool of that type where it is offered, or why there is none."""
    region = (instances.get(name).regions or ("us-east-1",))[0]
    zone = f"{region}a"
    try:
        return design(
            instance_types=[name],
            region=region,
            zones=[zone],
            subnet_ids={zone: "subnet-a"},
            efa_security_group_id="sg-efa",
            **PURCHASES[how],
        )
    except ValueError as refused:
        return str(refused)


@pytest.mark.parametrize("how", PURCHASES)
@pytest.mark.parametrize("name", ACCELERATED)
def test_a_type_has_valid_objects_or_is_refused_by_its_name_or_its_setting(name: str, how: str) -> None:
    found = decided(name, how)

    if isinstance(found, str):
        assert found.split(":")[0] in ("instance_types", "purchase", "efa", "dedicated", "image", "scaler")
    else:
        surroundings = around(placement_group="train" if found.placement_group else None)
        assert faults("EC2NodeClass", node_class.spec(found, surroundings)) == []
        assert faults("NodePool", node_pool.spec(found)) == []


def test_types_with_a_fraction_of_a_gpu_are_refused_because_karpenter_sees_none() -> None:
    refused = {name for name in ACCELERATED if "fraction of a GPU" in str(decided(name, "on-demand"))}

    assert refused == {"g6f.large", "g6f.xlarge", "g6f.2xlarge", "g6f.4xlarge", "gr6f.4xlarge"}


def test_most_types_have_a_pool_and_every_one_with_efa_has_one_with_it() -> None:
    plain = {name for name in ACCELERATED if not isinstance(decided(name, "on-demand"), str)}
    fabric = {name for name in ACCELERATED if not isinstance(decided(name, "efa"), str)}

    assert {"g4dn.xlarge", "g5.xlarge", "g6.xlarge", "g6e.xlarge", "p4d.24xlarge", "inf2.xlarge"} <= plain
    assert {"p4d.24xlarge", "p5.48xlarge", "trn1.32xlarge"} <= fabric


@pytest.mark.parametrize("pool", builds.POOLS)
def test_a_pool_of_each_kind_has_valid_objects(pool: str) -> None:
    made = design(**builds.POOLS[pool])

    assert faults("EC2NodeClass", node_class.spec(made, around(reservation_id=made.reservation_id))) == []
    assert faults("NodePool", node_pool.spec(made)) == []


def test_a_field_that_the_definition_lacks_is_found() -> None:
    mistaken: dict[str, Any] = {**node_pool.spec(design()), "limit": 1}

    assert faults("NodePool", mistaken) == ["NodePool.: Additional properties are not allowed ('limit' was unexpected)"]
