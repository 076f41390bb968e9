"""What is found of a stack, and what of it goes when."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from gpufleet.cleanup import contents, survey
from gpufleet.cleanup.contents import Tally, Window
from gpufleet.cleanup.lifecycle import Lifecycle, Rule
from gpufleet.cleanup.survey import Survey
from gpufleet.errors import UsageError
from tests.gpufleet.cleanup.world import ABORT, REGION, SCRATCH, World

ZERO = {"objects": 0, "bytes": 0}


def take(
    world: World, *, later: int = 0, days: int = 7, limit: int = 1000, workspace: str | None = None, **given: Any
) -> Survey:
    return survey.take(
        world.account(),
        world.scope(**given),
        workspace=workspace,
        window=Window(datetime.now(UTC) + timedelta(days=later), days),
        limit=limit,
        window_days=30,
        progress=lambda _: None,
    )


def bucket(found: Survey, name: str) -> dict[str, Any]:
    return next(entry for entry in found.as_document()["buckets"] if entry["name"] == name)


def scratch(world: World) -> str:
    """Two objects of 3 bytes together, an old version of 4, and one of 5 under a delete marker."""
    name = world.bucket("scratch", "scratch", entries=SCRATCH)
    world.put(name, "a", b"1234", b"1")
    world.put(name, "b", b"12")
    world.put(name, "c", b"12345")
    world.s3.delete_object(Bucket=name, Key="c")
    return name


def test_what_lies_in_a_bucket_is_counted_version_by_version(world: World):
    scratch(world)
    assert bucket(take(world), "scratch")["contents"] == {
        "objects": 2,
        "bytes": 3,
        "old_versions": 2,
        "old_version_bytes": 9,
        "delete_markers": 1,
        "expiring": {"now": ZERO, "soon": ZERO},
        "removing": {"now": ZERO, "soon": {"objects": 2, "bytes": 9}},
        "complete": True,
    }


@pytest.mark.parametrize(
    ("later", "due", "soon"),
    [(0, 0, 0), (8, 0, 2), (14, 0, 2), (16, 2, 0)],
)
def test_an_object_that_is_past_its_days_is_due_and_one_that_will_be_is_announced(
    world: World, later: int, due: int, soon: int
):
    scratch(world)
    expiring = bucket(take(world, later=later), "scratch")["contents"]["expiring"]
    assert (expiring["now"]["objects"], expiring["soon"]["objects"]) == (due, soon)


def test_the_days_asked_for_move_the_horizon(world: World):
    scratch(world)
    assert bucket(take(world, days=15), "scratch")["contents"]["expiring"]["soon"] == {"objects": 2, "bytes": 3}


def test_only_what_is_tagged_with_the_stack_is_looked_at(world: World):
    scratch(world)
    world.bucket("of-prod", "scratch", stack="gpufleet-prod")
    world.bucket("of-nobody", None, stack=None)
    assert [entry["name"] for entry in take(world).as_document()["buckets"]] == ["scratch"]


def test_a_bucket_is_listed_page_by_page_up_to_the_limit_and_says_so(world: World):
    name = world.bucket("scratch", "scratch", entries=SCRATCH)
    for index in range(7):
        world.put(name, f"object-{index}", b"1", b"22")
    everything, some = (bucket(take(world, limit=limit), name)["contents"] for limit in (14, 5))
    assert (everything["objects"], everything["old_versions"], everything["complete"]) == (7, 7, True)
    assert (some["objects"] + some["old_versions"], some["complete"]) == (5, False)


def test_versions_of_a_key_belong_together_across_pages(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("gpufleet.cleanup.contents._A_PAGE", 2)
    name = world.bucket("scratch", "scratch")
    world.put(name, "a", *(bytes(size) for size in range(1, 6)))
    keeps_two = Lifecycle((Rule(id="old", old_version_days=1, old_versions_kept=2),))
    window = Window(datetime.now(UTC) + timedelta(days=3), 0)
    found = contents.count(world.account(), REGION, name, "", keeps_two, window, 1000, lambda _: None)
    assert (found.removing.now, found.old_versions, found.current) == (Tally(2, 3), Tally(4, 10), Tally(1, 5))
    assert found.complete


def test_a_stray_upload_is_found_with_its_bytes(world: World):
    name = world.bucket("scratch", "scratch", entries=[ABORT])
    upload_id = world.upload(name, "vision/step-1", b"123456")
    assert bucket(take(world), name)["uploads"] == [
        {
            "key": "vision/step-1",
            "upload_id": upload_id,
            "begun": "2010-11-10T20:48:33+00:00",  # whenever it was, to the account in memory
            "aborts_at": "2010-11-18T00:00:00+00:00",
            "stray": True,
            "bytes": 6,
        }
    ]


def test_an_upload_that_no_rule_ends_is_no_stray(world: World):
    name = world.bucket("scratch", "scratch")
    world.upload(name, "a", b"1")
    (upload,) = bucket(take(world), name)["uploads"]
    assert (upload["aborts_at"], upload["stray"]) == (None, False)


@pytest.mark.parametrize(
    ("purpose", "right", "why"),
    [
        ("datasets", True, "data sets are the source of everything else; what nobody reads moves to a cheaper tier"),
        ("artifacts", True, "models and results are referred to for years"),
        ("checkpoints", True, "jobs prune their own; where they do not, set keep_days of the bucket"),
        ("scratch", False, "scratch should expire: the bucket's rules are not those that the stack declares"),
        (None, False, "nobody said what it is for: it has no tag purpose"),
    ],
)
def test_a_bucket_without_expiry_says_whether_that_is_right(world: World, purpose: str | None, right: bool, why: str):
    world.bucket("kept", purpose, entries=[ABORT])
    assert bucket(take(world), "kept")["no_expiry"] == {"right": right, "why": why}


def test_a_bucket_that_expires_needs_no_excuse(world: World):
    name = scratch(world)
    assert bucket(take(world), name)["no_expiry"] is None


def test_a_bucket_says_where_it_is_copied_to(world: World):
    world.bucket("copy", "datasets", stack=None)
    name = world.bucket("datasets", "datasets")
    rule = {"Status": "Enabled", "Prefix": "", "Destination": {"Bucket": "arn:aws:s3:::copy"}}
    world.s3.put_bucket_replication(
        Bucket=name, ReplicationConfiguration={"Role": "arn:aws:iam::123456789012:role/copies", "Rules": [rule]}
    )
    assert bucket(take(world), name)["copied_to"] == ["copy"]


def test_without_the_tagging_service_each_bucket_and_key_is_looked_at(world: World, deny: Callable[..., None]):
    scratch(world)
    world.bucket("of-prod", "scratch", stack="gpufleet-prod")
    world.bucket("vision-data", "artifacts", world.key("vision", "vision"), workspace="vision")
    whole = take(world).as_document()
    deny("GetResources", code="AccessDeniedException")
    pieced = take(world).as_document()

    assert pieced["missing_permissions"] == [{"permission": "tag:GetResources", "on": REGION}]
    assert pieced["buckets"] == whole["buckets"]
    for part in ("keys", "places", "uses"):
        assert pieced["workspaces"][0][part] == whole["workspaces"][0][part]


def test_a_bucket_that_may_not_be_listed_is_named_and_the_others_are(world: World, deny: Callable[..., None]):
    scratch(world)
    deny("ListObjectVersions", "ListMultipartUploads")
    document = take(world).as_document()
    assert document["buckets"][0]["contents"] is None
    assert document["missing_permissions"] == [
        {"permission": "s3:ListBucketVersions", "on": "scratch"},
        {"permission": "s3:ListBucketMultipartUploads", "on": "scratch"},
    ]


def test_a_stack_of_which_there_is_nothing_is_a_mistake(world: World):
    with pytest.raises(UsageError) as mistake:
        take(world)
    assert str(mistake.value) == (
        "stack dev: no bucket and no key in us-east-1 of account 123456789012 is tagged gpufleet-stack=gpufleet-dev\n"
        "  allowed: a stack that has been created\n"
        "  fix: name another stack, or create this one first"
    )


def test_a_workspace_that_does_not_exist_is_a_mistake(world: World):
    world.key("vision", "vision")
    with pytest.raises(UsageError) as mistake:
        take(world, workspace="visoin", workspaces=("speech",))
    assert str(mistake.value) == (
        "--workspace visoin: there is no such workspace\n"
        "  allowed: speech, vision\n"
        "  fix: name one that the settings have, or whose key or bucket is tagged gpufleet-workspace"
    )


def test_the_document_keeps_its_shape(world: World):
    scratch(world)
    document = take(world, regions=(REGION,)).as_document()
    assert list(document) == [
        "schema",
        "project",
        "stack",
        "account_id",
        "regions",
        "not_looked_at",
        "by",
        "at",
        "days",
        "limit",
        "buckets",
        "workspaces",
        "looked_for_under_keys",
        "missing_permissions",
    ]
    assert document["schema"] == 1
