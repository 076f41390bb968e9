"""Two gpufleet stacks' settings, value by value."""

import json
from pathlib import Path
from typing import Any

from gpufleet.check.compare import settings
from gpufleet.plan.project import Project


def project(value: Any) -> Project:
    text = value if isinstance(value, str) else json.dumps(value)
    return Project(
        directory=Path("/x"),
        name="fleet",
        main=".",
        stack="x",
        config={"fleet:settings": text},
        secret_keys=(),
        source="Pulumi.x.yaml",
    )


def told(prod: Any, dev: Any) -> list[tuple[str, Any, Any]]:
    found, _ = settings.compare(project(prod), project(dev))
    return [(one.path.removeprefix("fleet:settings."), one.value, one.than) for one in found]


def region(**parts: Any) -> Any:
    return {"regions": {"us-east-1": parts}}


def test_a_value_that_is_lower_is_named_by_its_path_with_both():
    [found] = settings.compare(
        project(region(network={"flow_log_days": 30})), project(region(network={"flow_log_days": 365}))
    )[0]
    assert (found.where, found.path) == ("settings", "fleet:settings.regions.us-east-1.network.flow_log_days")
    assert (found.value, found.than, found.severity, found.urn) == (30, 365, "high", "")
    assert found.why == "an intrusion is found after months; what is gone cannot be read then"


def test_where_nothing_is_said_the_default_counts():
    assert told(region(cluster={}), region(cluster={"log_days": 30})) == []
    assert told(region(cluster={"log_days": 30}), region(cluster={})) == [
        ("regions.us-east-1.cluster.log_days", 30, 365)
    ]
    assert told(region(), {**region(), "account": {"guard_rails": True}}) == [("account.guard_rails", False, True)]


def test_an_api_on_the_internet_is_weaker_than_a_private_one_and_than_a_narrower_one():
    def api(value: Any) -> Any:
        return region(cluster={"api": value})

    path = "regions.us-east-1.cluster.api.public_cidrs"
    assert told(api({"public_cidrs": ["203.0.113.0/24"]}), api("private")) == [(path, ["203.0.113.0/24"], [])]
    assert told(api({"public_cidrs": ["0.0.0.0/8"]}), api({"public_cidrs": ["203.0.113.0/24"]})) == [
        (path, ["0.0.0.0/8"], ["203.0.113.0/24"])
    ]
    assert told(api("private"), api({"public_cidrs": ["203.0.113.0/24"]})) == []


def test_entries_are_held_against_those_of_the_same_name_else_against_the_weakest():
    def pools(**purchases: str) -> Any:
        return region(pools=[{"name": name, "purchase": purchase} for name, purchase in purchases.items()])

    path = "regions.us-east-1.pools"
    assert told(pools(train="spot"), pools(train="on-demand", play="spot")) == [
        (f"{path}.train.purchase", "spot", "on-demand")
    ]
    assert told(pools(other="spot"), pools(train="on-demand", play="spot")) == []
    assert told(pools(other="spot"), pools(train="on-demand")) == [(f"{path}.other.purchase", "spot", "on-demand")]


def test_a_buckets_usual_protection_is_that_of_its_purpose():
    def buckets(**given: Any) -> Any:
        return region(storage={"buckets": {name: {"protection": value} for name, value in given.items()}})

    path = "regions.us-east-1.storage.buckets"
    assert told(buckets(datasets="none"), buckets(datasets=None)) == [
        (f"{path}.datasets.protection", "none", "protect")
    ]
    assert told(buckets(scratch=None), buckets(scratch=None)) == []
    assert told(buckets(scratch=None), buckets(scratch="retain")) == [(f"{path}.scratch.protection", "none", "retain")]


def test_what_belongs_to_something_that_is_not_there_is_not_compared():
    scanned = region(registry={"repositories": ["a"], "scans_continuously": True})
    assert told(region(), scanned) == []
    assert told(region(registry={"repositories": ["a"]}), scanned) == [
        ("regions.us-east-1.registry.scans_continuously", False, True)
    ]


def test_a_program_without_such_settings_has_none_to_compare():
    assert settings.compare(project("[secret]"), project(region())) == ([], 0)
    assert settings.compare(project({"size": 3}), project({"size": 3})) == ([], 0)


def test_an_environment_that_is_no_longer_protected_is_weaker():
    assert told({**region(), "protected": False}, {**region(), "protected": True}) == [("protected", False, True)]
    assert told(region(), {**region(), "protected": True}) == [("protected", False, True)]
    assert told({**region(), "protected": True}, region()) == []


def test_a_pool_on_shared_hardware_or_shared_gpus_is_weaker_than_one_that_shares_with_nobody():
    def pool(**more: Any) -> Any:
        return region(pools=[{"name": "train", **more}])

    path = "regions.us-east-1.pools.train"
    assert told(pool(), pool(dedicated=True)) == [(f"{path}.dedicated", False, True)]
    assert told(pool(sharing={"time_slicing": 4}), pool()) == [(f"{path}.sharing.time_slicing", 4, "not set")]
    assert told(pool(sharing={"mig": "1g.10gb"}), pool()) == []


def test_a_bucket_with_fewer_copies_is_weaker():
    def bucket(**more: Any) -> Any:
        return region(storage={"buckets": {"datasets": more}})

    path = "regions.us-east-1.storage.buckets.datasets.replicate_to"
    assert told(bucket(), bucket(replicate_to="us-west-2")) == [(path, [], "us-west-2")]
