"""An EKS cluster that no rule objects to, and ways to make it worse."""

from typing import Any

import pulumi_aws as aws

KEY = "arn:aws:kms:us-east-1:111122223333:key/k"
LOGS = ["api", "audit", "authenticator", "controllerManager", "scheduler"]


def cluster(**changes: Any) -> aws.eks.Cluster:
    """Build the cluster `cluster`; an argument given replaces the good one, `None` leaves it out."""
    good: dict[str, Any] = {
        "role_arn": "arn:aws:iam::111122223333:role/cluster",
        "version": "1.35",
        "vpc_config": {"subnet_ids": ["subnet-1"], "endpoint_private_access": True, "endpoint_public_access": False},
        "access_config": {"authentication_mode": "API", "bootstrap_cluster_creator_admin_permissions": False},
        "encryption_config": {"provider": {"key_arn": KEY}, "resources": ["secrets"]},
        "enabled_cluster_log_types": LOGS,
        "upgrade_policy": {"support_type": "STANDARD"},
        "deletion_protection": True,
    }
    return aws.eks.Cluster("cluster", **{**good, **changes})
