"""Names that a policy compares literally, so a wildcard in one would match nobody or, worse, everybody."""

import re
from typing import TypeVar

_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
"""A name within Kubernetes: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/"""
_PATH = re.compile(r"/(?:[\w+=,.@-]+/)*")
"""https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateRole.html"""
_DOTTED = re.compile(r"(?=.{1,253}$)[a-z0-9]([a-z0-9.-]*[a-z0-9])?")

Value = TypeVar("Value")


def namespace(field: str, name: str) -> str:
    """`name`, if it is one namespace.

    Raises:
        ValueError: a wildcard, or no name that Kubernetes takes.
    """
    return _checked(field, name, _LABEL, "training")


def service_account(field: str, name: str) -> str:
    """`name`, if it is one service account.

    Raises:
        ValueError: a wildcard, or no name that Kubernetes takes.
    """
    return _checked(field, name, _DOTTED, "runner")


def arn(field: str, value: Value) -> Value:
    """`value`, if it is an ARN without wildcards; what is not known yet is taken on trust.

    Raises:
        ValueError: no ARN, or one that stands for many.
    """
    if isinstance(value, str) and (not value.startswith("arn:") or "*" in value or "?" in value):
        raise ValueError(f"{field}: {value!r} does not name one resource; allowed is a full ARN without * and ?")
    return value


def path(field: str, value: str) -> str:
    """`value`, if it is a path that IAM takes before a role's name.

    Raises:
        ValueError: it is not.
    """
    if not _PATH.fullmatch(value):
        raise ValueError(f"{field}: {value!r} is no path of IAM; it begins and ends with /, such as /gpufleet/")
    return value


def _checked(field: str, name: str, pattern: re.Pattern[str], example: str) -> str:
    if "*" in name or "?" in name:
        raise ValueError(
            f"{field}: {name!r} holds a wildcard, which is compared literally and matches no pod; name each one, such "
            f"as {example}"
        )
    if not pattern.fullmatch(name):
        raise ValueError(
            f"{field}: {name!r} is no Kubernetes name; lower-case letters, digits and -, such as {example}"
        )
    return name
