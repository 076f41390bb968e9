"""The lookups (invokes) a program makes of the aws provider, and their answers."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.errors import RehearsalError
from gpufleet.rehearsal.aws.table import Properties


def answer(aws: Aws, token: str, arguments: Properties) -> dict[str, Any]:
    """Return the lookup's result in the wire's spelling; RehearsalError for a token without an answer."""
    if token not in _ANSWERS:
        raise RehearsalError(f"{token} is not among the lookups the rehearsal answers: {', '.join(sorted(_ANSWERS))}")
    return _ANSWERS[token](aws, arguments)


def _caller_identity(aws: Aws, arguments: Properties) -> dict[str, Any]:
    identity = aws.call("sts", "GetCallerIdentity", {})
    account = identity["Account"]
    return {"accountId": account, "arn": identity["Arn"], "userId": identity["UserId"], "id": account}


def _region(aws: Aws, arguments: Properties) -> dict[str, Any]:
    region = aws.region
    return {
        "region": region,
        "name": region,
        "id": region,
        "description": region,
        "endpoint": f"ec2.{region}.{aws.dns_suffix}",
    }


def _partition(aws: Aws, arguments: Properties) -> dict[str, Any]:
    partition = aws.partition
    return {
        "partition": partition,
        "dnsSuffix": aws.dns_suffix,
        "id": partition,
        "reverseDnsPrefix": ".".join(reversed(aws.dns_suffix.split("."))),
    }


def _availability_zones(aws: Aws, arguments: Properties) -> dict[str, Any]:
    zones = aws.call("ec2", "DescribeAvailabilityZones", {})["AvailabilityZones"]
    return {
        "names": [zone["ZoneName"] for zone in zones],
        "zoneIds": [zone["ZoneId"] for zone in zones],
        "groupNames": [aws.region],
        "id": aws.region,
        "region": aws.region,
    }


def _ami(aws: Aws, arguments: Properties) -> dict[str, Any]:
    """Answer with an image of the region that is always the same for the same question: no image is ever started
    here."""
    question = repr(sorted(arguments.items(), key=lambda item: item[0]))
    filters: list[dict[str, Any]] = arguments.get("filters") or []
    architecture = next((entry["values"][0] for entry in filters if entry["name"] == "architecture"), "x86_64")
    image = f"ami-{sha256(f'{aws.region} {question}'.encode()).hexdigest()[:17]}"
    return {
        "id": image,
        "imageId": image,
        "arn": f"arn:{aws.partition}:ec2:{aws.region}::image/{image}",
        "architecture": architecture,
        "ownerId": "amazon",
        "rootDeviceName": "/dev/xvda",
        "rootDeviceType": "ebs",
        "state": "available",
        "virtualizationType": "hvm",
        "region": aws.region,
    }


def _parameter(aws: Aws, arguments: Properties) -> dict[str, Any]:
    """Answer from the API; AWS's own public image parameters, which it does not hold, with an image that stays the
    same."""
    name = str(arguments["name"])
    found = aws.find("ssm", "GetParameter", {"Name": name, "WithDecryption": True}, "ParameterNotFound")
    if found is None and not name.startswith("/aws/service/"):
        raise RehearsalError(f"ssm parameter {name!r}: there is none of that name in {aws.region}")
    value = found["Parameter"]["Value"] if found else f"ami-{sha256(f'{aws.region} {name}'.encode()).hexdigest()[:17]}"
    arn = aws.arn("ssm", f"parameter/{name.lstrip('/')}")
    return {
        "id": name,
        "name": name,
        "value": value,
        "insecureValue": value,
        "type": "String",
        "version": 1,
        "arn": arn,
    }


def _cluster_auth(aws: Aws, arguments: Properties) -> dict[str, Any]:
    return {"id": arguments["name"], "name": arguments["name"], "token": "k8s-aws-v1.rehearsal", "region": aws.region}


_ANSWERS: Mapping[str, Callable[[Aws, Properties], dict[str, Any]]] = {
    "aws:ec2/getAmi:getAmi": _ami,
    "aws:eks/getClusterAuth:getClusterAuth": _cluster_auth,
    "aws:index/getAvailabilityZones:getAvailabilityZones": _availability_zones,
    "aws:index/getCallerIdentity:getCallerIdentity": _caller_identity,
    "aws:index/getPartition:getPartition": _partition,
    "aws:index/getRegion:getRegion": _region,
    "aws:ssm/getParameter:getParameter": _parameter,
}
