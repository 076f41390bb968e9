"""Where a part of the stack goes, and what everything there has in common."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import pulumi

STACK_TAG = "gpufleet-stack"
"""On everything of a stack; the budget counts by it (once it is activated as a cost allocation tag)."""
PROTECTED_TAG = "gpufleet-protected"
"""On everything of a protected environment, so that rules can tell."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """One region of the stack."""

    region: str
    partition: str
    account_id: str
    stack_name: str
    """`<project>-<stack>`: what physical names begin with where AWS or people need them fixed."""
    tags: Mapping[str, str]
    """Of everything; launch templates need them handed over, the provider does the rest."""
    boundary_arn: str | None
    """The policy that bounds every role."""
    opts: pulumi.ResourceOptions
    """Carries the region's provider."""

    @property
    def cluster_name(self) -> str:
        """Of the region's cluster."""
        return f"{self.stack_name}-{self.region}"

    def named(self, role: str) -> str:
        """The logical name of a component of this region."""
        return f"{self.region}-{role}"

    def principal(self, given: str) -> str:
        """The ARN of a role or user as the settings name it."""
        return given if given.startswith("arn:") else f"arn:{self.partition}:iam::{self.account_id}:{given}"


def fitted(name: str, most: int) -> str:
    """`name` in lower-case letters, digits and dashes, in `most` characters at most.

    What had to be changed has a few characters of its hash behind it, so that names which differ stay different.
    """
    plain = "-".join(part for part in name.lower().replace("_", "-").split("-") if part)
    if plain == name and len(name) <= most:
        return name
    mark = hashlib.sha256(name.encode()).hexdigest()[:4]
    return f"{plain[: most - len(mark) - 1].rstrip('-')}-{mark}"
