"""Names that can be taken: buckets (by anybody), key aliases, clusters and log groups (by oneself)."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from gpufleet.plan.graph import UNKNOWN, Resource
from gpufleet.preflight.places import CLUSTER
from gpufleet.preflight.results import CouldNotAsk, Result, failed, passed
from gpufleet.preflight.site import Site

NAME = "names"
PERMISSIONS = (
    "s3:ListBucket",
    "s3:GetBucketTagging",
    "s3:ListAllMyBuckets",
    "kms:ListAliases",
    "kms:ListResourceTags",
    "eks:DescribeCluster",
    "logs:DescribeLogGroups",
    "logs:ListTagsForResource",
)

_Tags = Mapping[str, str]
_Holder = Callable[[Site, str], _Tags | None]
"""The tags of what has the name; None where it is free."""


def check(site: Site) -> Iterator[Result]:
    """Every name that the program gives itself; what Pulumi names is free by its random ending."""
    for types, key, what, holder in _NAMED:
        free: list[str] = []
        for resource in site.place.of(*types):
            name = resource.inputs.get(key)
            if not isinstance(name, str) or not name or name == UNKNOWN:
                continue
            try:
                tags = holder(site, name)
            except CouldNotAsk as error:
                yield error.result(f"whether the {what} name {name} is free")
                continue
            if tags is None:
                free.append(name)
            else:
                yield _taken(site, resource, what, name, tags)
        if free:
            yield passed(f"{what} {'name is' if len(free) == 1 else 'names are'} free: {', '.join(free)}", names=free)


def _taken(site: Site, resource: Resource, what: str, name: str, tags: _Tags) -> Result:
    if site.place.is_own(resource, tags):
        return passed(f"{what} {name} is of this stack already", names=[name])
    return failed(
        f"the {what} name {name} is taken, and not by this stack",
        f"give {resource.name} another name, delete what has it, or import it: pulumi import {resource.type} "
        f"{resource.name} {name}",
        names=[name],
        tags=dict(tags),
    )


def _bucket(site: Site, name: str) -> _Tags | None:
    s3 = site.aws.client("s3")

    def is_there(bucket: str) -> bool:
        return site.aws.ask("s3:ListBucket", lambda: s3.head_bucket(Bucket=bucket), "404") is not None

    try:
        if not is_there(name):
            return None
    except CouldNotAsk as refused:
        # 403 says: somebody else's, or not permitted. A name that nobody has tells which: of it, 403 says the latter.
        if not refused.permission:
            raise
        is_there(f"{name[:40]}-{hashlib.sha256(name.encode()).hexdigest()[:20]}")
        if name not in _own_buckets(site):
            return {}
    tagged = site.aws.ask("s3:GetBucketTagging", lambda: s3.get_bucket_tagging(Bucket=name), "NoSuchTagSet")
    return _pairs(tagged["TagSet"]) if tagged else {}


def _own_buckets(site: Site) -> list[str]:
    answer = site.aws.told("s3:ListAllMyBuckets", site.aws.client("s3").list_buckets)
    return [str(one["Name"]) for one in answer["Buckets"]]


def _alias(site: Site, name: str) -> _Tags | None:
    listed = site.aws.listed("kms:ListAliases", "kms", "list_aliases", "Aliases")
    found = next((one for one in listed if one["AliasName"] == name), None)
    if found is None:
        return None
    key = found.get("TargetKeyId")
    if key is None:
        return {}
    kms = site.aws.client("kms")
    tagged = site.aws.ask("kms:ListResourceTags", lambda: kms.list_resource_tags(KeyId=key), "NotFoundException")
    return {tag["TagKey"]: tag["TagValue"] for tag in tagged["Tags"]} if tagged else {}


def _cluster(site: Site, name: str) -> _Tags | None:
    eks = site.aws.client("eks")
    found = site.aws.ask("eks:DescribeCluster", lambda: eks.describe_cluster(name=name), "ResourceNotFoundException")
    return dict(found["cluster"].get("tags") or {}) if found else None


def _log_group(site: Site, name: str) -> _Tags | None:
    listed = site.aws.listed(
        "logs:DescribeLogGroups", "logs", "describe_log_groups", "logGroups", logGroupNamePrefix=name
    )
    found = next((one for one in listed if one["logGroupName"] == name), None)
    if found is None:
        return None
    arn = str(found["arn"]).removesuffix(":*")
    logs = site.aws.client("logs")
    tagged = site.aws.ask(
        "logs:ListTagsForResource", lambda: logs.list_tags_for_resource(resourceArn=arn), "ResourceNotFoundException"
    )
    return dict(tagged.get("tags") or {}) if tagged else {}


def _pairs(tags: list[Any]) -> _Tags:
    return {tag["Key"]: tag["Value"] for tag in tags}


_NAMED: tuple[tuple[tuple[str, ...], str, str, _Holder], ...] = (
    (
        ("aws:s3/bucket:Bucket", "aws:s3/bucketV2:BucketV2", "aws:s3/directoryBucket:DirectoryBucket"),
        "bucket",
        "bucket",
        _bucket,
    ),
    (("aws:kms/alias:Alias",), "name", "key alias", _alias),
    ((CLUSTER,), "name", "cluster", _cluster),
    (("aws:cloudwatch/logGroup:LogGroup",), "name", "log group", _log_group),
)
