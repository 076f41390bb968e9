"""Where a workspace's data lies, what its key would take with it, and what forbids to destroy it."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.gpufleet.cleanup.test_survey import take
from tests.gpufleet.cleanup.world import REGION, SCRATCH, World


@pytest.fixture
def vision(world: World) -> str:
    """A key and a bucket of its own with 2 objects and an old version, and a prefix in the shared scratch bucket."""
    data = world.key("gpufleet/dev/data")
    own = world.key("gpufleet/dev/vision", "vision")
    world.bucket("scratch", "scratch", data, entries=SCRATCH)
    world.bucket("vision-checkpoints", "checkpoints", own, workspace="vision")
    world.bucket("speech-checkpoints", "checkpoints", data, workspace="speech")
    world.put("vision-checkpoints", "step-1", b"1", b"12")
    world.put("vision-checkpoints", "step-2", b"123")
    world.put("scratch", "vision/tmp", b"1234")
    world.put("scratch", "visionary/tmp", b"12345")
    world.put("speech-checkpoints", "step-1", b"123456")
    return own


def workspace(world: World, name: str = "vision", **given: Any) -> dict[str, Any]:
    (found,) = take(world, workspace=name, **given).as_document()["workspaces"]
    return found


def obstacles(world: World, name: str = "vision", **given: Any) -> list[str]:
    return workspace(world, name, **given)["shredding"]["obstacles"]


def test_it_has_its_own_buckets_and_its_prefix_in_shared_ones(world: World, vision: str):
    places = workspace(world)["places"]
    assert [(place["bucket"], place["prefix"], place["becomes_unreadable"]) for place in places] == [
        ("scratch", "vision/", False),
        ("vision-checkpoints", "", True),
    ]


def test_shredding_reaches_what_is_under_its_own_key_old_versions_included(world: World, vision: str):
    shredding = workspace(world)["shredding"]
    assert shredding["becomes_unreadable"] == {"objects": 3, "bytes": 6}
    assert shredding["stays_readable"] == {"objects": 1, "bytes": 4}
    assert (shredding["possible"], shredding["complete"]) == (True, True)


def test_objects_are_asked_under_which_key_they_really_are(world: World, vision: str):
    aside = world.key("another")
    world.s3.put_object(
        Bucket="vision-checkpoints", Key="aside", Body=b"1", ServerSideEncryption="aws:kms", SSEKMSKeyId=aside
    )
    found = workspace(world)
    assert found["places"][1]["sample"] == {"looked_at": 4, "under_own_key": 3, "unknown": 0}
    assert found["shredding"]["doubts"] == [
        "s3://vision-checkpoints/: 1 of 4 objects looked at are not under the key and stay"
    ]


def test_a_bucket_without_versions_is_sampled_too(world: World):
    own = world.key("gpufleet/dev/vision", "vision")
    world.bucket("vision-checkpoints", "checkpoints", own, workspace="vision", versioned=False)
    world.put("vision-checkpoints", "step-1", b"1")
    (place,) = workspace(world)["places"]
    assert place["sample"] == {"looked_at": 1, "under_own_key": 1, "unknown": 0}


def test_a_copy_under_another_key_is_told(world: World, vision: str):
    world.bucket("copy", "checkpoints", stack=None)
    rule = {"Status": "Enabled", "Prefix": "", "Destination": {"Bucket": "arn:aws:s3:::copy"}}
    configuration = {"Role": "arn:aws:iam::123456789012:role/copies", "Rules": [rule]}
    world.s3.put_bucket_replication(Bucket="vision-checkpoints", ReplicationConfiguration=configuration)
    assert workspace(world)["shredding"]["doubts"] == [
        "s3://vision-checkpoints/: is copied to copy, where this key does not reach"
    ]


def test_objects_that_may_not_be_looked_at_are_a_doubt(world: World, vision: str, deny: Callable[..., None]):
    deny("HeadObject", code="403")
    assert workspace(world)["shredding"]["doubts"] == [
        "s3://vision-checkpoints/: of 3 objects it is not known under which key they are"
    ]


def test_a_sample_is_spread_over_everything(world: World, vision: str):
    for index in range(120):
        world.put("vision-checkpoints", f"shard-{index:03}", b"1")
    sample = workspace(world)["places"][1]["sample"]
    assert 12 <= sample["looked_at"] <= 25
    assert sample["under_own_key"] == sample["looked_at"]


def test_the_key_is_shown_with_its_aliases_and_grants(world: World, vision: str):
    world.kms.create_grant(
        KeyId=vision,
        GranteePrincipal="arn:aws:iam::123456789012:role/reader",
        Operations=["GenerateDataKey", "Decrypt"],
        Constraints={"EncryptionContextSubset": {"workspace": "vision"}},
    )
    (key,) = workspace(world)["keys"]
    (grant,) = key["grants"]
    assert (key["arn"], key["state"], key["aliases"]) == (vision, "Enabled", ("alias/gpufleet/dev/vision",))
    assert (grant["grantee"], grant["operations"], grant["context"]) == (
        "arn:aws:iam::123456789012:role/reader",
        ("Decrypt", "GenerateDataKey"),
        {"workspace": "vision"},
    )


def test_its_own_bucket_under_its_key_is_a_use_and_no_obstacle(world: World, vision: str):
    assert [(use["what"], use["name"], use["workspace"]) for use in workspace(world)["uses"]] == [
        ("S3 bucket", "vision-checkpoints", "vision")
    ]
    assert obstacles(world) == []


def _bucket(world: World, key: str) -> None:
    world.bucket("astray", "artifacts", key, stack=None)


def _volume(world: World, key: str) -> None:
    world.ec2.create_volume(AvailabilityZone="us-east-1a", Size=1, Encrypted=True, KmsKeyId=key)


def _log_group(world: World, key: str) -> None:
    world.logs.create_log_group(logGroupName="/astray", kmsKeyId=key)


def _queue(world: World, key: str) -> None:
    attributes = {"KmsMasterKeyId": "alias/gpufleet/dev/vision"}
    world.client("sqs").create_queue(QueueName="astray", Attributes=attributes)


def _topic(world: World, key: str) -> None:
    world.client("sns").create_topic(Name="astray", Attributes={"KmsMasterKeyId": key})


def _repository(world: World, key: str) -> None:
    encryption = {"encryptionType": "KMS", "kmsKey": key}
    world.client("ecr").create_repository(repositoryName="astray", encryptionConfiguration=encryption)


def _secret(world: World, key: str) -> None:
    world.client("secretsmanager").create_secret(Name="astray", SecretString="x", KmsKeyId=key.rpartition("/")[2])


def _template(world: World, key: str) -> None:
    mapping = {"DeviceName": "/dev/xvda", "Ebs": {"Encrypted": True, "KmsKeyId": key}}
    data = {"BlockDeviceMappings": [mapping]}
    world.ec2.create_launch_template(LaunchTemplateName="astray", LaunchTemplateData=data)


def _file_system(world: World, key: str) -> None:
    world.client("efs").create_file_system(CreationToken="astray", Encrypted=True, KmsKeyId=key)


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (_bucket, "S3 bucket astray"),
        (_volume, "EBS volume vol-"),
        (_log_group, "log group /astray"),
        (_queue, "SQS queue https://sqs.us-east-1.amazonaws.com/123456789012/astray"),
        (_topic, "SNS topic arn:aws:sns:us-east-1:123456789012:astray"),
        (_repository, "ECR repository astray"),
        (_secret, "secret astray"),
        (_template, "launch template lt-"),
        (_file_system, "EFS file system fs-"),
    ],
)
def test_whatever_else_is_under_the_key_is_an_obstacle_with_its_name(
    world: World, vision: str, make: Callable[[World, str], None], what: str
):
    make(world, vision)
    (obstacle,) = obstacles(world)
    assert obstacle.startswith(f"alias/gpufleet/dev/vision also encrypts {what}")
    assert obstacle.endswith(", which is without tag gpufleet-workspace=vision")


def test_a_volume_that_is_tagged_as_the_workspaces_is_no_obstacle(world: World, vision: str):
    tags = [{"Key": "gpufleet-stack", "Value": "gpufleet-dev"}, {"Key": "gpufleet-workspace", "Value": "vision"}]
    world.ec2.create_volume(
        AvailabilityZone="us-east-1a",
        Size=1,
        Encrypted=True,
        KmsKeyId=vision,
        TagSpecifications=[{"ResourceType": "volume", "Tags": tags}],
    )
    assert [use["what"] for use in workspace(world)["uses"]] == ["EBS volume", "S3 bucket"]
    assert obstacles(world) == []


def test_another_workspaces_bucket_under_the_key_is_an_obstacle(world: World, vision: str):
    world.bucket("speech-artifacts", "artifacts", vision, workspace="speech")
    assert obstacles(world) == [
        "alias/gpufleet/dev/vision also encrypts S3 bucket speech-artifacts, which is workspace speech's"
    ]


def test_a_workspace_under_a_shared_key_cannot_be_shredded(world: World, vision: str):
    assert obstacles(world, "speech") == [
        "workspace speech has no key of its own: no key of the stack is tagged gpufleet-workspace=speech; what it has "
        "lies under alias/gpufleet/dev/data, and so does what others have. Its data ends by lifecycle, or by deleting "
        "it with all its versions"
    ]


def test_a_key_whose_uses_cannot_be_seen_cannot_be_destroyed(world: World, vision: str, deny: Callable[..., None]):
    deny("DescribeVolumes", code="UnauthorizedOperation")
    assert obstacles(world) == [
        f"it cannot be told whether others use the key: ec2:DescribeVolumes is missing on {REGION}"
    ]


def test_a_key_of_several_regions_cannot_be_destroyed(world: World):
    made = world.kms.create_key(
        MultiRegion=True,
        Tags=[
            {"TagKey": "gpufleet-stack", "TagValue": "gpufleet-dev"},
            {"TagKey": "gpufleet-workspace", "TagValue": "vision"},
        ],
    )["KeyMetadata"]
    assert obstacles(world) == [
        f"{made['KeyId']} exists in several regions ({made['Arn']}): its replicas have to be deleted first"
    ]


def test_a_workspace_that_has_left_the_settings_is_found_by_its_key(world: World, vision: str):
    names = [entry["name"] for entry in take(world, workspaces=("robotics",)).as_document()["workspaces"]]
    assert names == ["robotics", "speech", "vision"]
