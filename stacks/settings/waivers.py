"""Violations that somebody answers for until a day; `gpufleet` reads them where it judges the stack."""

import re
from datetime import date
from typing import Annotated

from pydantic import Field, field_validator

from stacks.settings.mistakes import mistake
from stacks.settings.model import Model

SHORTEST_REASON = 10
_RULE = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)+")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_NOT_WAIVABLE = ("plan-preview-equals-update", "waiver-expired", "waiver-unused")
"""Rules whose violation says that the verdict itself cannot be trusted."""


class Waiver(Model):
    """One rule let off on some resources, by whom, why and until when."""

    rule: Annotated[str, Field(description="The id of the rule, as the violation shows it: s3-bucket-versioned")]
    resource: Annotated[str, Field(min_length=1, description="The resource's name or URN; * stands for anything")]
    reason: Annotated[str, Field(description=f"Why the violation is safe here, {SHORTEST_REASON} characters at least")]
    owner: Annotated[str, Field(description="Who answers for it: a team or a person")]
    expires: Annotated[str, Field(description='The last day on which it holds, quoted: "2027-01-31"')]

    @field_validator("rule")
    @classmethod
    def _is_a_rule(cls, rule: str) -> str:
        if not _RULE.fullmatch(rule):
            raise mistake("", rule, "the id of one rule, such as s3-bucket-versioned", "copy it from the violation")
        if rule in _NOT_WAIVABLE:
            fix = "mend what it found: without it no verdict can be trusted"
            raise mistake("", rule, f"any rule but {', '.join(_NOT_WAIVABLE)}", fix)
        return rule

    @field_validator("reason")
    @classmethod
    def _says_why(cls, reason: str) -> str:
        if len(reason.strip()) < SHORTEST_REASON:
            fix = "say why the violation is safe here, or what it waits for"
            raise mistake("", reason, f"at least {SHORTEST_REASON} characters", fix)
        return reason

    @field_validator("owner")
    @classmethod
    def _is_somebody(cls, owner: str) -> str:
        if not owner.strip():
            raise mistake("", owner, "a team or a person", "name who answers for it")
        return owner

    @field_validator("expires")
    @classmethod
    def _is_a_day(cls, expires: str) -> str:
        try:
            if not _DAY.fullmatch(expires):  # Python itself would take weeks and days without dashes as well
                raise ValueError
            date.fromisoformat(expires)
        except ValueError:
            raise mistake("", expires, "a quoted date, YYYY-MM-DD", 'write expires: "2027-01-31"') from None
        return expires
