"""Archive tiers of S3 Intelligent-Tiering, several to a bucket; moto has none, so they are recorded."""

from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.table import FIXED, PLAIN, SET, AwsType, Input, Properties, pick


def _create(aws: Aws, inputs: Properties) -> str:
    name = inputs["name"]
    configuration: dict[str, Any] = {"Id": name, **pick(inputs, "status", "tierings"), **_filter(inputs)}
    request = {"Bucket": inputs["bucket"], "Id": name, "IntelligentTieringConfiguration": configuration}
    aws.call("s3", "PutBucketIntelligentTieringConfiguration", request)
    return f"{inputs['bucket']}:{name}"


def _filter(inputs: Properties) -> dict[str, Any]:
    """Return S3's filter: one condition stands by itself, several are joined by And."""
    chosen: Properties = inputs.get("filter") or {}
    tagged: dict[str, str] = chosen.get("tags") or {}
    tags = [{"Key": key, "Value": value} for key, value in sorted(tagged.items())]
    prefix = pick(chosen, "prefix")
    if not chosen:
        return {}
    if len(tags) + len(prefix) > 1:
        return {"Filter": {"And": {**prefix, "Tags": tags}}}
    return {"Filter": {**prefix, **({"Tag": tags[0]} if tags else {})}}


def _read(aws: Aws, tiering_id: str, state: Properties) -> Properties:
    bucket, _, name = tiering_id.partition(":")
    return {"bucket": bucket, "name": name}


def _update(aws: Aws, tiering_id: str, old: Properties, new: Properties) -> None:
    _create(aws, new)


def _delete(aws: Aws, tiering_id: str, state: Properties) -> None:
    bucket, _, name = tiering_id.partition(":")
    aws.call("s3", "DeleteBucketIntelligentTieringConfiguration", {"Bucket": bucket, "Id": name})


TYPES = (
    AwsType(
        name="aws:s3/bucketIntelligentTieringConfiguration:BucketIntelligentTieringConfiguration",
        inputs={
            "bucket": FIXED,
            "filter": PLAIN,
            "name": FIXED,
            "status": Input(default="Enabled"),
            "tierings": SET,
        },
        singular=True,
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)
