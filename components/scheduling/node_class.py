"""What EC2 gives the nodes of an elastic pool: the spec of an EC2NodeClass, from the pool's design.

The types are those fields of Karpenter 1.14's definition that we set; units and limits are the definition's.
https://github.com/aws/karpenter-provider-aws/blob/v1.14.1/pkg/apis/crds/karpenter.k8s.aws_ec2nodeclasses.yaml
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict

import pulumi

from gpufleet.facts import instances

from ..compute.design.shapes import Design, Image, Interface

API_VERSION, GROUP, KIND = "karpenter.k8s.aws/v1", "karpenter.k8s.aws", "EC2NodeClass"

FAMILIES = {"al2023": "AL2023", "bottlerocket": "Bottlerocket"}
"""Which user data Karpenter writes."""
SYSTEM_VOLUME = {"/dev/xvdb": ("/dev/xvda", 4)}
"""By where the data lies: Bottlerocket's own system, and its GiB. Karpenter's own default for it is not under our key.
https://karpenter.sh/v1.14/concepts/nodeclasses/#bottlerocket-2"""
PRIMARY = Interface(card=0, device=0, kind="interface")


class IdTerm(TypedDict):
    """One thing, by its id."""

    id: pulumi.Input[str]


class ImageTerm(TypedDict, total=False):
    """An image: one of the two."""

    id: str
    alias: str


class Ebs(TypedDict):
    """A volume that is made at launch and goes with the instance."""

    volumeType: str
    volumeSize: str
    encrypted: bool
    kmsKeyID: pulumi.Input[str]
    deleteOnTermination: bool


class BlockDevice(TypedDict):
    """Where a volume is attached; `rootVolume` marks the one that holds what pods write."""

    deviceName: str
    rootVolume: NotRequired[bool]
    ebs: Ebs


class NetworkInterface(TypedDict):
    """One interface of each node."""

    networkCardIndex: int
    deviceIndex: int
    interfaceType: str


class MetadataOptions(TypedDict):
    """Who on a node may ask the instance metadata service, and how."""

    httpEndpoint: str
    httpProtocolIPv6: str
    httpPutResponseHopLimit: int
    httpTokens: str


class NamedGroup(TypedDict):
    """A placement group."""

    name: pulumi.Input[str]


class NodeClassSpec(TypedDict):
    """The spec of an EC2NodeClass."""

    amiFamily: str
    amiSelectorTerms: list[ImageTerm]
    role: NotRequired[pulumi.Input[str]]
    instanceProfile: NotRequired[pulumi.Input[str]]
    subnetSelectorTerms: list[IdTerm]
    securityGroupSelectorTerms: pulumi.Input[list[IdTerm]]
    networkInterfaces: NotRequired[list[NetworkInterface]]
    placementGroupSelector: NotRequired[NamedGroup]
    capacityReservationSelectorTerms: NotRequired[list[IdTerm]]
    blockDeviceMappings: list[BlockDevice]
    instanceStorePolicy: NotRequired[str]
    metadataOptions: MetadataOptions
    detailedMonitoring: bool
    kubelet: NotRequired[Mapping[str, int | str]]
    userData: NotRequired[str]
    tags: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """What the nodes hang on, which no design knows."""

    role_name: pulumi.Input[str] | None
    instance_profile: pulumi.Input[str] | None
    """Exactly one of the two."""
    subnet_ids: Sequence[pulumi.Input[str]]
    security_group_ids: pulumi.Input[Sequence[pulumi.Input[str]]]
    volume_key_arn: pulumi.Input[str]
    reservation_id: pulumi.Input[str] | None
    placement_group: pulumi.Input[str] | None
    tags: Mapping[str, str]
    user_data: str | None
    """Beside what Karpenter writes by itself: how to join, labels, taints, kubelet, disks."""


def spec(design: Design, around: Surroundings) -> NodeClassSpec:
    """The node class of a pool."""
    made: NodeClassSpec = {
        "amiFamily": FAMILIES[design.image.family],
        "amiSelectorTerms": [_image(design.image)],
        "subnetSelectorTerms": [{"id": subnet} for subnet in around.subnet_ids],
        "securityGroupSelectorTerms": _ids(around.security_group_ids),
        "blockDeviceMappings": _volumes(design, around.volume_key_arn),
        "metadataOptions": {
            "httpEndpoint": "enabled",
            "httpProtocolIPv6": "disabled",
            # One hop ends on the node: a pod cannot take the node's credentials.
            "httpPutResponseHopLimit": 1,
            "httpTokens": "required",
        },
        "detailedMonitoring": False,
        "tags": dict(sorted(around.tags.items())),
    }
    if around.instance_profile is not None:
        made["instanceProfile"] = around.instance_profile
    elif around.role_name is not None:
        made["role"] = around.role_name
    if interfaces := _interfaces(design):
        made["networkInterfaces"] = interfaces
    if around.placement_group is not None:
        made["placementGroupSelector"] = {"name": around.placement_group}
    if around.reservation_id is not None:
        made["capacityReservationSelectorTerms"] = [{"id": around.reservation_id}]
    if design.local_storage is not None:
        made["instanceStorePolicy"] = design.local_storage
    if design.kubelet:
        made["kubelet"] = dict(design.kubelet)
    if around.user_data is not None:
        made["userData"] = around.user_data
    return made


def _image(image: Image) -> ImageTerm:
    """By id, or by the alias of AWS's own image, of which Karpenter takes the variant that fits each type."""
    if image.ami_id is not None:
        return {"id": image.ami_id}
    if image.karpenter_alias is None:
        raise ValueError(f"image: {image.source} names neither an id nor an alias that Karpenter knows")
    return {"alias": image.karpenter_alias}


def _ids(ids: pulumi.Input[Sequence[pulumi.Input[str]]]) -> pulumi.Input[list[IdTerm]]:
    if isinstance(ids, Sequence):
        return [{"id": known} for known in ids]
    return pulumi.Output.from_input(ids).apply(lambda found: [IdTerm(id=known) for known in found])


def _interfaces(design: Design) -> list[NetworkInterface]:
    """As designed; of types with EFA always said, even where the design has none.

    Left out, Karpenter takes every EFA interface that a type could have as offered, starts nodes of this pool for pods
    that ask for EFA, in any of its zones, and the jobs' traffic fails between them.
    """
    interfaces = design.interfaces
    if not interfaces and any(instances.get(name).efa_interfaces for name in design.instance_types):
        interfaces = (PRIMARY,)
    return [{"networkCardIndex": one.card, "deviceIndex": one.device, "interfaceType": one.kind} for one in interfaces]


def _volumes(design: Design, key_arn: pulumi.Input[str]) -> list[BlockDevice]:
    data = design.image.data_device
    volumes: list[BlockDevice] = []
    if data in SYSTEM_VOLUME:
        device, gib = SYSTEM_VOLUME[data]
        volumes.append({"deviceName": device, "ebs": _ebs(gib, key_arn)})
    return [*volumes, {"deviceName": data, "rootVolume": True, "ebs": _ebs(design.volume_gib, key_arn)}]


def _ebs(gib: int, key_arn: pulumi.Input[str]) -> Ebs:
    return {
        "volumeType": "gp3",
        "volumeSize": f"{gib}Gi",
        "encrypted": True,
        "kmsKeyID": key_arn,
        "deleteOnTermination": True,
    }
