"""One bucket: what it is for, under which key it encrypts, what its rules remove, and where it is copied to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gpufleet.cleanup import lifecycle
from gpufleet.cleanup.account import NOTHING, Account, Gap, ask, or_none
from gpufleet.cleanup.lifecycle import Lifecycle
from gpufleet.cleanup.tagged import PURPOSE_TAG, WORKSPACE_TAG, Tagged

AWS_KEY = "alias/aws/s3"
"""What S3 takes where it is told `aws:kms` and no key."""
_KEEPS_FOR_A_REASON = {
    "datasets": "data sets are the source of everything else; what nobody reads moves to a cheaper tier",
    "artifacts": "models and results are referred to for years",
    "checkpoints": "jobs prune their own; where they do not, set keep_days of the bucket",
}


@dataclass(frozen=True, kw_only=True)
class Bucket:
    """A bucket of the stack."""

    name: str
    region: str
    purpose: str | None
    workspace: str | None
    """Whose it is alone; None where it is shared."""
    key: str | None
    """The key under which it encrypts by default, in whatever way the bucket names it; None: S3's own."""
    lifecycle: Lifecycle
    copies: tuple[str, ...]
    """Buckets that everything written here is copied to."""

    @property
    def kept(self) -> tuple[bool, str] | None:
        """Where no object ever expires: whether that is right for the purpose, and why."""
        if self.lifecycle.expires:
            return None
        if self.purpose in _KEEPS_FOR_A_REASON:
            return True, _KEEPS_FOR_A_REASON[self.purpose]
        if self.purpose is None:
            return False, f"nobody said what it is for: it has no tag {PURPOSE_TAG}"
        return False, f"{self.purpose} should expire: the bucket's rules are not those that the stack declares"


def read(account: Account, region: str, found: Tagged, gaps: list[Gap]) -> Bucket | None:
    """Ask S3 about the bucket; None where it is gone already (tags are found for a while longer)."""
    s3, name = account.client("s3", region), found.name

    def asked(permission: str, question: Callable[..., Mapping[str, Any]], *absent: str) -> Mapping[str, Any]:
        return ask(lambda: or_none(lambda: question(Bucket=name), *absent), permission, name, gaps) or NOTHING

    if ask(lambda: or_none(lambda: s3.head_bucket(Bucket=name), "404") is None, "s3:ListBucket", name, gaps):
        return None
    rules = asked(
        "s3:GetLifecycleConfiguration", s3.get_bucket_lifecycle_configuration, "NoSuchLifecycleConfiguration"
    ).get("Rules", ())
    copied = asked(
        "s3:GetReplicationConfiguration", s3.get_bucket_replication, "ReplicationConfigurationNotFoundError"
    ).get("ReplicationConfiguration", NOTHING)
    return Bucket(
        name=name,
        region=region,
        purpose=found.tags.get(PURPOSE_TAG),
        workspace=found.tags.get(WORKSPACE_TAG),
        key=default_key(account, region, name, gaps),
        lifecycle=lifecycle.read(rules),
        copies=tuple(
            sorted(
                rule["Destination"]["Bucket"].rpartition(":")[2]
                for rule in copied.get("Rules", ())
                if rule.get("Status") == "Enabled"
            )
        ),
    )


def default_key(account: Account, region: str, name: str, gaps: list[Gap]) -> str | None:
    """The key under which a bucket encrypts what comes without a word about it; None: S3's own, or not permitted."""
    s3 = account.client("s3", region)
    absent = ("ServerSideEncryptionConfigurationNotFoundError", "NoSuchBucket")
    answer = ask(
        lambda: or_none(lambda: s3.get_bucket_encryption(Bucket=name), *absent),
        "s3:GetEncryptionConfiguration",
        name,
        gaps,
    )
    for rule in (answer or NOTHING).get("ServerSideEncryptionConfiguration", NOTHING).get("Rules", ()):
        by_default = rule.get("ApplyServerSideEncryptionByDefault", NOTHING)
        if str(by_default.get("SSEAlgorithm", "")).startswith("aws:kms"):
            return str(by_default.get("KMSMasterKeyID") or AWS_KEY)
    return None
