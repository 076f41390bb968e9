"""What the rules' tests share: values that only an update knows, and the messages of one rule."""

from collections.abc import Callable, Mapping
from typing import Any

import pulumi
import pulumi_aws as aws

from tests.harness import violations

OWNED = {"owner": "ml-platform", "cost-center": "research", "expires": "2027-01-31"}


def later(value: Any, name: str = "later") -> pulumi.Output[Any]:
    """Return `value` as an output that is unknown in a preview and known in an update."""
    return aws.iam.Group(name).arn.apply(lambda _: value)


def messages(
    rule: Any, build: Callable[[], object], *, preview: bool = False, config: Mapping[str, Any] | None = None
) -> list[str]:
    """Return `name: message` of every violation, sorted."""
    found = violations(rule, build, preview=preview, config=config)
    return [f"{urn.rsplit('::', 1)[-1]}: {message}" for urn, message in found]
