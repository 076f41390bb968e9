"""The block of public access that holds for every bucket of an account."""

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.table import FIXED, AwsType, Input, Properties, pick

_BLOCKS = ("blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets")
_NONE = "NoSuchPublicAccessBlockConfiguration"


def _create(aws: Aws, inputs: Properties) -> str:
    account = str(inputs.get("accountId") or aws.account_id)
    block = {"AccountId": account, "PublicAccessBlockConfiguration": pick(inputs, *_BLOCKS)}
    aws.call("s3control", "PutPublicAccessBlock", block)
    return account


def _read(aws: Aws, account: str, state: Properties) -> Properties | None:
    answer = aws.find("s3control", "GetPublicAccessBlock", {"AccountId": account}, _NONE)
    if answer is None:
        return None
    found = answer["PublicAccessBlockConfiguration"]
    return {"accountId": account, **{name: found[name[0].upper() + name[1:]] for name in _BLOCKS}}


def _update(aws: Aws, account: str, old: Properties, new: Properties) -> None:
    _create(aws, {**new, "accountId": account})


def _delete(aws: Aws, account: str, state: Properties) -> None:
    aws.drop("s3control", "DeletePublicAccessBlock", {"AccountId": account}, _NONE)


TYPES = (
    AwsType(
        name="aws:s3/accountPublicAccessBlock:AccountPublicAccessBlock",
        inputs={"accountId": FIXED, **dict.fromkeys(_BLOCKS, Input(default=False))},
        outputs=("accountId",),
        regional=False,
        singular=True,
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)
