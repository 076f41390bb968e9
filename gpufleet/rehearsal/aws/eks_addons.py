"""EKS add-ons, recorded: moto has no backend for them."""

from hashlib import sha256
from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.table import DOCUMENT, FIXED, PLAIN, SET, AwsType, Properties, pick

_SETTINGS = ("addonVersion", "configurationValues", "podIdentityAssociations", "serviceAccountRoleArn")


def _named(properties: Properties) -> dict[str, Any]:
    return {"clusterName": properties["clusterName"], "addonName": properties["addonName"]}


def _create(aws: Aws, inputs: Properties) -> str:
    conflicts = {"resolveConflicts": inputs.get("resolveConflictsOnCreate")}
    request = {
        **_named(inputs),
        **pick(inputs, *_SETTINGS, "namespaceConfig"),
        **conflicts,
        "tags": aws.tags(inputs) or None,
    }
    aws.call("eks", "CreateAddon", request)
    return f"{inputs['clusterName']}:{inputs['addonName']}"


def _read(aws: Aws, addon_id: str, state: Properties) -> Properties:
    cluster, _, addon = addon_id.partition(":")
    identifier = sha256(f"{aws.account_id} {aws.region} {addon_id}".encode()).hexdigest()[:17]
    return {"arn": aws.arn("eks", f"addon/{cluster}/{addon}/{identifier}")}


def _update(aws: Aws, addon_id: str, old: Properties, new: Properties) -> None:
    conflicts = {"resolveConflicts": new.get("resolveConflictsOnUpdate")}
    aws.call("eks", "UpdateAddon", {**_named(new), **pick(new, *_SETTINGS), **conflicts})


def _delete(aws: Aws, addon_id: str, state: Properties) -> None:
    aws.call("eks", "DeleteAddon", {**_named(state), "preserve": state.get("preserve")})


TYPES = (
    AwsType(
        name="aws:eks/addon:Addon",
        inputs={
            "addonName": FIXED,
            "addonVersion": PLAIN,
            "clusterName": FIXED,
            "configurationValues": DOCUMENT,
            "namespaceConfig": FIXED,
            "podIdentityAssociations": SET,
            "preserve": PLAIN,
            "resolveConflictsOnCreate": PLAIN,
            "resolveConflictsOnUpdate": PLAIN,
            "serviceAccountRoleArn": PLAIN,
            "tags": PLAIN,
        },
        outputs=("arn",),
        singular=True,
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)
