"""Shared memory."""

from collections.abc import Iterator, Mapping
from typing import Any

from gpufleet.lint import quantities
from gpufleet.lint.case import Case
from gpufleet.lint.findings import ERROR, WARNING, Finding, Rule
from gpufleet.lint.workloads import Container, entries, mappings

PATH = "/dev/shm"  # noqa: S108 -- inside the container
GIB = 2**30

MISSING = Rule(
    name="shm-missing",
    severity=ERROR,
    why="a container has 64 MB of shared memory by itself; NCCL and data loaders of several GPUs end with a bus error",
)
UNBOUNDED = Rule(
    name="shm-unbounded",
    severity=WARNING,
    why="without a size it takes up to half of the node's memory, and the container is killed once it is above its own",
)
TOO_LARGE = Rule(
    name="shm-exceeds-memory",
    severity=ERROR,
    why="what is written there counts against the container's memory, so that it is killed before the volume is full",
)
NOT_MEMORY = Rule(
    name="shm-on-disk",
    severity=ERROR,
    why="the volume lies on the node's disk, which is many times slower than the memory that programs take it for",
)
RULES = (MISSING, UNBOUNDED, TOO_LARGE, NOT_MEMORY)


def check(case: Case) -> Iterator[Finding]:
    """The volume and its mount, as they are in the pod: one without the other is none."""
    if case.workload.partial:
        return
    for container in case.workload.computing:
        yield from _container(case, container)


def _container(case: Case, container: Container) -> Iterator[Finding]:
    mount = container.mount(PATH)
    several = container.accelerator is not None and container.accelerator[1] > 1
    volumes = {str(one.get("name")): index for index, one in enumerate(mappings(case.workload.spec.get("volumes")))}
    index = volumes.get(str(mount.get("name"))) if mount is not None else None
    shared = pool.sharing if (pool := case.pool) is not None else None
    if index is None:
        if several and shared is None:
            yield case.finding(
                MISSING,
                container.location,
                found=f"nothing mounted at {PATH}" if mount is None else f"a mount of {mount.get('name')!r}, no volume",
                needed="a volume in memory, and its mount, under one name",
                fix=f"volumes: [{{name: shm, emptyDir: {{medium: Memory, sizeLimit: {_size(case, container)}}}}}]; "
                f"volumeMounts: [{{name: shm, mountPath: {PATH}}}]",
            )
        return
    volume = mappings(case.workload.spec.get("volumes"))[index]
    yield from _volume(case, container, volume, (*case.workload.at_spec, "volumes", index))


def _volume(
    case: Case, container: Container, volume: Mapping[str, Any], location: tuple[str | int, ...]
) -> Iterator[Finding]:
    if "emptyDir" not in volume:
        return
    directory = entries(volume["emptyDir"])
    here = (*location, "emptyDir")
    limits = entries(entries(container.body.get("resources")).get("limits"))
    memory, size = quantities.parse(limits.get("memory")), quantities.parse(directory.get("sizeLimit"))
    if directory.get("medium") != "Memory":
        yield case.finding(
            NOT_MEMORY,
            here,
            found=f"medium {directory.get('medium') or 'of the node'}",
            needed="Memory",
            fix=f"emptyDir: {{medium: Memory, sizeLimit: {_size(case, container)}}}",
        )
    elif size is None:
        yield case.finding(
            UNBOUNDED,
            here,
            found="no sizeLimit",
            needed="a size below the container's memory",
            fix=f"emptyDir: {{medium: Memory, sizeLimit: {_size(case, container)}}}",
        )
    elif memory is not None and size >= memory:
        yield case.finding(
            TOO_LARGE,
            (*here, "sizeLimit"),
            found=f"{directory['sizeLimit']} within a memory limit of {limits['memory']}",
            needed=f"less than {limits['memory']}, with room for the program itself",
            fix=f"emptyDir: {{medium: Memory, sizeLimit: {_size(case, container)}}}; or a larger memory limit",
        )


def _size(case: Case, container: Container) -> str:
    """A quarter of the container's memory, at most 64 GiB, where it has a limit."""
    limits = entries(entries(container.body.get("resources")).get("limits"))
    memory = quantities.parse(limits.get("memory"))
    gib = 16 if memory is None else max(1, min(64, int(memory / GIB / 4)))
    return f"{gib}Gi"
