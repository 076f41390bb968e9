"""Which EKS image fits the types of the system nodes."""

from collections.abc import Sequence

from gpufleet.facts import instances

_STANDARD = {"x86_64": "AL2023_x86_64_STANDARD", "arm64": "AL2023_ARM_64_STANDARD"}


def for_system(names: Sequence[str]) -> str:
    """The AL2023 image without drivers that every one of the types boots.

    Raises:
        ValueError: no type is named; one is unknown or brings an accelerator; or they differ in architecture.
    """
    types = _known(names)
    if dear := [type_.name for type_ in types if type_.accelerator]:
        raise ValueError(
            f"instance_types: {', '.join(dear)} bring accelerators, which the cluster's own services leave idle; "
            "choose general types, such as m7i.xlarge"
        )
    return _STANDARD[_architecture(types)]


def all_have_nvme(names: Sequence[str]) -> bool:
    """Whether every type has instance store: the nodes of a pool are alike, so all of them stripe it or none does."""
    return all(type_.nvme_gb > 0 for type_ in _known(names))


def _known(names: Sequence[str]) -> list[instances.InstanceType]:
    if not names:
        raise ValueError("instance_types: none is given; name at least one, such as g6.xlarge")
    try:
        return [instances.get(name) for name in names]
    except instances.UnknownInstanceType as error:
        raise ValueError(f"instance_types: {error}") from None


def _architecture(types: Sequence[instances.InstanceType]) -> str:
    if len({type_.cpu_arch for type_ in types}) > 1:
        mixed = ", ".join(f"{type_.name} ({type_.cpu_arch})" for type_ in types)
        raise ValueError(f"instance_types: {mixed} need different images; put each architecture into a pool of its own")
    return types[0].cpu_arch
