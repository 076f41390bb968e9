"""Tags: what an update has to take off and put on, and AWS's lists of Key and Value as a map."""

from collections.abc import Iterable, Mapping
from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.table import Properties


def changes(aws: Aws, old: Properties, new: Properties) -> tuple[list[str], dict[str, str]]:
    """Return the tag keys to take off and the tags to put on."""
    before, after = aws.tags(old), aws.tags(new)
    return sorted(before.keys() - after.keys()), {
        key: value for key, value in after.items() if before.get(key) != value
    }


def mapped(tags: Iterable[Mapping[str, Any]], key: str = "Key", value: str = "Value") -> dict[str, str]:
    """Return AWS's list of tags as a map."""
    return {tag[key]: tag[value] for tag in tags}


def retag_ec2(aws: Aws, resource_id: str, old: Properties, new: Properties) -> None:
    """Bring an EC2 object's tags from the old state to the new inputs."""
    off, on = changes(aws, old, new)
    if off:
        aws.call("ec2", "DeleteTags", {"Resources": [resource_id], "Tags": [{"Key": key} for key in off]})
    if on:
        aws.call("ec2", "CreateTags", {"Resources": [resource_id], "Tags": on})
