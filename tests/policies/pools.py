"""Node groups for the rules about GPU pools."""

from typing import Any

import pulumi_aws as aws

GOOD_TAINT = {"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"}


def pool(name: str = "gpu", types: Any = ("g6.2xlarge",), maximum: Any = 4, **more: Any) -> aws.eks.NodeGroup:
    """Build a node group that no rule about pools objects to; what is given replaces the good value."""
    good: dict[str, Any] = {
        "cluster_name": "c",
        "node_role_arn": "r",
        "subnet_ids": ["subnet-1"],
        "instance_types": types,
        "ami_type": "AL2023_x86_64_NVIDIA",
        "scaling_config": {"min_size": 0, "max_size": maximum, "desired_size": 0},
        "taints": [GOOD_TAINT],
        "launch_template": {"id": "lt-1", "version": "1"},
    }
    return aws.eks.NodeGroup(name, **{**good, **more})
