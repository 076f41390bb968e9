"""SQS queues and their policies."""

from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.table import DOCUMENT, FIXED, PLAIN, AutoName, AwsType, Input, Properties
from gpufleet.rehearsal.aws.tags import changes

_NONE = "AWS.SimpleQueueService.NonExistentQueue"
_ATTRIBUTES = {
    "delaySeconds": "DelaySeconds",
    "kmsDataKeyReusePeriodSeconds": "KmsDataKeyReusePeriodSeconds",
    "kmsMasterKeyId": "KmsMasterKeyId",
    "maxMessageSize": "MaximumMessageSize",
    "messageRetentionSeconds": "MessageRetentionPeriod",
    "policy": "Policy",
    "receiveWaitTimeSeconds": "ReceiveMessageWaitTimeSeconds",
    "redriveAllowPolicy": "RedriveAllowPolicy",
    "redrivePolicy": "RedrivePolicy",
    "sqsManagedSseEnabled": "SqsManagedSseEnabled",
    "visibilityTimeoutSeconds": "VisibilityTimeout",
}


def _attributes(inputs: Properties) -> dict[str, str]:
    """Return SQS's attributes, all of which are text."""
    values: dict[str, Any] = {wire: inputs[name] for name, wire in _ATTRIBUTES.items() if inputs.get(name) is not None}
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in values.items()}


def _create(aws: Aws, inputs: Properties) -> str:
    fifo = {"FifoQueue": "true"} if inputs.get("fifoQueue") else {}
    queue = {
        "QueueName": inputs["name"],
        "Attributes": {**_attributes(inputs), **fifo},
        "tags": aws.tags(inputs) or None,
    }
    return str(aws.call("sqs", "CreateQueue", queue)["QueueUrl"])


def _read(aws: Aws, url: str, state: Properties) -> Properties | None:
    answer = aws.find(
        "sqs", "GetQueueAttributes", {"QueueUrl": url, "AttributeNames": ["All"]}, _NONE, "QueueDoesNotExist"
    )
    if answer is None:
        return None
    tags = aws.call("sqs", "ListQueueTags", {"QueueUrl": url}).get("Tags", {})
    return {"arn": answer["Attributes"]["QueueArn"], "name": url.rsplit("/", 1)[-1], "url": url, "tagsAll": tags}


def _update(aws: Aws, url: str, old: Properties, new: Properties) -> None:
    before, after = _attributes(old), _attributes(new)
    changed = {
        name: after.get(name, "") for name in before.keys() | after.keys() if before.get(name) != after.get(name)
    }
    if changed:
        aws.call("sqs", "SetQueueAttributes", {"QueueUrl": url, "Attributes": changed})
    off, on = changes(aws, old, new)
    if off:
        aws.call("sqs", "UntagQueue", {"QueueUrl": url, "TagKeys": off})
    if on:
        aws.call("sqs", "TagQueue", {"QueueUrl": url, "Tags": on})


def _delete(aws: Aws, url: str, state: Properties) -> None:
    aws.drop("sqs", "DeleteQueue", {"QueueUrl": url}, _NONE, "QueueDoesNotExist")


def _put_policy(aws: Aws, inputs: Properties) -> str:
    aws.call("sqs", "SetQueueAttributes", {"QueueUrl": inputs["queueUrl"], "Attributes": {"Policy": inputs["policy"]}})
    return str(inputs["queueUrl"])


def _read_policy(aws: Aws, url: str, state: Properties) -> Properties | None:
    answer = aws.find(
        "sqs", "GetQueueAttributes", {"QueueUrl": url, "AttributeNames": ["Policy"]}, _NONE, "QueueDoesNotExist"
    )
    policy = (answer or {}).get("Attributes", {}).get("Policy")
    return {"policy": policy, "queueUrl": url} if policy else None


def _update_policy(aws: Aws, url: str, old: Properties, new: Properties) -> None:
    _put_policy(aws, new)


def _delete_policy(aws: Aws, url: str, state: Properties) -> None:
    aws.drop("sqs", "SetQueueAttributes", {"QueueUrl": url, "Attributes": {"Policy": ""}}, _NONE, "QueueDoesNotExist")


TYPES = (
    AwsType(
        name="aws:sqs/queue:Queue",
        inputs={
            "delaySeconds": Input(default=0),
            "fifoQueue": Input(replaces=True, default=False),
            "kmsDataKeyReusePeriodSeconds": PLAIN,
            "kmsMasterKeyId": PLAIN,
            "maxMessageSize": PLAIN,
            "messageRetentionSeconds": Input(default=345600),
            "name": FIXED,
            "namePrefix": FIXED,
            "policy": DOCUMENT,
            "receiveWaitTimeSeconds": Input(default=0),
            "redriveAllowPolicy": DOCUMENT,
            "redrivePolicy": DOCUMENT,
            "sqsManagedSseEnabled": PLAIN,
            "tags": PLAIN,
            "visibilityTimeoutSeconds": Input(default=30),
        },
        outputs=("arn", "url"),
        autoname=AutoName(limit=80),
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
    AwsType(
        name="aws:sqs/queuePolicy:QueuePolicy",
        inputs={"policy": DOCUMENT, "queueUrl": FIXED},
        singular=True,
        create=_put_policy,
        read=_read_policy,
        update=_update_policy,
        delete=_delete_policy,
    ),
)
