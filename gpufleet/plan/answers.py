"""What the cloud would answer, made up: ids, ARNs and computed outputs that are unique, stable and shaped like AWS's.

A curated table covers the outputs that programs commonly build on; for any other resource the SDK's own class says
which outputs are strings, so that a program that passes one on sees a value and not `None`. Nothing here claims to
exist.
"""

import functools
import hashlib
import inspect
import json
import sys
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import pulumi

from gpufleet.facts import regions
from gpufleet.plan.graph import UNKNOWN

EXAMPLE_ACCOUNT = "111122223333"
EXAMPLE_REGION = "us-east-1"


@dataclass(frozen=True)
class Answer:
    """The physical id (None where only the update can know it) and the outputs of one registration."""

    id: str | None
    outputs: Mapping[str, Any]


@dataclass(frozen=True)
class _Registration:
    """What an answer may be made from."""

    urn: str
    type: str
    name: str
    inputs: Mapping[str, Any]
    account_id: str
    region: str

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.urn.encode()).hexdigest()

    @property
    def partition(self) -> str:
        return region.partition if (region := regions.find(self.region)) else "aws"

    @property
    def dns_suffix(self) -> str:
        return region.dns_suffix if (region := regions.find(self.region)) else "amazonaws.com"

    def physical_name(self, key: str = "name") -> str:
        """The name the program fixed, else one as the engine's autonaming would make it."""
        fixed = self.inputs.get(key)
        return fixed if isinstance(fixed, str) else f"{self.name}-{self.digest[:7]}"

    def arn(self, service: str, path: str, *, regional: bool = True, account: bool = True) -> str:
        where = self.region if regional else ""
        return f"arn:{self.partition}:{service}:{where}:{self.account_id if account else ''}:{path}"


_Maker = Callable[[_Registration], tuple[str, Mapping[str, Any]]]


def _ec2(prefix: str, kind: str, extra: Callable[[_Registration, str], Mapping[str, Any]] | None = None) -> _Maker:
    def make(r: _Registration) -> tuple[str, Mapping[str, Any]]:
        id_ = f"{prefix}-0{r.digest[:16]}"
        return id_, {"arn": r.arn("ec2", f"{kind}/{id_}"), **(extra(r, id_) if extra else {})}

    return make


def _vpc(r: _Registration, id_: str) -> Mapping[str, Any]:
    return {
        "defaultSecurityGroupId": f"sg-1{r.digest[:16]}",
        "defaultRouteTableId": f"rtb-1{r.digest[:16]}",
        "mainRouteTableId": f"rtb-1{r.digest[:16]}",
        "defaultNetworkAclId": f"acl-1{r.digest[:16]}",
        "ownerId": r.account_id,
    }


def _kms_key(r: _Registration) -> tuple[str, Mapping[str, Any]]:
    key = str(uuid.UUID(r.digest[:32]))
    return key, {"keyId": key, "arn": r.arn("kms", f"key/{key}")}


def _bucket(r: _Registration) -> tuple[str, Mapping[str, Any]]:
    name = r.physical_name("bucket")
    domain = f"{name}.s3.{r.region}.{r.dns_suffix}"
    return name, {
        "bucket": name,
        "arn": r.arn("s3", name, regional=False, account=False),
        "bucketDomainName": f"{name}.s3.{r.dns_suffix}",
        "bucketRegionalDomainName": domain,
    }


def _cluster(r: _Registration) -> tuple[str, Mapping[str, Any]]:
    name = r.physical_name()
    host = f"{r.digest[:32].upper()}.gr7.{r.region}.eks.{r.dns_suffix}"
    return name, {
        "name": name,
        "arn": r.arn("eks", f"cluster/{name}"),
        "endpoint": f"https://{host}",
        "certificateAuthority": {"data": "Q0E9PQ=="},
        "identities": [
            {"oidcs": [{"issuer": f"https://oidc.eks.{r.region}.{r.dns_suffix}/id/{r.digest[:32].upper()}"}]}
        ],
        "platformVersion": "eks.1",
        "status": "ACTIVE",
        "vpcConfig": {
            **cast(Mapping[str, Any], r.inputs.get("vpcConfig") or {}),
            "clusterSecurityGroupId": f"sg-2{r.digest[:16]}",
            "vpcId": f"vpc-2{r.digest[:16]}",
        },
    }


