"""A pod template from a pool's preset: what a workload asks for so that it gets its node and uses it rightly.

Plain values, no Pulumi: the template of a Job, a JobSet or whatever else makes pods, and with `apiVersion` and `kind` a
Pod of its own.

The template passes Pod Security's `restricted` level. Locked memory is not in it: EFA registers memory, which the
kernel counts against the container's memlock limit; Kubernetes has no field for that limit, a container has the one of
its node's containerd. The capability IPC_LOCK lifts it for processes that run as root only, and `restricted` and
`baseline` both refuse it.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..compute.design.pod import PodPreset

SHM, HUGEPAGES = "shm", "hugepages"
SHM_PATH = "/dev/shm"  # noqa: S108 -- inside the container, where every program looks for it
_SHELLS = re.compile(r"(.*/)?(ba|da|z|a)?sh")
_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


def template(
    name: str,
    image: str,
    command: Sequence[str],
    preset: PodPreset,
    *,
    env: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    service_account: str | None = None,
    user_id: int = 1000,
    restart_policy: str = "Never",
    deadline_seconds: int | None = None,
    mounts_hugepages: bool = False,
) -> dict[str, Any]:
    """A pod's `metadata` and `spec`.

    Args:
        name: of the container.
        image: of the container, with tag or digest.
        command: what it runs, in exec form; a shell in front has to `exec` the program, or the word that the pod is
            to end never reaches it.
        preset: a design's `pod`; `preset.for_gpus(n)` for part of a node.
        env: further variables; they take precedence over the preset's.
        labels: the pod's.
        service_account: left out, the namespace's default; no token is mounted either way.
        user_id: that it runs as, not 0.
        restart_policy: `Never` or `OnFailure` for what runs to its end, `Always` for what serves.
        deadline_seconds: after which it is ended, whatever it does.
        mounts_hugepages: whether to mount the pages at /hugepages; EFA itself needs the request alone.

    Raises:
        ValueError: the command does not hand signals on, the user is root, or shared memory does not fit.
    """
    _check(name, command, preset, user_id, restart_policy, mounts_hugepages)
    volumes: list[dict[str, Any]] = []
    mounts: list[dict[str, str]] = []
    if _shm_fits(preset):
        volumes.append({"name": SHM, "emptyDir": {"medium": "Memory", "sizeLimit": f"{preset.shm_gib}Gi"}})
        mounts.append({"name": SHM, "mountPath": SHM_PATH})
    if mounts_hugepages:
        volumes.append({"name": HUGEPAGES, "emptyDir": {"medium": "HugePages-2Mi"}})
        mounts.append({"name": HUGEPAGES, "mountPath": "/hugepages"})
    variables = {**preset.env, **(env or {})}
    container: dict[str, Any] = {
        "name": name,
        "image": image,
        "command": list(command),
        "env": [{"name": key, "value": value} for key, value in variables.items()],
        "resources": {"requests": dict(preset.requests), "limits": dict(preset.limits)},
        "volumeMounts": mounts,
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
    }
    spec: dict[str, Any] = {
        "restartPolicy": restart_policy,
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "terminationGracePeriodSeconds": preset.grace_seconds,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": user_id,
            "runAsGroup": user_id,
            "fsGroup": user_id,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "nodeSelector": dict(preset.node_selector),
        "tolerations": [
            {"key": taint.key, "operator": "Equal", "value": taint.value, "effect": taint.effect}
            for taint in preset.tolerations
        ],
        "containers": [container],
        "volumes": volumes,
    }
    if service_account is not None:
        spec["serviceAccountName"] = service_account
    if deadline_seconds is not None:
        spec["activeDeadlineSeconds"] = deadline_seconds
    if preset.runtime_class is not None:
        spec["runtimeClassName"] = preset.runtime_class
    # The API takes annotations as text only; a YAML boolean is refused.
    annotations = {key: str(value) for key, value in preset.annotations.items()}
    return {"metadata": {"labels": dict(labels or {}), "annotations": annotations}, "spec": spec}


def _check(
    name: str, command: Sequence[str], preset: PodPreset, user_id: int, restart_policy: str, mounts_hugepages: bool
) -> None:
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"name: {name!r} is no name of a container; allowed are lower-case letters, digits and -, 63 at most"
        )
    if isinstance(command, str) or not command:
        raise ValueError(f"command: {command!r} is not in exec form; write a list: ['python', 'train.py']")
    if _SHELLS.fullmatch(command[0]) and len(command) > 2 and "exec " not in command[-1]:
        raise ValueError(
            f"command: {command[-1]!r} runs below a shell, which keeps the word to end for itself, and the last "
            "checkpoint is never written; begin the last line with exec, or leave the shell out"
        )
    if user_id < 1:
        raise ValueError(f"user_id: {user_id} is root; allowed are 1 and more")
    if restart_policy not in ("Never", "OnFailure", "Always"):
        raise ValueError(f"restart_policy: {restart_policy!r} is not known; allowed are Never, OnFailure, Always")
    if preset.accelerators > 1 and not _shm_fits(preset):
        raise ValueError(
            f"preset: {preset.shm_gib} GiB of shared memory count against {preset.memory_gib} GiB of memory and leave "
            f"nothing; allowed are less than {preset.memory_gib}; ask for more accelerators, or for a larger type"
        )
    if mounts_hugepages and not preset.hugepages_mib:
        raise ValueError(
            "mounts_hugepages: True, and a pod on this pool asks for no pages; leave it out (Karpenter brings no node "
            "for a pod that asks for them)"
        )


def _shm_fits(preset: PodPreset) -> bool:
    """Whether shared memory leaves any for the program. A small part of a GPU does without: it talks to no other."""
    return preset.memory_gib is None or preset.shm_gib < preset.memory_gib
