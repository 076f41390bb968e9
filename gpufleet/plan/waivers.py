"""Waivers: a named violation that somebody answers for until a day, and where they are written.

A gpufleet stack lists them in its settings (`gpufleet:settings`, key `waivers`); any other program in the configuration
key `gpufleet:waivers`. What they do to violations is in `waiving`.
"""

import fnmatch
import glob
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Protocol

import yaml

from gpufleet.errors import UsageError
from gpufleet.plan.values import is_list, is_mapping

KEY = "gpufleet:waivers"
"""Where a program without gpufleet's settings lists its waivers."""

NOT_WAIVABLE = ("plan-preview-equals-update", "waiver-expired", "waiver-unused")
"""Rules whose violation says that the verdict itself cannot be trusted."""

SHORTEST_REASON = 10
_KEYS = ("rule", "resource", "reason", "owner", "expires")
_RULE = re.compile(r"[\w.-]+")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class ProjectLike(Protocol):
    """What is needed of a project; `gpufleet.plan.project.Project` is one."""

    @property
    def name(self) -> str:
        """As in Pulumi.yaml."""
        ...

    @property
    def config(self) -> Mapping[str, str]:
        """Full keys to strings, objects as JSON text."""
        ...

    @property
    def source(self) -> str:
        """What the configuration was read from, for messages."""
        ...


@dataclass(frozen=True, kw_only=True)
class Waiver:
    """A violation of `rule` on the resources that `resource` names does not fail, up to and including `expires`."""

    rule: str
    resource: str
    """A glob on the URN or on the name; case matters."""
    reason: str
    owner: str
    expires: date | None
    """None for an exception of the pack's configuration, which has no such day."""
    origin: str
    """Where it is written, for messages."""

    def covers(self, urn: str) -> bool:
        """Whether the resource is meant; a violation of the whole stack is the stack resource's."""
        return fnmatch.fnmatchcase(urn, self.resource) or fnmatch.fnmatchcase(urn.rsplit("::", 1)[-1], self.resource)

    def ended(self, today: date) -> bool:
        """Whether its last day is over."""
        return self.expires is not None and today > self.expires

    def as_document(self) -> dict[str, str | None]:
        """The contract's shape, without where it is written."""
        day = self.expires.isoformat() if self.expires else None
        return {
            "rule": self.rule,
            "resource": self.resource,
            "reason": self.reason,
            "owner": self.owner,
            "expires": day,
        }

    def told(self) -> str:
        """Who answers for it until when, and why, in one line."""
        until = f" until {self.expires}" if self.expires else ""
        return f"waived by {self.owner}{until}: {self.reason}"


def read(project: ProjectLike) -> tuple[Waiver, ...]:
    """Return the waivers of a stack: those of its settings, then those of `gpufleet:waivers`.

    Raises:
        UsageError: one is wrong; the message says which, what is allowed and how to mend it.
    """
    settings_key = f"{project.name}:settings"
    settings = _parsed(project.config.get(settings_key))
    found: list[Waiver] = []
    if is_mapping(settings) and settings.get("waivers") is not None:
        found += _all(settings["waivers"], f"{project.source}: {settings_key}.waivers")
    if (text := project.config.get(KEY)) is not None:
        found += _all(_parsed(text), f"{project.source}: {KEY}")
    return tuple(found)


def read_file(path: Path) -> tuple[Waiver, ...]:
    """Return the waivers of a YAML or JSON file that holds a list of them.

    Raises:
        UsageError: it cannot be read, or one is wrong.
    """
    try:
        value: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(f"{path}: cannot be read as YAML: {' '.join(str(error).split())}") from error
    return tuple(_all(value, str(path)))


def exceptions(config: Mapping[str, Any], path: Path) -> tuple[Waiver, ...]:
    """Return the exceptions of a `--policy-pack-config` file (its version 2), which the engine honours as well.

    Raises:
        UsageError: they are not in the engine's form.
    """
    if config.get("version") != 2 or config.get("exceptions") is None:
        return ()
    given = config["exceptions"]
    if not is_mapping(given):
        raise UsageError(f"{path}: exceptions: must map ids to exceptions, not {type(given).__name__}")
    return tuple(waiver for id_, entry in given.items() for waiver in _exception(entry, f"{path}: exceptions.{id_}"))


def _exception(entry: Any, where: str) -> Iterator[Waiver]:
    matches = entry.get("match") if is_mapping(entry) else None
    reason = entry.get("reason") if is_mapping(entry) else None
    if not is_list(matches) or not isinstance(reason, str) or not reason.strip():
        raise UsageError(f"{where}: {entry!r}\n  allowed: an object with reason and match\n  fix: as Pulumi has them")
    for match in matches:
        for rule in match.get("policies", ()):
            for target in match.get("targets", ()):
                yield Waiver(
                    rule=rule,
                    resource=glob.escape(target),
                    reason=reason,
                    owner="the policy configuration",
                    expires=None,
                    origin=where,
                )


def _parsed(text: str | None) -> Any:
    try:
        return json.loads(text) if text else None
    except ValueError:
        return text


def _all(given: Any, where: str) -> Iterator[Waiver]:
    if not is_list(given):
        raise _wrong(where, given, f"a list of waivers, each with {', '.join(_KEYS)}", "begin each one with a dash")
    for index, entry in enumerate(given):
        yield _one(entry, f"{where}.{index}")


def _one(entry: Any, where: str) -> Waiver:
    if not is_mapping(entry):
        raise _wrong(where, entry, f"a mapping with {', '.join(_KEYS)}", "write each of them on a line")
    for key in entry:
        if key not in _KEYS:
            raise _wrong(f"{where}.{key}", entry[key], ", ".join(_KEYS), f"take {key} out")
    values = {key: _text(entry, key, where) for key in _KEYS}
    if not _RULE.fullmatch(values["rule"]) or values["rule"] == "all":
        raise _wrong(f"{where}.rule", values["rule"], "the id of one rule", "copy it from the violation")
    if values["rule"] in NOT_WAIVABLE:
        fix = "mend what it found: without it no verdict can be trusted"
        raise _wrong(f"{where}.rule", values["rule"], f"any rule but {', '.join(NOT_WAIVABLE)}", fix)
    if len(values["reason"]) < SHORTEST_REASON:
        fix = "say why the violation is safe here, or what it waits for"
        raise _wrong(f"{where}.reason", values["reason"], f"at least {SHORTEST_REASON} characters", fix)
    expires = _day(values["expires"])
    if expires is None:
        fix = 'write expires: "2027-01-31"'
        raise _wrong(f"{where}.expires", values["expires"], "a quoted date, YYYY-MM-DD", fix)
    return Waiver(
        rule=values["rule"],
        resource=values["resource"],
        reason=values["reason"],
        owner=values["owner"],
        expires=expires,
        origin=where,
    )


def _day(text: str) -> date | None:
    """The day; Python itself would take weeks and days without dashes as well."""
    try:
        return date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None


def _text(entry: Mapping[str, Any], key: str, where: str) -> str:
    value = str(entry[key]) if isinstance(entry.get(key), date) else entry.get(key)  # YAML's own dates, in a file
    if isinstance(value, str) and value.strip():
        return value.strip()
    raise _wrong(f"{where}.{key}", value, "text that is not empty", f"add {key}" if value is None else f"write {key}")


def _wrong(where: str, value: Any, allowed: str, fix: str) -> UsageError:
    shown = "missing" if value is None else repr(value)
    return UsageError(f"{where}: {shown}\n  allowed: {allowed}\n  fix: {fix}")