def _node_group(r: _Registration) -> tuple[str, Mapping[str, Any]]:
    name, cluster = r.physical_name("nodeGroupName"), str(r.inputs.get("clusterName"))
    group = f"eks-{name}-{uuid.UUID(r.digest[:32])}"
    return f"{cluster}:{name}", {
        "nodeGroupName": name,
        "arn": r.arn("eks", f"nodegroup/{cluster}/{name}/{uuid.UUID(r.digest[:32])}"),
        "resources": [{"autoscalingGroups": [{"name": group}], "remoteAccessSecurityGroupId": ""}],
        "status": "ACTIVE",
    }


def _iam(kind: str) -> _Maker:
    def make(r: _Registration) -> tuple[str, Mapping[str, Any]]:
        name = r.physical_name()
        path = str(r.inputs.get("path") or "/")
        arn = r.arn("iam", f"{kind}{path}{name}", regional=False)
        return (arn if kind == "policy" else name), {
            "name": name,
            "arn": arn,
            "uniqueId": f"AROA{r.digest[:17].upper()}",
        }

    return make


def _named(service: str, path: str, key: str = "name") -> _Maker:
    def make(r: _Registration) -> tuple[str, Mapping[str, Any]]:
        name = r.physical_name(key)
        return name, {key: name, "arn": r.arn(service, path.format(name=name))}

    return make


def _queue(r: _Registration) -> tuple[str, Mapping[str, Any]]:
    name = r.physical_name()
    url = f"https://sqs.{r.region}.{r.dns_suffix}/{r.account_id}/{name}"
    return url, {"name": name, "arn": r.arn("sqs", name), "url": url}


def _repository(r: _Registration) -> tuple[str, Mapping[str, Any]]:
    name = r.physical_name()
    url = f"{r.account_id}.dkr.ecr.{r.region}.{r.dns_suffix}/{name}"
    return name, {"name": name, "arn": r.arn("ecr", f"repository/{name}"), "repositoryUrl": url}


def _launch_template(r: _Registration, id_: str) -> Mapping[str, Any]:
    return {"name": r.physical_name(), "latestVersion": 1, "defaultVersion": 1}


def _eip(r: _Registration, id_: str) -> Mapping[str, Any]:
    last = int(r.digest[:2], 16)
    return {"allocationId": id_, "publicIp": f"203.0.113.{last}", "address": f"203.0.113.{last}"}


_MAKERS: Mapping[str, _Maker] = {
    "aws:ec2/vpc:Vpc": _ec2("vpc", "vpc", _vpc),
    "aws:ec2/subnet:Subnet": _ec2("subnet", "subnet"),
    "aws:ec2/securityGroup:SecurityGroup": _ec2("sg", "security-group", lambda r, _: {"name": r.physical_name()}),
    "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup": _ec2("sg", "security-group"),
    "aws:ec2/routeTable:RouteTable": _ec2("rtb", "route-table"),
    "aws:ec2/routeTableAssociation:RouteTableAssociation": _ec2("rtbassoc", "route-table-association"),
    "aws:ec2/route:Route": _ec2("r-rtb", "route"),
    "aws:ec2/internetGateway:InternetGateway": _ec2("igw", "internet-gateway"),
    "aws:ec2/natGateway:NatGateway": _ec2("nat", "natgateway"),
    "aws:ec2/eip:Eip": _ec2("eipalloc", "elastic-ip", _eip),
    "aws:ec2/vpcEndpoint:VpcEndpoint": _ec2("vpce", "vpc-endpoint"),
    "aws:ec2/flowLog:FlowLog": _ec2("fl", "vpc-flow-log"),
    "aws:ec2/launchTemplate:LaunchTemplate": _ec2("lt", "launch-template", _launch_template),
    "aws:ec2/instance:Instance": _ec2("i", "instance"),
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": _ec2("sgr", "security-group-rule"),
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": _ec2("sgr", "security-group-rule"),
    "aws:kms/key:Key": _kms_key,
    "aws:s3/bucket:Bucket": _bucket,
    "aws:eks/cluster:Cluster": _cluster,
    "aws:eks/nodeGroup:NodeGroup": _node_group,
    "aws:iam/role:Role": _iam("role"),
    "aws:iam/policy:Policy": _iam("policy"),
    "aws:iam/instanceProfile:InstanceProfile": _iam("instance-profile"),
    "aws:cloudwatch/logGroup:LogGroup": _named("logs", "log-group:{name}"),
    "aws:sqs/queue:Queue": _queue,
    "aws:cloudwatch/eventRule:EventRule": _named("events", "rule/{name}"),
    "aws:ec2/capacityBlockReservation:CapacityBlockReservation": _ec2("cr", "capacity-reservation"),
    "aws:ec2/capacityReservation:CapacityReservation": _ec2("cr", "capacity-reservation"),
    "aws:ec2/placementGroup:PlacementGroup": _named("ec2", "placement-group/{name}"),
    "aws:ecr/repository:Repository": _repository,
    "aws:fsx/lustreFileSystem:LustreFileSystem": _named("fsx", "file-system/{name}"),
}


