"""What in a region encrypts under a key, whosesoever it is.

KMS does not know: each service is asked for what it holds. A service that is not in the table is not seen, and what
application code encrypts by itself is seen by nobody; `aws kms get-key-last-usage` and CloudTrail tell of those.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from gpufleet.cleanup import buckets, services, tagged
from gpufleet.cleanup.account import Account, Gap, ask
from gpufleet.cleanup.keys import Key
from gpufleet.cleanup.tagged import WORKSPACE_TAG


@dataclass(frozen=True, slots=True, order=True)
class Use:
    """One thing that is encrypted under a key, or would be."""

    key_arn: str
    what: str
    name: str
    arn: str
    workspace: str | None
    """Whose alone it is, by its tag `gpufleet-workspace`."""

    def as_document(self) -> dict[str, str | None]:
        """The fields as JSON."""
        return asdict(self)


def find(
    account: Account,
    region: str,
    keys: Sequence[Key],
    tags: Mapping[str, Mapping[str, str]],
    gaps: list[Gap],
    progress: Callable[[str], None],
) -> list[Use]:
    """Everything in the region that is under one of the keys.

    Args:
        account: whose it is.
        region: of the keys.
        keys: that are asked about.
        tags: of what belongs to the stack, by ARN.
        gaps: takes what could not be looked at. Where there is any, the list proves nothing.
        progress: is told what is looked at.
    """
    found: set[Use] = set()
    for what, name, arn, reference in _everything(account, region, gaps, progress):
        workspace = tags.get(arn, {}).get(WORKSPACE_TAG)
        found.update(Use(key.arn, what, name, arn, workspace) for key in keys if key.is_named(reference))
    return sorted(found, key=lambda use: (use.key_arn, use.what, use.name))


_Held = tuple[str, str, str, str]
"""What it is, its name, its ARN, and the key it names."""


def _everything(account: Account, region: str, gaps: list[Gap], progress: Callable[[str], None]) -> Iterator[_Held]:
    progress(f"{region}: under the workspaces' keys: S3 bucket")
    yield from _buckets(account, region, gaps)
    for listing in services.LISTINGS:
        progress(f"{region}: under the workspaces' keys: {listing.what}")
        yield from _listed(account, region, listing, gaps)
    for described in services.DESCRIBED:
        progress(f"{region}: under the workspaces' keys: {described.what}")
        yield from _described(account, region, described, gaps)


def _buckets(account: Account, region: str, gaps: list[Gap]) -> Iterator[_Held]:
    for name in tagged.all_buckets(account, region, gaps) or ():
        if reference := buckets.default_key(account, region, name, gaps):
            yield "S3 bucket", name, f"arn:{account.partition}:s3:::{name}", reference


def _listed(account: Account, region: str, listing: services.Listing, gaps: list[Gap]) -> Iterator[_Held]:
    parameters = services.PARAMETERS.get(listing.operation, {})
    pages = account.pages(listing.service, region, listing.operation, listing.items, **parameters)
    for item in ask(lambda: list(pages), listing.permission, region, gaps) or ():
        name = str(item[listing.name])
        arn = (
            f"arn:{account.partition}:{listing.service}:{region}:{account.account_id}:{listing.arn.format(name)}"
            if "{}" in listing.arn
            else str(item.get(listing.arn) or "")
        )
        for reference in services.values(item, listing.key):
            yield listing.what, name, arn, reference


def _described(account: Account, region: str, kind: services.Described, gaps: list[Gap]) -> Iterator[_Held]:
    pages = account.pages(kind.service, region, kind.operation, kind.items)
    describe = getattr(account.client(kind.service, region), kind.describe)
    for item in ask(lambda: list(pages), kind.permissions[0], region, gaps) or ():
        name = str(item if isinstance(item, str) else item[kind.argument])
        answer = ask(lambda name=name: describe(**{kind.argument: name}, **kind.more), kind.permissions[1], name, gaps)
        for reference in services.values(answer, kind.key):
            arn = next(services.values(answer, kind.arn), "")
            yield kind.what, name, arn, reference
