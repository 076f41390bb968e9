"""OpenID Connect identity providers."""

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.iam_roles import NO_ENTITY
from gpufleet.rehearsal.aws.table import FIXED, PLAIN, SET, AwsType, Properties
from gpufleet.rehearsal.aws.tags import changes, mapped


def _create(aws: Aws, inputs: Properties) -> str:
    provider = {
        "Url": inputs["url"],
        "ClientIDList": inputs["clientIdLists"],
        "ThumbprintList": inputs.get("thumbprintLists"),
        "Tags": aws.tags(inputs) or None,
    }
    return str(aws.call("iam", "CreateOpenIDConnectProvider", provider)["OpenIDConnectProviderArn"])


def _read(aws: Aws, arn: str, state: Properties) -> Properties | None:
    answer = aws.find("iam", "GetOpenIDConnectProvider", {"OpenIDConnectProviderArn": arn}, NO_ENTITY)
    if answer is None:
        return None
    return {"arn": arn, "thumbprintLists": answer.get("ThumbprintList", []), "tagsAll": mapped(answer.get("Tags", []))}


def _update(aws: Aws, arn: str, old: Properties, new: Properties) -> None:
    provider = {"OpenIDConnectProviderArn": arn}
    if new.get("thumbprintLists") and new["thumbprintLists"] != old.get("thumbprintLists"):
        aws.call("iam", "UpdateOpenIDConnectProviderThumbprint", {**provider, "ThumbprintList": new["thumbprintLists"]})
    off, on = changes(aws, old, new)
    if off:
        aws.call("iam", "UntagOpenIDConnectProvider", {**provider, "TagKeys": off})
    if on:
        aws.call("iam", "TagOpenIDConnectProvider", {**provider, "Tags": on})


def _delete(aws: Aws, arn: str, state: Properties) -> None:
    aws.drop("iam", "DeleteOpenIDConnectProvider", {"OpenIDConnectProviderArn": arn}, NO_ENTITY)


TYPES = (
    AwsType(
        name="aws:iam/openIdConnectProvider:OpenIdConnectProvider",
        # The API can change client ids one by one; here another list is another provider, as it was before provider 6.
        inputs={"clientIdLists": FIXED, "tags": PLAIN, "thumbprintLists": SET, "url": FIXED},
        outputs=("arn", "thumbprintLists"),
        regional=False,
        singular=True,
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)
