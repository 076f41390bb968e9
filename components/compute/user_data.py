"""User data of nodes whose image is AL2023: what nodeadm is told on top of what EKS tells it."""

import json

_BOUNDARY = "==GPUFLEET=="


def node_config(*, local_storage: bool) -> str | None:
    """A MIME document with one NodeConfig part, or None where there is nothing to say.

    With `local_storage` the node's NVMe disks become one RAID 0 that holds what kubelet and containerd write: images,
    logs and emptyDir volumes. It is emptied whenever the instance stops. EKS adds the cluster's part to the document
    by itself. https://awslabs.github.io/amazon-eks-ami/nodeadm/doc/api/
    """
    if not local_storage:
        return None
    config = {
        "apiVersion": "node.eks.aws/v1alpha1",
        "kind": "NodeConfig",
        "spec": {"instance": {"localStorage": {"strategy": "RAID0"}}},
    }
    lines = [
        "MIME-Version: 1.0",
        f'Content-Type: multipart/mixed; boundary="{_BOUNDARY}"',
        "",
        f"--{_BOUNDARY}",
        "Content-Type: application/node.eks.aws",
        "",
        json.dumps(config, indent=2),
        "",
        f"--{_BOUNDARY}--",
        "",
    ]
    return "\n".join(lines)
