"""Who may enter an EKS cluster: access entries, their policies, and pod identities. All of it is recorded: moto has no
backend for it."""

from hashlib import sha256

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.table import DOCUMENT, FIXED, PLAIN, SET, AwsType, Input, Properties, pick


def _entry_id(properties: Properties) -> str:
    return f"{properties['clusterName']}:{properties['principalArn']}"


def _named(properties: Properties) -> dict[str, str]:
    return {"clusterName": properties["clusterName"], "principalArn": properties["principalArn"]}


def _made_up(*parts: str) -> str:
    """Return an identifier that is the same whenever the same object is asked about."""
    return sha256(" ".join(parts).encode()).hexdigest()[:17]


def _create_entry(aws: Aws, inputs: Properties) -> str:
    given = pick(inputs, "kubernetesGroups", "type", "userName")
    aws.call("eks", "CreateAccessEntry", {**_named(inputs), **given, "tags": aws.tags(inputs) or None})
    return _entry_id(inputs)


def _read_entry(aws: Aws, entry_id: str, state: Properties) -> Properties:
    cluster, _, principal = entry_id.partition(":")
    kind, _, name = principal.rsplit(":", 1)[-1].partition("/")
    identifier = _made_up(aws.account_id, aws.region, entry_id)
    where = f"access-entry/{cluster}/{kind}/{aws.account_id}/{name.rsplit('/', 1)[-1]}/{identifier}"
    return {"accessEntryArn": aws.arn("eks", where), "userName": principal}


def _update_entry(aws: Aws, entry_id: str, old: Properties, new: Properties) -> None:
    aws.call("eks", "UpdateAccessEntry", {**_named(new), **pick(new, "kubernetesGroups", "userName")})


def _delete_entry(aws: Aws, entry_id: str, state: Properties) -> None:
    aws.call("eks", "DeleteAccessEntry", _named(state))


def _associate(aws: Aws, inputs: Properties) -> str:
    aws.call("eks", "AssociateAccessPolicy", {**_named(inputs), **pick(inputs, "policyArn", "accessScope")})
    return f"{inputs['clusterName']}#{inputs['principalArn']}#{inputs['policyArn']}"


def _read_association(aws: Aws, association_id: str, state: Properties) -> Properties:
    return {}


def _disassociate(aws: Aws, association_id: str, state: Properties) -> None:
    aws.call("eks", "DisassociateAccessPolicy", {**_named(state), "policyArn": state["policyArn"]})


_POD_NAMES = ("clusterName", "namespace", "serviceAccount")
_POD_SETTINGS = ("roleArn", "targetRoleArn", "disableSessionTags", "policy")


def _pod_id(aws: Aws, properties: Properties) -> str:
    names = (str(properties[name]) for name in _POD_NAMES)
    return f"a-{_made_up(aws.account_id, aws.region, *names)}"


def _create_pod(aws: Aws, inputs: Properties) -> str:
    request = {**pick(inputs, *_POD_NAMES, *_POD_SETTINGS), "tags": aws.tags(inputs) or None}
    aws.call("eks", "CreatePodIdentityAssociation", request)
    return _pod_id(aws, inputs)


def _read_pod(aws: Aws, pod_id: str, state: Properties) -> Properties:
    arn = aws.arn("eks", f"podidentityassociation/{state['clusterName']}/{pod_id}")
    return {"associationArn": arn, "associationId": pod_id}


def _update_pod(aws: Aws, pod_id: str, old: Properties, new: Properties) -> None:
    request = {"clusterName": new["clusterName"], "associationId": pod_id, **pick(new, *_POD_SETTINGS)}
    aws.call("eks", "UpdatePodIdentityAssociation", request)


def _delete_pod(aws: Aws, pod_id: str, state: Properties) -> None:
    aws.call("eks", "DeletePodIdentityAssociation", {"clusterName": state["clusterName"], "associationId": pod_id})


TYPES = (
    AwsType(
        name="aws:eks/accessEntry:AccessEntry",
        inputs={
            "clusterName": FIXED,
            "kubernetesGroups": SET,
            "principalArn": FIXED,
            "tags": PLAIN,
            "type": Input(replaces=True, default="STANDARD"),
            "userName": PLAIN,
        },
        outputs=("accessEntryArn", "userName"),
        singular=True,
        create=_create_entry,
        read=_read_entry,
        update=_update_entry,
        delete=_delete_entry,
    ),
    AwsType(
        name="aws:eks/accessPolicyAssociation:AccessPolicyAssociation",
        inputs={"accessScope": FIXED, "clusterName": FIXED, "policyArn": FIXED, "principalArn": FIXED},
        singular=True,
        create=_associate,
        read=_read_association,
        delete=_disassociate,
    ),
    AwsType(
        name="aws:eks/podIdentityAssociation:PodIdentityAssociation",
        inputs={
            "clusterName": FIXED,
            "disableSessionTags": PLAIN,
            "namespace": FIXED,
            "policy": DOCUMENT,
            "roleArn": PLAIN,
            "serviceAccount": FIXED,
            "tags": PLAIN,
            "targetRoleArn": PLAIN,
        },
        outputs=("associationArn", "associationId"),
        singular=True,
        create=_create_pod,
        read=_read_pod,
        update=_update_pod,
        delete=_delete_pod,
    ),
)
