"""A secret in user data, a pod or a parameter is read by whoever may look, and stays in the state's history.

Found by the prefixes that issuers give their tokens, wherever they stand, and by name where names and values go
together: variables, the entries of ConfigMaps, Helm values. Messages name the place, never the secret. A Kubernetes
Secret, Secrets Manager and a SecureString are where secrets belong.
"""

import contextlib
import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from pulumi_policy import EnforcementLevel, ReportViolation, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._reading import UNKNOWN, entries, read
from ._secrets import is_literal, is_secret_name, kind_of
from ._walk import mappings, texts

Finding = tuple[str, str]
"""Where, and what."""

_FIX: Final = "it must come from a Secret, Secrets Manager or a SecureString."
_USER_DATA: Final = ("userData", "userDataBase64")


def _check(args: ResourceValidationArgs, report_violation: ReportViolation) -> None:
    found: dict[str, str] = {}
    for where, what in _findings(args.resource_type, args.props):
        found.setdefault(where, what)
    for where, what in found.items():
        report_violation(f"{where} {what}; {_FIX}", None)


def _findings(type_: str, props: Any) -> Iterator[Finding]:
    if type_.startswith("kubernetes:") and type_ != "kubernetes:core/v1:Secret":
        yield from _in_values(props)
        yield from _in_variables(props)
        if type_ == "kubernetes:core/v1:ConfigMap":
            yield from _in_entries(read(props, "data"), "data")
        if type_.startswith("kubernetes:helm.sh/"):
            yield from _in_tree(read(props, "values"), "values")
    elif reader := _READERS.get(type_):
        yield from reader(props)


def _in_values(value: Any, path: str = "") -> Iterator[Finding]:
    for where, text in texts(value, path):
        if kind := kind_of(text):
            yield where, f"holds {kind}"


def _in_variables(value: Any, path: str = "") -> Iterator[Finding]:
    """Every {name, value} pair, as containers have them in whatever list; a ConfigMap is as open as a literal."""
    for where, fields in mappings(value, path):
        name = fields.get("name")
        if isinstance(name, str) and is_secret_name(name):
            if is_literal(fields.get("value")):
                yield f"{where}.value", f"holds {name} in plain text"
            elif isinstance(read(fields.get("valueFrom"), "configMapKeyRef", "name"), str):
                yield f"{where}.valueFrom", f"takes {name} from a ConfigMap"


def _in_entries(value: Any, path: str) -> Iterator[Finding]:
    for name, item in entries(value).items():
        if is_secret_name(name) and is_literal(item):
            yield f"{path}.{name}", "holds a secret by its name"


def _in_tree(value: Any, path: str) -> Iterator[Finding]:
    for where, fields in mappings(value, path):
        yield from _in_entries(fields, where)


def _in_user_data(props: Any) -> Iterator[Finding]:
    for key in _USER_DATA:
        yield from _in_values(read(props, key), key)


def _in_function(props: Any) -> Iterator[Finding]:
    variables, path = read(props, "environment", "variables"), "environment.variables"
    yield from _in_values(variables, path)
    yield from _in_entries(variables, path)


def _in_json(key: str) -> Callable[[Any], Iterator[Finding]]:
    def findings(props: Any) -> Iterator[Finding]:
        value = read(props, key)
        if isinstance(value, str):
            with contextlib.suppress(ValueError):
                value = json.loads(value)
        if value is not UNKNOWN:
            yield from _in_values(value, key)
            yield from _in_variables(value, key)
            yield from _in_tree(value, key)

    return findings


def _in_parameter(props: Any) -> Iterator[Finding]:
    if read(props, "type") in ("SecureString", UNKNOWN):
        return
    for key in ("value", "insecureValue"):
        value, name = read(props, key), str(read(props, "name") or "")
        yield from _in_values(value, key)
        if is_secret_name(name.rsplit("/", 1)[-1]) and is_literal(value):
            yield key, f"holds {name} in plain text"


_READERS: Final[dict[str, Callable[[Any], Iterator[Finding]]]] = {
    "aws:batch/jobDefinition:JobDefinition": _in_json("containerProperties"),
    "aws:codebuild/project:Project": _in_json("environment"),
    "aws:ec2/instance:Instance": _in_user_data,
    "aws:ec2/launchConfiguration:LaunchConfiguration": _in_user_data,
    "aws:ec2/launchTemplate:LaunchTemplate": _in_user_data,
    "aws:ec2/spotInstanceRequest:SpotInstanceRequest": _in_user_data,
    "aws:ecs/taskDefinition:TaskDefinition": _in_json("containerDefinitions"),
    "aws:eks/addon:Addon": _in_json("configurationValues"),
    "aws:lambda/function:Function": _in_function,
    "aws:ssm/parameter:Parameter": _in_parameter,
}
"""What is looked at in AWS resources, by type."""

RULE = ResourceValidationPolicy(
    name="no-secret-in-plain-text",
    description="A secret in user data, a pod or a parameter is read by whoever may look, and stays in the state's "
    "history.",
    severity=Severity.CRITICAL,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["data", "identity", "kubernetes"],
    remediation_steps="Withdraw the secret, which has been seen; keep the new one in Secrets Manager and give it to "
    "pods by secretKeyRef.",
    url="https://docs.aws.amazon.com/secretsmanager/latest/userguide/best-practices.html",
    validate=_check,
)
