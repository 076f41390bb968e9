"""What may be set about the account and the teams that share it."""

import re
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field, field_validator

from stacks.settings.mistakes import mistake
from stacks.settings.model import Model

PRINCIPAL = r"(arn:[a-z-]+:iam::\d{12}:)?(role|user)/[\w+=,.@/-]+"
"""role/NAME, user/NAME, or an IAM ARN."""

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,29}[a-z0-9]$")]


def principals(given: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse what is no IAM role or user."""
    for index, principal in enumerate(given):
        if not re.fullmatch(PRINCIPAL, principal):
            raise mistake(
                str(index), principal, "role/NAME, user/NAME or an IAM ARN", "name the role that the team assumes"
            )
    return given


def ends_differ(given: Iterable[tuple[str, str]], account_id: str) -> None:
    """Two principals of one cluster differ in the last part of their names, after which their entries are named.

    Args:
        given: Path and principal, of all whose entries are made together.
        account_id: The account that `role/NAME` is of.
    """
    seen: dict[str, str] = {}
    for path, principal in given:
        own = re.sub(rf"^arn:[a-z-]+:iam::{account_id}:", "", principal)
        name = own.rsplit("/", 1)[1]
        if (other := seen.setdefault(name, own)) != own:
            fix = "leave one of them out, or let them in by roles of different names"
            raise mistake(path, principal, f"principals whose names end differently than that of {other}", fix)


class Account(Model):
    """What belongs to the account as a whole; one stack of an account says so."""

    guard_rails: Annotated[
        bool,
        Field(description="Whether the account's defaults are closed: EBS encryption, IMDSv2, public images"),
    ] = False
    service_linked_roles: Annotated[
        Literal["create", "adopt"],
        Field(description="create in an account that never ran these services; adopt where they are there already"),
    ] = "adopt"


class WorkspaceData(Model):
    """A bucket of the team's own, under a key of its own."""

    keep_days: Annotated[int, Field(ge=1, description="Days after which objects go")] | None = None


NOT_FOR_TEAMS = ("default", "kube-node-lease", "kube-public", "kube-system")
"""Namespaces that every cluster has: for its own pods, and for those that nobody put anywhere."""


class Workspace(Model):
    """One team: a namespace in each cluster, and who may do what in it."""

    name: Annotated[Name, Field(description="Lower-case letters, digits and dashes; the namespace's name too")]
    admins: Annotated[tuple[str, ...], Field(description="Roles or users with every right in the namespace")] = ()
    developers: Annotated[tuple[str, ...], Field(description="Roles or users that run workloads in it")] = ()
    viewers: Annotated[tuple[str, ...], Field(description="Roles or users that look")] = ()
    data: Annotated[
        WorkspaceData | None, Field(description="A bucket under a key of its own, so that it can be shredded")
    ] = None

    @field_validator("name")
    @classmethod
    def _of_its_own(cls, name: str) -> str:
        if name in NOT_FOR_TEAMS:
            allowed = f"a namespace of the team's own, none of {', '.join(NOT_FOR_TEAMS)}"
            raise mistake("", name, allowed, "name it after the team")
        return name

    @field_validator("admins", "developers", "viewers")
    @classmethod
    def _principals(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        return principals(given)
