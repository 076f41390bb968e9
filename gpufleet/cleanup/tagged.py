"""A stack's buckets and keys, found by the tag that all of it carries."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from gpufleet.cleanup.account import NOTHING, Account, Gap, ask, or_none
from gpufleet.cleanup.scope import STACK_TAG

PURPOSE_TAG = "purpose"
"""On a bucket: `datasets`, `checkpoints`, `artifacts`, `scratch` or `access-logs`."""
WORKSPACE_TAG = "gpufleet-workspace"
"""On a key, a bucket, or anything else that is of one workspace and of nobody else."""

_TAGS = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Tagged:
    """A bucket or a key of the stack."""

    arn: str
    name: str
    """The bucket's name, or the key's id."""
    tags: _TAGS


@dataclass(frozen=True)
class Found:
    """What a region holds of the stack."""

    buckets: list[Tagged] = field(default_factory=list[Tagged])
    keys: list[Tagged] = field(default_factory=list[Tagged])
    tags: Mapping[str, _TAGS] = field(default_factory=dict[str, _TAGS])
    """Of everything of the stack in the region that could be found, by ARN."""


def find(account: Account, region: str, stack_tag: str, gaps: list[Gap], progress: Callable[[str], None]) -> Found:
    """Ask the tagging service; where that is not permitted, look at each bucket and key of the region.

    The second way sees the tags of buckets and keys only, not of volumes and the like.
    """
    progress(f"{region}: what is tagged {STACK_TAG}={stack_tag}")
    everything = ask(lambda: _by_tag(account, region, stack_tag), "tag:GetResources", region, gaps)
    if everything is None:
        everything = {
            arn: tags
            for arn, tags in (*_each_bucket(account, region, gaps), *_each_key(account, region, gaps))
            if tags.get(STACK_TAG) == stack_tag
        }
    found = Found(tags=everything)
    for arn, tags in sorted(everything.items()):
        service, name = arn.split(":", 5)[2], arn.split(":", 5)[5]
        if service == "s3" and "/" not in name:
            found.buckets.append(Tagged(arn, name, tags))
        elif service == "s3express" and name.startswith("bucket/"):
            found.buckets.append(Tagged(arn, name.removeprefix("bucket/"), tags))
        elif service == "kms" and name.startswith("key/"):
            found.keys.append(Tagged(arn, name.removeprefix("key/"), tags))
    return found


def all_buckets(account: Account, region: str, gaps: list[Gap]) -> list[str] | None:
    """Every bucket of the account in the region, whosoever; None where that is not permitted."""
    listed = account.pages("s3", region, "list_buckets", "Buckets", BucketRegion=region)
    return ask(lambda: [str(bucket["Name"]) for bucket in listed], "s3:ListAllMyBuckets", region, gaps)


def _by_tag(account: Account, region: str, stack_tag: str) -> dict[str, _TAGS]:
    # No filter by type: what such a filter may name differs from what may be tagged.
    listed = account.pages(
        "resourcegroupstaggingapi",
        region,
        "get_resources",
        "ResourceTagMappingList",
        TagFilters=[{"Key": STACK_TAG, "Values": [stack_tag]}],
    )
    return {entry["ResourceARN"]: {tag["Key"]: tag["Value"] for tag in entry["Tags"]} for entry in listed}


def _each_bucket(account: Account, region: str, gaps: list[Gap]) -> Iterator[tuple[str, _TAGS]]:
    s3 = account.client("s3", region)
    for name in all_buckets(account, region, gaps) or ():
        answer = ask(
            lambda name=name: (
                or_none(lambda: s3.get_bucket_tagging(Bucket=name), "NoSuchTagSet", "NoSuchBucket") or NOTHING
            ),
            "s3:GetBucketTagging",
            name,
            gaps,
        )
        tags = {tag["Key"]: tag["Value"] for tag in (answer or NOTHING).get("TagSet", ())}
        yield f"arn:{account.partition}:s3:::{name}", tags


def _each_key(account: Account, region: str, gaps: list[Gap]) -> Iterator[tuple[str, _TAGS]]:
    keys = account.pages("kms", region, "list_keys", "Keys")
    for key in ask(lambda: list(keys), "kms:ListKeys", region, gaps) or ():
        listed = account.pages("kms", region, "list_resource_tags", "Tags", KeyId=key["KeyId"])
        tags = ask(
            lambda listed=listed: {tag["TagKey"]: tag["TagValue"] for tag in listed},
            "kms:ListResourceTags",
            key["KeyArn"],
            gaps,
        )
        yield key["KeyArn"], tags or {}
