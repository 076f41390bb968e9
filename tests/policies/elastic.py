"""Karpenter's objects for the rules that read them."""

from typing import Any

from tests.policies.manifests import Manifest

KEY = "arn:aws:kms:us-east-1:111122223333:key/k"
TAGS = {"owner": "ml-platform", "cost-center": "research", "expires": "2099-01-31"}
TAINT = {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}
EFA = [
    {"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "interface"},
    *({"networkCardIndex": card, "deviceIndex": int(card == 0), "interfaceType": "efa-only"} for card in range(4)),
]
"""Interfaces of a p4d.24xlarge."""


def node_class(name: str = "train", **changes: Any) -> Manifest:
    """Build an EC2NodeClass that no rule objects to; what is given replaces the good value, `None` leaves it out."""
    spec: dict[str, Any] = {
        "amiSelectorTerms": [{"alias": "al2023@v20260724"}],
        "blockDeviceMappings": [
            {
                "deviceName": "/dev/xvda",
                "rootVolume": True,
                "ebs": {"encrypted": True, "kmsKeyID": KEY, "volumeSize": "200Gi", "deleteOnTermination": True},
            }
        ],
        "metadataOptions": {"httpEndpoint": "enabled", "httpTokens": "required", "httpPutResponseHopLimit": 1},
        "role": "node",
        "subnetSelectorTerms": [{"id": "subnet-1"}],
        "securityGroupSelectorTerms": [{"id": "sg-1"}],
        "tags": TAGS,
        **changes,
    }
    given = {key: value for key, value in spec.items() if value is not None}
    type_ = "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"
    return Manifest(type_, f"{name}-nodes", metadata={"name": name}, spec=given)


def requirements(types: Any = ("g6.2xlarge", "g6.4xlarge"), capacity: Any = "on-demand") -> list[dict[str, Any]]:
    """What a NodePool should say of its nodes."""
    wanted = {
        "node.kubernetes.io/instance-type": list(types),
        "karpenter.sh/capacity-type": [capacity],
        "topology.kubernetes.io/zone": ["us-east-1a"],
        "kubernetes.io/arch": ["amd64"],
    }
    return [{"key": key, "operator": "In", "values": values} for key, values in wanted.items()]


def node_pool(name: str = "train", *, node: Any = None, labels: Any = None, **changes: Any) -> Manifest:
    """Build a NodePool that no rule objects to; `node` replaces fields of its nodes' spec."""
    spec: dict[str, Any] = {
        "limits": {"nvidia.com/gpu": "8"},
        "disruption": {"consolidationPolicy": "WhenEmpty", "consolidateAfter": "10m"},
        "template": {
            "metadata": {"labels": {"gpufleet.io/pool": name, **(labels or {})}},
            "spec": {
                "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": name},
                "requirements": requirements(),
                "taints": [TAINT],
                **(node or {}),
            },
        },
        **changes,
    }
    given = {key: value for key, value in spec.items() if value is not None}
    return Manifest("kubernetes:karpenter.sh/v1:NodePool", name, metadata={"name": name}, spec=given)