def preview(type_: str, inputs: Mapping[str, Any]) -> Answer:
    """The answer of a preview: the inputs as outputs, everything else unknown."""
    return Answer(None, _echo(type_, inputs))


def update(urn: str, type_: str, name: str, inputs: Mapping[str, Any], account_id: str, region: str) -> Answer:
    """The answer of an update: an id and outputs made up from the URN."""
    registration = _Registration(urn, type_, name, inputs, account_id, region)
    if maker := _MAKERS.get(type_):
        id_, computed = maker(registration)
    elif type_.startswith("pulumi:providers:"):
        id_, computed = str(uuid.UUID(registration.digest[:32])), {}
    else:
        id_, computed = f"{name}-{registration.digest[:7]}", {}
    outputs = {**_guessed(registration, id_), **_echo(type_, inputs), **computed}
    if "tags" in inputs or "tagsAll" in outputs:
        outputs.setdefault("tagsAll", inputs.get("tags") or {})
    return Answer(id_, outputs)


def _guessed(r: _Registration, id_: str) -> dict[str, Any]:
    """A value for each output that the SDK declares as a string and that is not an input too."""
    service = r.type.split(":")[1].split("/")[0] if r.type.count(":") == 2 else r.type
    guessed: dict[str, Any] = {}
    for key in _computed(r.type) - {"urn", "id"}:
        if key == "arn" or key.endswith("Arn"):
            guessed[key] = r.arn(service, id_)
        elif key in ("name", "region"):
            guessed[key] = r.region if key == "region" else r.physical_name()
        elif key.endswith(("Id", "Name", "Url", "Endpoint", "Address")):
            guessed[key] = f"{r.name}-{key}"
    return guessed


def _echo(type_: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs as the provider gives them back: a JSON document passed as an object comes back as text."""
    strings = _string_outputs(type_)
    return {
        key: (UNKNOWN if UNKNOWN in (text := json.dumps(value)) else text)
        if key in strings and isinstance(value, dict | list)
        else value
        for key, value in inputs.items()
    }


@functools.cache
def _class(type_: str) -> type[pulumi.Resource] | None:
    """The SDK's class for a type, where the program has loaded it."""
    package, _, rest = type_.partition(":")
    module, _, class_name = rest.partition(":")
    folder = module.split("/")[0]
    name = f"pulumi_{package}" if folder in ("", "index") else f"pulumi_{package}.{folder}"
    cls = getattr(sys.modules.get(name), class_name, None)
    return cls if isinstance(cls, type) and issubclass(cls, pulumi.Resource) else None


@functools.cache
def _string_outputs(type_: str) -> frozenset[str]:
    """The wire names of the outputs that the SDK's class for this type declares as strings."""
    from pulumi._types import resource_types  # the SDK resolves outputs by the same table; it has no public name

    cls = _class(type_)
    return frozenset(key for key, value in resource_types(cls).items() if value is str) if cls else frozenset()


@functools.cache
def _computed(type_: str) -> frozenset[str]:
    """Of the string outputs, those that no input can set: an optional input that was left out stays left out."""
    from pulumi._types import resource_py_to_pulumi_names

    cls = _class(type_)
    if cls is None:
        return frozenset()
    names = resource_py_to_pulumi_names(cls)
    constructor = getattr(cls, "_internal_init", cls.__init__)
    return _string_outputs(type_) - {names.get(name, name) for name in inspect.signature(constructor).parameters}


def read(urn: str, type_: str, name: str, id_: str, state: Mapping[str, Any], *, preview: bool) -> Mapping[str, Any]:
    """The answer to a read of something the program does not own: a stack reference or `X.get()`."""
    if type_ == "pulumi:pulumi:StackReference":
        return {"name": state.get("name", name), "outputs": UNKNOWN if preview else {}, "secretOutputNames": []}
    if preview:
        return dict(state)
    return {**update(urn, type_, name, state, EXAMPLE_ACCOUNT, EXAMPLE_REGION).outputs, **state}
