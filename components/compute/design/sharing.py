"""How several pods share a GPU: parts with walls between them (MIG), or turns without any (time-slicing)."""

from dataclasses import dataclass

from gpufleet.facts import mig_profiles
from gpufleet.facts.instances import InstanceType

from .ledger import Ledger
from .machines import Machines
from .refusal import Refused
from .request import ImageChoice, PoolRequest, Sharing

LEAST_REPLICAS, MOST_REPLICAS = 2, 16
"""Pods that take turns on a GPU. The plugin's daemon has a configuration for each number, whether used or not."""
PLUGIN_CONFIG_LABEL = "nvidia.com/device-plugin.config"
MIG_LABEL = "nvidia.com/mig.config"
SHARING_LABEL = "gpufleet.io/sharing"


@dataclass(frozen=True, kw_only=True)
class Shares:
    """Into how many parts each GPU goes, and what tells the node so."""

    per_gpu: int
    labels: dict[str, str]


def decide(request: PoolRequest, machines: Machines, ledger: Ledger) -> Shares:
    """The parts of a GPU.

    Raises:
        Refused: `sharing-neuron`, `mig-not-on-gpu`, `mig-profile`, `mig-on-bottlerocket`, `time-slicing-replicas`.
    """
    kind = request.sharing.kind
    if kind == "none":
        ledger.decide("sharing", "none", "a pod has its GPUs to itself")
        return Shares(per_gpu=1, labels={})
    if machines.accelerator != "nvidia":
        raise Refused(
            "sharing-neuron",
            "only NVIDIA GPUs are shared so; a Neuron device is asked for core by core",
            path="sharing",
            value=kind,
            allowed="none",
            nearest="pods that ask for aws.amazon.com/neuroncore, without sharing",
            change={"sharing": Sharing()},
        )
    return _mig(request, machines, ledger) if kind == "mig" else _slices(request, ledger)


def _mig(request: PoolRequest, machines: Machines, ledger: Ledger) -> Shares:
    profile, counts = request.sharing.profile, set[int]()
    for type_ in machines.types:
        known = mig_profiles.find(type_.gpu_model, type_.gpu_memory_mib)
        if not known:
            raise Refused(
                "mig-not-on-gpu",
                f"the {type_.gpu_model} of {type_.name} cannot be cut, or no source tells how",
                path="sharing.mig",
                value=profile,
                allowed="types with A100, H100, H200, B200, B300, GB200 or RTX PRO Server 6000",
                nearest="sharing: {time_slicing: 2}, where everybody trusts everybody",
                change={"sharing": Sharing(kind="time-slicing", replicas=2)},
            )
        if profile is None or profile not in known:
            raise Refused(
                "mig-profile",
                f"no part of that size can be cut from the {type_.gpu_model} of {type_.name}",
                path="sharing.mig",
                value=profile,
                allowed=", ".join(f"{name} ({count} of a GPU)" for name, count in known.items()),
                nearest=f"sharing: {{mig: {next(iter(known))}}}",
                change={"sharing": Sharing(kind="mig", profile=next(iter(known)))},
            )
        counts.add(known[profile])
        if request.image.family == "bottlerocket":
            _check_bottlerocket(type_, profile)
    if len(counts) > 1:
        raise Refused(
            "mig-profile",
            f"{profile} yields {' or '.join(map(str, sorted(counts)))} parts of a GPU, as the type has it",
            path="instance_types",
            value=list(machines.names),
            allowed="types with the same GPU",
            nearest=f"instance_types: [{machines.names[0]}]",
            change={"instance_types": machines.names[:1]},
        )
    per_gpu = counts.pop()
    ledger.decide(
        "sharing",
        f"MIG {profile}, {per_gpu} parts of each GPU",
        "each part has memory and processors of its own; a pod that asks for one nvidia.com/gpu gets one part",
    )
    return Shares(per_gpu=per_gpu, labels={MIG_LABEL: f"all-{profile}", SHARING_LABEL: "mig"})


def _check_bottlerocket(type_: InstanceType, profile: str) -> None:
    """Its image cuts by itself, and cuts what it does not know into one part of the whole GPU, in silence."""
    if mig_profiles.bottlerocket_model(type_.gpu_model, type_.gpu_memory_mib, profile) is None:
        offered = mig_profiles.bottlerocket(type_.gpu_model, type_.gpu_memory_mib)
        raise Refused(
            "mig-on-bottlerocket",
            f"no source tells that Bottlerocket cuts the {type_.gpu_model} of {type_.name} so",
            path="sharing.mig",
            value=profile,
            allowed=", ".join(offered) or "no profile of this GPU with Bottlerocket",
            nearest="image: al2023",
            change={"image": ImageChoice(family="al2023")},
        )


def _slices(request: PoolRequest, ledger: Ledger) -> Shares:
    replicas = request.sharing.replicas
    if replicas is None or not LEAST_REPLICAS <= replicas <= MOST_REPLICAS:
        raise Refused(
            "time-slicing-replicas",
            "taking turns needs two at least, and with very many nobody gets anywhere",
            path="sharing.time_slicing",
            value=replicas,
            allowed=f"{LEAST_REPLICAS} to {MOST_REPLICAS}",
            nearest="sharing: {time_slicing: 2}",
            change={"sharing": Sharing(kind="time-slicing", replicas=2)},
        )
    ledger.decide(
        "sharing",
        f"time-slicing, {replicas} pods take turns on each GPU",
        "no wall between them: one pod can fill the memory of all, and fault them all. For people who trust each "
        "other, never between tenants",
    )
    ledger.warn(
        "time-slicing isolates nobody: pods on a GPU share its memory and its faults; keep it to one team's pool"
    )
    return Shares(
        per_gpu=replicas,
        labels={PLUGIN_CONFIG_LABEL: f"time-slicing-{replicas}", SHARING_LABEL: "time-slicing"},
    )
