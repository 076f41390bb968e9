"""Exported states, as projects of any language leave them."""

import json
from pathlib import Path
from typing import Any

import pytest

from gpufleet.check import state
from gpufleet.errors import UsageError
from gpufleet.plan.graph import UNKNOWN, Resource, Run

TYPESCRIPT = Path(__file__).parent / "data/typescript.json"
PREFIX = "urn:pulumi:prod::shop::"
BUCKET = f"{PREFIX}shop:web:Site$aws:s3/bucket:Bucket::assets"
SECRET = {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270"}


@pytest.fixture
def shop() -> Run:
    return state.read(TYPESCRIPT)


def written(tmp_path: Path, document: Any) -> Path:
    path = tmp_path / "state.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return path


def read(tmp_path: Path, *resources: Any) -> Run:
    return state.read(written(tmp_path, {"version": 3, "deployment": {"resources": list(resources)}}))


def one(tmp_path: Path, **inputs: Any) -> Resource:
    """The only resource of a state, with these inputs."""
    [found] = read(
        tmp_path, {"urn": f"{PREFIX}a:b/c:D::x", "type": "a:b/c:D", "custom": True, "inputs": inputs}
    ).resources
    return found


def test_the_stack_is_named_after_its_urns_and_all_but_itself_and_the_dying_is_judged(shop: Run):
    assert (shop.project, shop.stack, shop.preview) == ("shop", "prod", False)
    assert [resource.urn.removeprefix(PREFIX) for resource in shop.resources] == [
        "aws:rds/instance:Instance::db",
        "pulumi:providers:aws::default_7_8_0",
        "shop:web:Site$aws:s3/bucket:Bucket::assets",
        "shop:web:Site$aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock::assets",
        "shop:web:Site::site",
    ]
    assert shop.outputs == {"token": UNKNOWN, "url": "https://shop.example.com"}


def test_a_resource_keeps_what_rules_look_at(shop: Run):
    bucket = shop.by_urn()[BUCKET]
    assert (bucket.type, bucket.name, bucket.id) == ("aws:s3/bucket:Bucket", "assets", "assets-1a2b3c4")
    assert (bucket.parent, bucket.custom, bucket.protect) == (f"{PREFIX}shop:web:Site::site", True, True)
    assert bucket.provider.startswith(f"{PREFIX}pulumi:providers:aws::default_7_8_0::")
    assert bucket.property_dependencies == {}
    [block] = [resource for resource in shop.resources if resource.type.endswith("BucketPublicAccessBlock")]
    assert (block.dependencies, block.property_dependencies) == ((BUCKET,), {"bucket": (BUCKET,)})


def test_a_secret_that_is_sealed_is_not_known(shop: Run):
    database = shop.by_urn()[f"{PREFIX}aws:rds/instance:Instance::db"]
    assert database.inputs == {"engine": "postgres", "password": UNKNOWN, "tags": {"owner": "shop"}}
    assert database.secrets == ("password",)
    assert database.options == {"additionalSecretOutputs": ["password"], "retainOnDelete": True}


def test_a_component_stands_for_what_it_registered_and_a_reference_for_an_id(shop: Run):
    site = shop.by_urn()[f"{PREFIX}shop:web:Site::site"]
    assert (site.custom, site.inputs, site.outputs) == (False, {}, {"bucket": "assets-1a2b3c4"})


def test_a_secret_that_was_exported_in_the_clear_is_read(tmp_path: Path):
    found = one(tmp_path, rules=[{"key": {**SECRET, "plaintext": '{"cidr": "0.0.0.0/0"}'}}])
    assert (found.inputs, found.secrets) == ({"rules": [{"key": {"cidr": "0.0.0.0/0"}}]}, ("rules[0].key",))


@pytest.mark.parametrize("secret", [{}, {"plaintext": "not json"}, {"plaintext": 7}])
def test_a_secret_that_cannot_be_opened_is_not_known(tmp_path: Path, secret: Any):
    assert one(tmp_path, key={**SECRET, **secret}).inputs == {"key": UNKNOWN}


def test_outputs_and_references_are_what_they_stand_for(tmp_path: Path):
    output = {"4dabf18193072939515e22adb298388d": "d0e6a833031e9bbcd3f4e8bde6ca49a4"}
    reference = {"4dabf18193072939515e22adb298388d": "5cf8f73096256a8f31e491e813e4eb8e", "urn": "urn:x"}
    found = one(tmp_path, a={**output, "value": 3}, b=output, c={**reference, "id": "i-1"}, d=reference)
    assert found.inputs == {"a": 3, "b": UNKNOWN, "c": "i-1", "d": "urn:x"}


def test_the_checkpoint_of_a_backend_of_files_is_read_too(tmp_path: Path):
    resource = {"urn": f"{PREFIX}a:b/c:D::x", "type": "a:b/c:D"}
    path = written(tmp_path, {"version": 3, "checkpoint": {"stack": "prod", "latest": {"resources": [resource]}}})
    assert [found.name for found in state.read(path).resources] == ["x"]


def test_a_name_may_hold_colons_and_a_type_may_be_missing(tmp_path: Path):
    [found] = read(tmp_path, {"urn": f"{PREFIX}m:i:C$a:b/c:D::x::y"}).resources
    assert (found.type, found.name) == ("a:b/c:D", "x::y")


@pytest.mark.parametrize("document", [{"deployment": None}, {"deployment": {}}, {"checkpoint": {"latest": None}}])
def test_a_stack_that_was_never_updated_is_empty(tmp_path: Path, document: Any):
    run = state.read(written(tmp_path, document))
    assert (run.project, run.stack, run.resources) == ("", "", ())


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("{", "is not JSON"),
        ([1], "has no deployment\n  allowed: an exported state"),
        ({"resources": []}, "has no deployment"),
        ({"deployment": {"resources": {}}}, "deployment.resources is no list of resources"),
        ({"deployment": {"resources": [{"urn": "x"}]}}, r"deployment.resources.0.urn: 'x' is no URN"),
    ],
)
def test_what_is_no_state_is_refused_and_says_how_to_get_one(tmp_path: Path, document: Any, message: str):
    with pytest.raises(UsageError) as refused:
        state.read(written(tmp_path, document))
    assert message in str(refused.value)
    assert str(refused.value).endswith("pulumi stack export --file FILE`")


def test_a_state_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(UsageError, match=r"--state .*nowhere\.json: cannot be read: No such file"):
        state.read(tmp_path / "nowhere.json")
