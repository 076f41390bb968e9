"""What the AWS API in memory holds: every object in moto's backends, but for those the backends were born with."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

from moto.core.base_backend import AccountSpecificBackend, BackendDict

# Containers are followed this deep into a backend: budgets lie at account/name, subnets at zone/id.
CONTAINER_DEPTH = 4

# What AWS keeps for a while after a deletion, or for ever as a record, is gone for the stack that owned it.
ENDED_STATES = frozenset({"cancelled", "deleted", "deleting", "pendingdeletion", "terminated"})

# Where moto's models keep the name that AWS knows an object by, best first.
ID_ATTRIBUTES = ("id", "allocation_id", "arn", "name")

_Item: TypeAlias = dict[str, str]


class Inventory:
    """What a stack could have put into moto: everything its backends hold, but for what they were born with."""

    def __init__(self) -> None:
        """Start to watch: from here on every backend that moto makes is looked at before anybody uses it."""
        self._seeded: set[tuple[str, str, str]] = set()
        self._lock = threading.RLock()
        self._watch_births()

    def items(self) -> list[_Item]:
        """List what is there now, sorted.

        Returns:
            One object each: `service`, `region`, `kind` (moto's class) and `id` (AWS's name of it, where moto has one).
        """
        found = [item for item in self._everything() if _key(item) not in self._seeded]
        return sorted(found, key=_key)

    def _watch_births(self) -> None:
        """Remember what each backend seeds (default VPCs, images, managed policies) at the moment it is made."""
        backends_of_account = cast(Any, AccountSpecificBackend)
        make = backends_of_account.__getitem__

        def make_and_look(backends: Any, region: str) -> Any:
            with self._lock:
                known = set(backends)
                backend = make(backends, region)
                for born in set(backends) - known:
                    self._seeded.update(_key(item) for item in _objects_of(backends.service_name, born, backend))
            return backend

        backends_of_account.__getitem__ = make_and_look

    def _everything(self) -> Iterator[_Item]:
        with self._lock:
            for service in list(cast(Any, BackendDict)._instances):
                for _, region, backend in list(service.iter_backends()):
                    yield from _objects_of(service.service_name, region, backend)


def _objects_of(service: str, region: str, backend: object) -> Iterator[_Item]:
    """Walk one backend's containers for objects of moto's own classes, without those that are gone for AWS."""
    for attribute, value in list(vars(backend).items()):
        if isinstance(value, Mapping | list | set | tuple):
            for key, found in _walk(cast(object, value), attribute, CONTAINER_DEPTH):
                if not _is_gone(found, backend):
                    yield {"service": service, "region": region, "kind": type(found).__name__, "id": _id_of(found, key)}


def _walk(value: object, key: str, depth: int) -> Iterator[tuple[str, object]]:
    """Yield (last key, object) for every object of a moto model class below a container."""
    if isinstance(value, Mapping):
        children = [(str(name), child) for name, child in list(cast("Mapping[object, object]", value).items())]
    elif isinstance(value, list | set | tuple):
        children = [(f"{key}[{index}]", child) for index, child in enumerate(list(cast("Sequence[object]", value)))]
    else:
        if type(value).__module__.startswith("moto."):
            yield key, value
        return
    if depth:
        for name, child in children:
            yield from _walk(child, name, depth - 1)


def _id_of(found: object, key: str) -> str:
    """Name an object by its place in moto, or by its own name where that place is only a position in a list."""
    if not key.endswith("]"):
        return key
    names = (getattr(found, attribute, None) for attribute in ID_ATTRIBUTES)
    return next((name for name in names if isinstance(name, str) and name), key)


def _is_gone(found: object, backend: object) -> bool:
    """Say whether AWS would no longer count this object: it is ended, or it went with the VPC it was made by.

    moto keeps the default network ACL and the interfaces of NAT gateways and endpoints of a VPC that is deleted;
    AWS deletes the first with the VPC and the others with their owners.
    """
    if getattr(found, "deleted_date", None):
        # A secret, which can be brought back until its recovery window has passed.
        return True
    state = next((getattr(found, name) for name in ("key_state", "state", "status") if hasattr(found, name)), None)
    if isinstance(state, str) and state.lower().replace("_", "") in ENDED_STATES:
        return True
    vpcs = getattr(backend, "vpcs", {})
    if type(found).__name__ == "NetworkAcl":
        default = str(getattr(found, "default", "")).lower() == "true"
        return default and getattr(found, "vpc_id", None) not in vpcs
    if type(found).__name__ == "NetworkInterface":
        return getattr(getattr(found, "subnet", None), "vpc_id", None) not in vpcs
    return False


def _key(item: _Item) -> tuple[str, str, str]:
    return item["service"], item["region"], f"{item['kind']}/{item['id']}"
