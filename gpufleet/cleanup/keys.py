"""One key: its state, and who else has a hold on it."""

from dataclasses import asdict, dataclass
from datetime import UTC
from typing import Any

from gpufleet.cleanup.account import NOTHING, Account, Gap, ask
from gpufleet.cleanup.tagged import WORKSPACE_TAG, Tagged

SCHEDULED = "PendingDeletion"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """A right to the key that its policy does not show."""

    grant_id: str
    grantee: str
    operations: tuple[str, ...]
    context: dict[str, str]
    """What it is narrowed to, such as `aws:ebs:id`."""


@dataclass(frozen=True, kw_only=True)
class Key:
    """A key of the stack."""

    arn: str
    key_id: str
    region: str
    state: str
    deletion_date: str | None
    multi_region: bool
    workspace: str | None
    """Whose data alone it encrypts; None where it is shared."""
    aliases: tuple[str, ...]
    grants: tuple[Grant, ...]

    def is_named(self, reference: str | None) -> bool:
        """Whether a service that names its key in one of the ways that KMS takes means this one."""
        if not reference:
            return False
        prefix = self.arn.rpartition(":")[0]
        return reference in (self.arn, self.key_id, *self.aliases, *(f"{prefix}:{alias}" for alias in self.aliases))

    @property
    def label(self) -> str:
        """The alias where there is one, for people."""
        return self.aliases[0] if self.aliases else self.key_id

    def as_document(self) -> dict[str, Any]:
        """The fields as JSON."""
        return asdict(self)


def read(account: Account, region: str, found: Tagged, gaps: list[Gap]) -> Key | None:
    """Ask KMS about the key; None where even that is not permitted."""
    kms = account.client("kms", region)
    described = ask(lambda: kms.describe_key(KeyId=found.arn)["KeyMetadata"], "kms:DescribeKey", found.arn, gaps)
    if described is None:
        return None
    aliases = account.pages("kms", region, "list_aliases", "Aliases", KeyId=found.arn)
    grants = account.pages("kms", region, "list_grants", "Grants", KeyId=found.arn)
    deletion = described.get("DeletionDate")
    return Key(
        arn=described["Arn"],
        key_id=described["KeyId"],
        region=region,
        state=described["KeyState"],
        deletion_date=deletion.astimezone(UTC).isoformat(timespec="seconds") if deletion else None,
        multi_region=bool(described.get("MultiRegion")),
        workspace=found.tags.get(WORKSPACE_TAG),
        aliases=tuple(
            sorted(ask(lambda: [alias["AliasName"] for alias in aliases], "kms:ListAliases", found.arn, gaps) or ())
        ),
        grants=tuple(ask(lambda: [_grant(grant) for grant in grants], "kms:ListGrants", found.arn, gaps) or ()),
    )


def _grant(grant: Any) -> Grant:
    constraints = grant.get("Constraints") or NOTHING
    return Grant(
        grant_id=grant["GrantId"],
        grantee=grant["GranteePrincipal"],
        operations=tuple(sorted(grant["Operations"])),
        context={**constraints.get("EncryptionContextSubset", {}), **constraints.get("EncryptionContextEquals", {})},
    )
