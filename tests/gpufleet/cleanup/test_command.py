"""The command: what it prints, what it changes, and whom it refuses."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from gpufleet.cleanup import command
from gpufleet.errors import MissingError, UsageError
from tests.gpufleet.cleanup import world as given
from tests.gpufleet.cleanup.world import ABORT, ACCOUNT, CALLER, SCRATCH, World

SHRED: dict[str, Any] = {"workspace": "vision", "shred_keys": True}
NOW: dict[str, Any] = {"apply": True, "confirm": "vision"}


@pytest.fixture
def vision(world: World) -> str:
    own = world.key("gpufleet/dev/vision", "vision")
    world.bucket("vision-checkpoints", "checkpoints", own, workspace="vision", entries=[ABORT])
    world.put("vision-checkpoints", "step-1", b"123")
    world.bucket("scratch", "scratch", entries=SCRATCH)
    return own


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[bool, dict[str, Any]]]:
    def call(**arguments: Any) -> tuple[bool, dict[str, Any]]:
        capsys.readouterr()
        ok = command.run(given.project(), as_json=True, **arguments)
        return ok, json.loads(capsys.readouterr().out)

    return call


Run = Callable[..., tuple[bool, dict[str, Any]]]


def test_without_apply_nothing_is_changed(world: World, vision: str, run: Run):
    upload = world.upload("scratch", "a", b"1")
    for arguments in ({}, SHRED):
        ok, document = run(**arguments)
        assert (ok, document["done"]) == (True, None)
    assert world.state(vision) == "Enabled"
    assert [entry["UploadId"] for entry in world.s3.list_multipart_uploads(Bucket="scratch")["Uploads"]] == [upload]


def test_shredding_switches_the_key_off_and_schedules_its_end(world: World, vision: str, run: Run):
    before = datetime.now(UTC).replace(microsecond=0)
    ok, document = run(**SHRED, **NOW, window_days=7)

    described = world.kms.describe_key(KeyId=vision)["KeyMetadata"]
    done = document["done"]
    (key,) = done["keys"]
    assert (ok, described["KeyState"], described["Enabled"]) == (True, "PendingDeletion", False)
    assert (done["action"], done["by"], done["workspace"], done["window_days"]) == ("shred", CALLER, "vision", 7)
    assert before <= datetime.fromisoformat(done["at"]) <= datetime.now(UTC)
    assert (key["key_arn"], key["outcome"]) == (vision, "scheduled")
    assert key["deletion_date"] == described["DeletionDate"].astimezone(UTC).isoformat(timespec="seconds")
    assert key["request_id"]


def test_the_evidence_holds_what_was_there_before(world: World, vision: str, run: Run):
    _, document = run(**SHRED, **NOW)
    (workspace,) = document["workspaces"]
    assert workspace["keys"][0]["state"] == "Enabled"
    assert workspace["shredding"]["becomes_unreadable"] == {"objects": 1, "bytes": 3}
    assert [place["bucket"] for place in workspace["places"]] == ["vision-checkpoints"]


def test_shredding_can_be_taken_back_with_the_commands_it_prints(world: World, vision: str, run: Run):
    _, document = run(**SHRED, **NOW)
    key = f"--key-id {_id(vision)} --region us-east-1"
    assert document["done"]["keys"][0]["cancel"] == f"aws kms cancel-key-deletion {key} && aws kms enable-key {key}"

    world.kms.cancel_key_deletion(KeyId=_id(vision))
    world.kms.enable_key(KeyId=_id(vision))
    assert world.s3.get_object(Bucket="vision-checkpoints", Key="step-1")["Body"].read() == b"123"


def _id(arn: str) -> str:
    return arn.rpartition("/")[2]


def test_shredding_twice_says_that_it_was_scheduled(world: World, vision: str, run: Run):
    _, first = run(**SHRED, **NOW, window_days=7)
    ok, second = run(**SHRED, **NOW, window_days=30)
    (key,) = second["done"]["keys"]
    assert (ok, key["outcome"]) == (True, "was scheduled")
    date = first["done"]["keys"][0]["deletion_date"]
    assert (key["deletion_date"], second["workspaces"][0]["shredding"]["deletion_date"]) == (date, date)


def test_no_object_is_deleted_by_shredding(world: World, vision: str, run: Run):
    run(**SHRED, **NOW)
    assert world.s3.list_objects_v2(Bucket="vision-checkpoints")["KeyCount"] == 1


@pytest.mark.parametrize("apply", [False, True])
def test_shredding_is_refused_where_the_key_encrypts_something_else(world: World, vision: str, run: Run, apply: bool):
    world.logs.create_log_group(logGroupName="/astray", kmsKeyId=vision)
    ok, document = run(**SHRED, apply=apply, confirm="vision" if apply else None)
    assert (ok, document["done"], world.state(vision)) == (False, None, "Enabled")
    assert document["workspaces"][0]["shredding"]["obstacles"] == [
        "alias/gpufleet/dev/vision also encrypts log group /astray, which is without tag gpufleet-workspace=vision"
    ]


def test_a_key_that_may_not_be_scheduled_is_off_and_the_failure_is_told(
    world: World, vision: str, run: Run, deny: Callable[..., None]
):
    deny("ScheduleKeyDeletion", code="AccessDeniedException")
    ok, document = run(**SHRED, **NOW)
    (key,) = document["done"]["keys"]
    assert (ok, key["outcome"], world.state(vision)) == (False, "failed", "Disabled")
    assert "ScheduleKeyDeletion" in key["error"]


def test_apply_gives_up_stray_uploads_and_nothing_else(world: World, vision: str, run: Run):
    upload = world.upload("scratch", "a", b"12")
    world.put("scratch", "b", b"1")
    ok, document = run(apply=True)

    assert ok
    assert document["done"]["uploads"] == [{"bucket": "scratch", "key": "a", "upload_id": upload, "bytes": 2}]
    assert "Uploads" not in world.s3.list_multipart_uploads(Bucket="scratch")
    assert world.s3.list_objects_v2(Bucket="scratch")["KeyCount"] == 1
    assert world.state(vision) == "Enabled"


def test_an_upload_that_no_rule_ends_is_left_alone(world: World, run: Run):
    name = world.bucket("artifacts", "artifacts")
    world.upload(name, "a", b"1")
    ok, document = run(apply=True)
    assert (ok, document["done"]["uploads"]) == (True, [])
    assert len(world.s3.list_multipart_uploads(Bucket=name)["Uploads"]) == 1


def test_uploads_that_may_not_be_given_up_are_a_failure(world: World, vision: str, run: Run, deny: Callable[..., None]):
    world.upload("scratch", "a", b"1")
    deny("AbortMultipartUpload")
    ok, document = run(apply=True)
    assert not ok
    assert document["done"]["missing_permissions"] == [{"permission": "s3:AbortMultipartUpload", "on": "scratch"}]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"shred_keys": True}, "--shred: whose data is to be destroyed?\n  fix: add --workspace NAME"),
        (
            {**SHRED, "apply": True},
            "--shred --apply: makes the data of workspace vision unreadable\n"
            "  allowed: --confirm vision, and nothing else (None was given)\n"
            "  fix: read the list without --apply first, then type the name",
        ),
        (
            {**SHRED, "apply": True, "confirm": "Vision"},
            "--shred --apply: makes the data of workspace vision unreadable\n"
            "  allowed: --confirm vision, and nothing else ('Vision' was given)\n"
            "  fix: read the list without --apply first, then type the name",
        ),
        ({"confirm": "vision"}, "--confirm: belongs to --shred, which is not given"),
        ({**SHRED, "window_days": 6}, "--window 6: KMS takes 7 to 30 days"),
        ({**SHRED, "window_days": 31}, "--window 31: KMS takes 7 to 30 days"),
        ({"days": -1}, "--days -1: must be 0 or more"),
        ({"limit": 0}, "--limit 0: must be 1 or more"),
        ({"region": "eu-west-1"}, "--region eu-west-1: the stack is not there\n  allowed: us-east-1"),
    ],
)
def test_wrong_arguments_are_answered_before_aws_is_asked(arguments: dict[str, Any], message: str):
    with pytest.raises(UsageError) as mistake:
        command.run(given.project(), **arguments)
    assert str(mistake.value) == message


@pytest.mark.parametrize("account_id", [None, 111122223333, "1234"])
def test_settings_without_a_proper_account_are_a_mistake(account_id: Any):
    with pytest.raises(UsageError, match=r"gpufleet:settings.account_id: .*\n  allowed: twelve digits, quoted"):
        command.run(given.project(account_id))


def test_another_accounts_credentials_are_refused_and_nothing_is_looked_at(world: World, vision: str):
    with pytest.raises(UsageError) as mistake:
        command.run(given.project("111122223333"), **SHRED, **NOW)
    assert str(mistake.value) == (
        f"the credentials are of account {ACCOUNT} ({CALLER})\n"
        "  allowed: account 111122223333, which the settings name as account_id\n"
        "  fix: take that account's credentials, or name another stack"
    )
    assert world.state(vision) == "Enabled"


@pytest.mark.usefixtures("nobody")
def test_no_credentials_are_something_missing():
    with pytest.raises(
        MissingError, match=r"AWS takes no credentials from here: Unable to locate credentials\n  fix: "
    ):
        command.run(given.project())


def test_what_aws_refuses_for_another_reason_is_one_message(world: World, vision: str, deny: Callable[..., None]):
    deny("GetResources", code="InternalServiceException")
    with pytest.raises(MissingError, match=r"^AWS could not be asked: .*InternalServiceException"):
        command.run(given.project())


def test_a_region_that_is_left_out_is_named(world: World, vision: str, capsys: pytest.CaptureFixture[str]):
    command.run(given.project(regions=("eu-west-1", "us-east-1")), region="us-east-1", as_json=True)
    assert json.loads(capsys.readouterr().out)["not_looked_at"] == ["eu-west-1"]


def test_tables_tell_people_the_same(world: World, vision: str, capsys: pytest.CaptureFixture[str]):
    world.upload("scratch", "vision/step-1", b"1234")
    assert command.run(given.project(), **SHRED)
    told = capsys.readouterr().out
    for line in (
        "gpufleet/dev  account 123456789012, us-east-1",
        "  no object expires: jobs prune their own; where they do not, set keep_days of the bucket",
        "  abort-abandoned-uploads: unfinished uploads go 7 days after they began",
        f"  key {vision} (alias/gpufleet/dev/vision): Enabled",
        "  s3://vision-checkpoints/: 1 (3 B), old versions 0, under the workspace's key; of 1 looked at 1 are under ",
        "  shredding: 1 (3 B) unreadable at once, for good on ",
        "nothing was changed",
    ):
        assert line in told

    assert command.run(given.project(), apply=True)
    assert "  given up: s3://scratch/vision/step-1" in capsys.readouterr().out
    assert command.run(given.project(), **SHRED, **NOW)
    told = capsys.readouterr().out
    assert f"  {vision}: off; scheduled to be deleted on " in told
    assert f"    aws kms cancel-key-deletion --key-id {_id(vision)} --region us-east-1 && aws kms enable-key" in told


def test_a_refusal_is_told_in_the_tables(world: World, capsys: pytest.CaptureFixture[str]):
    world.bucket("scratch", "scratch", entries=SCRATCH)
    assert not command.run(given.project(workspaces=("vision",)), **SHRED)
    told = capsys.readouterr().out
    assert "  cannot be shredded: workspace vision has no key of its own" in told
    assert "refused: nothing was changed" in told


def test_progress_goes_to_stderr(world: World, vision: str, capsys: pytest.CaptureFixture[str]):
    command.run(given.project(), as_json=True)
    assert "us-east-1: what is tagged gpufleet-stack=gpufleet-dev" in capsys.readouterr().err.splitlines()
