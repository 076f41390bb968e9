"""S3 buckets; what is set on a bucket is in s3_settings."""

from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.table import FIXED, PLAIN, AutoName, AwsType, Input, Properties
from gpufleet.rehearsal.aws.tags import mapped

# S3's API has no location constraint for its first region: it is what a bucket gets without one.
_FIRST_REGION = "us-east-1"


def _create(aws: Aws, inputs: Properties) -> str:
    create_plain(aws, inputs["bucket"], locked=inputs.get("objectLockEnabled"))
    tag(aws, inputs)
    return str(inputs["bucket"])


def create_plain(aws: Aws, name: str, *, locked: bool | None = None) -> None:
    """Make a bucket with nothing set on it; `locked` has its objects kept by lock."""
    location = None if aws.region == _FIRST_REGION else {"LocationConstraint": aws.region}
    bucket = {"Bucket": name, "CreateBucketConfiguration": location, "ObjectLockEnabledForBucket": locked}
    aws.call("s3", "CreateBucket", bucket)


def tag(aws: Aws, inputs: Properties) -> None:
    """Set the tags of the bucket that the inputs name, all of them at once as S3 does."""
    tags = aws.tags(inputs)
    if tags:
        aws.call("s3", "PutBucketTagging", {"Bucket": inputs["bucket"], "Tagging": {"TagSet": tags}})
    else:
        aws.call("s3", "DeleteBucketTagging", {"Bucket": inputs["bucket"]})


def _read(aws: Aws, bucket: str, state: Properties) -> Properties | None:
    if aws.find("s3", "HeadBucket", {"Bucket": bucket}, "404", "NoSuchBucket") is None:
        return None
    tags = aws.find("s3", "GetBucketTagging", {"Bucket": bucket}, "NoSuchTagSet")
    return {
        "arn": f"arn:{aws.partition}:s3:::{bucket}",
        "bucket": bucket,
        "bucketDomainName": f"{bucket}.s3.{aws.dns_suffix}",
        "bucketRegion": aws.region,
        "bucketRegionalDomainName": f"{bucket}.s3.{aws.region}.{aws.dns_suffix}",
        "tagsAll": mapped(tags["TagSet"]) if tags else {},
    }


def _update(aws: Aws, bucket: str, old: Properties, new: Properties) -> None:
    tag(aws, new)


def _delete(aws: Aws, bucket: str, state: Properties) -> None:
    if state.get("forceDestroy") or aws.clears_the_way:
        empty(aws, bucket)
    aws.drop("s3", "DeleteBucket", {"Bucket": bucket}, "NoSuchBucket")


def empty(aws: Aws, bucket: str) -> None:
    """Delete every version of every object in a bucket."""
    versions = aws.find("s3", "ListObjectVersions", {"Bucket": bucket}, "NoSuchBucket") or {}
    objects: list[dict[str, Any]] = [*versions.get("Versions", []), *versions.get("DeleteMarkers", [])]
    for item in objects:
        aws.call("s3", "DeleteObject", {"Bucket": bucket, "Key": item["Key"], "VersionId": item["VersionId"]})
    if versions.get("IsTruncated"):
        empty(aws, bucket)


TYPES = (
    AwsType(
        name="aws:s3/bucket:Bucket",
        inputs={
            "bucket": FIXED,
            "bucketPrefix": FIXED,
            "forceDestroy": Input(default=False),
            "objectLockEnabled": FIXED,
            "tags": PLAIN,
        },
        outputs=("arn", "bucketDomainName", "bucketRegion", "bucketRegionalDomainName"),
        autoname=AutoName(input="bucket", limit=63, prefix="bucketPrefix", lower=True),
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)
