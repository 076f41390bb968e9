"""Where a grant holds."""

from dataclasses import dataclass

from .. import service_principals


@dataclass(frozen=True, kw_only=True)
class Place:
    """One region of one account; every ARN of a grant is written for it."""

    account_id: str
    region: str
    partition: str

    def arn(self, service: str, resource: str) -> str:
        """A regional ARN of this account: `arn("ec2", "volume/*")`."""
        return f"arn:{self.partition}:{service}:{self.region}:{self.account_id}:{resource}"

    def any_owner(self, service: str, resource: str) -> str:
        """A regional ARN of any account, for what AWS owns or another account shares."""
        return f"arn:{self.partition}:{service}:{self.region}:*:{resource}"

    def iam_arn(self, resource: str) -> str:
        """An ARN of IAM, which has no region: `iam_arn("instance-profile/*")`."""
        return f"arn:{self.partition}:iam::{self.account_id}:{resource}"

    def via(self, service: str) -> list[str]:
        """What `kms:ViaService` holds where the service uses a key here.

        In China both spellings are given: AWS documents the key for other partitions only.
        https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html#conditions-kms-via-service
        """
        suffixes = sorted({"amazonaws.com", service_principals.dns_suffix(self.partition)})
        return [f"{service}.{self.region}.{suffix}" for suffix in suffixes]
