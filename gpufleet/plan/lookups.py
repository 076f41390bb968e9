"""Answers to the few lookups that a plan can answer without an account."""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from gpufleet.errors import UsageError
from gpufleet.facts import regions

_IMAGE = "ami-0123456789abcdef0"


def answer(token: str, arguments: Mapping[str, Any], *, account_id: str, region: str) -> Mapping[str, Any]:
    """The answer to a lookup.

    Raises:
        UsageError: there is no offline answer to this one.
    """
    found = regions.find(region)
    partition, suffix = (found.partition, found.dns_suffix) if found else ("aws", "amazonaws.com")
    known: dict[str, Callable[[], Mapping[str, Any]]] = {
        "aws:index/getAvailabilityZones:getAvailabilityZones": lambda: {
            "id": region,
            "region": region,
            "groupNames": [region],
            "names": [f"{region}{letter}" for letter in "abc"],
            "zoneIds": [f"{region}-az{number}" for number in (1, 2, 3)],
        },
        "aws:index/getCallerIdentity:getCallerIdentity": lambda: {
            "id": account_id,
            "accountId": account_id,
            "arn": f"arn:{partition}:iam::{account_id}:user/plan",
            "userId": "AIDAPLAN",
        },
        "aws:index/getRegion:getRegion": lambda: {
            "id": region,
            "region": region,
            "name": region,
            "description": region,
            "endpoint": f"ec2.{region}.{suffix}",
        },
        "aws:index/getPartition:getPartition": lambda: {
            "id": partition,
            "partition": partition,
            "dnsSuffix": suffix,
            "reverseDnsPrefix": ".".join(reversed(suffix.split("."))),
        },
        "aws:ec2/getAmi:getAmi": lambda: {"id": _IMAGE, "imageId": _IMAGE, "architecture": "x86_64"},
        "aws:ec2/getPrefixList:getPrefixList": lambda: {
            **arguments,
            "id": f"pl-0{hashlib.sha256(json.dumps(arguments, sort_keys=True).encode()).hexdigest()[:16]}",
            "cidrBlocks": ["198.51.100.0/24"],
        },
        "aws:ssm/getParameter:getParameter": lambda: {
            "id": arguments.get("name"),
            "name": arguments.get("name"),
            "type": "String",
            "value": _IMAGE,
            "arn": f"arn:{partition}:ssm:{region}:{account_id}:parameter{arguments.get('name')}",
        },
        "aws:iam/getPolicyDocument:getPolicyDocument": lambda: _policy_document(arguments),
        "aws:eks/getClusterAuth:getClusterAuth": lambda: {
            "id": arguments.get("name"),
            "name": arguments.get("name"),
            "token": "made-up-token",
        },
    }
    if (found_answer := known.get(token)) is None:
        raise UsageError(
            f"the program looks up {token}, for which a plan has no answer; known are {', '.join(sorted(known))}. "
            "Pass the value in as configuration instead, so that the plan does not depend on a live account"
        )
    return found_answer()


def _policy_document(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    statements: list[Mapping[str, Any]] = arguments.get("statements") or []
    document = {
        "Version": arguments.get("version") or "2012-10-17",
        "Statement": [_policy_statement(statement) for statement in statements],
    }
    text = json.dumps(document)
    return {"json": text, "minifiedJson": text, "id": hashlib.sha256(text.encode()).hexdigest()[:10]}


def _policy_statement(given: Mapping[str, Any]) -> Mapping[str, Any]:
    principals: dict[str, list[str]] = {}
    conditions: dict[str, dict[str, Any]] = {}
    entries: list[Mapping[str, Any]] = given.get("principals") or []
    for entry in entries:
        principals.setdefault(entry["type"], []).extend(entry["identifiers"])
    entries = given.get("conditions") or []
    for entry in entries:
        conditions.setdefault(entry["test"], {})[entry["variable"]] = entry["values"]
    parts = {
        "Sid": given.get("sid"),
        "Effect": given.get("effect") or "Allow",
        "Action": given.get("actions"),
        "NotAction": given.get("notActions"),
        "Resource": given.get("resources"),
        "NotResource": given.get("notResources"),
        "Principal": principals,
        "Condition": conditions,
    }
    return {key: value for key, value in parts.items() if value}
