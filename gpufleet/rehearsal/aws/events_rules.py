"""EventBridge rules and their targets."""

from hashlib import sha256
from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.table import DOCUMENT, FIXED, PLAIN, AutoName, AwsType, Input, Properties, pick
from gpufleet.rehearsal.aws.tags import changes, mapped

_NONE = "ResourceNotFoundException"
_BUS = "default"
"""The bus on which AWS's own services say what happens; others are named in the rule."""

_SETTINGS = ("description", "eventPattern", "roleArn", "scheduleExpression", "state")
_TARGET_SETTINGS = ("arn", "deadLetterConfig", "input", "inputPath", "inputTransformer", "retryPolicy", "roleArn")
_TARGET_NAMES = {"sqsTarget": "SqsParameters"}


def _state(inputs: Properties) -> dict[str, Any]:
    """Return the state, which old programs give as a boolean."""
    return {"state": "ENABLED" if inputs["isEnabled"] else "DISABLED"} if "isEnabled" in inputs else {}


def _on(inputs: Properties) -> dict[str, Any]:
    return {"EventBusName": inputs.get("eventBusName", _BUS)}


def _put(aws: Aws, inputs: Properties) -> str:
    rule = {"Name": inputs["name"], **_on(inputs), **pick(inputs, *_SETTINGS), **_state(inputs)}
    aws.call("events", "PutRule", rule)
    return str(inputs["name"])


def _create(aws: Aws, inputs: Properties) -> str:
    name = _put(aws, inputs)
    if tags := aws.tags(inputs):
        arn = aws.call("events", "DescribeRule", {"Name": name, **_on(inputs)})["Arn"]
        aws.call("events", "TagResource", {"ResourceARN": arn, "Tags": tags})
    bus = inputs.get("eventBusName", _BUS)
    return name if bus == _BUS else f"{bus}/{name}"


def _read(aws: Aws, rule_id: str, state: Properties) -> Properties | None:
    name = rule_id.rsplit("/", 1)[-1]
    rule = aws.find("events", "DescribeRule", {"Name": name, **_on(state)}, _NONE)
    if rule is None:
        return None
    tags = aws.call("events", "ListTagsForResource", {"ResourceARN": rule["Arn"]})["Tags"]
    return {"arn": rule["Arn"], "name": name, "tagsAll": mapped(tags)}


def _update(aws: Aws, rule_id: str, old: Properties, new: Properties) -> None:
    _put(aws, new)
    off, on = changes(aws, old, new)
    if off:
        aws.call("events", "UntagResource", {"ResourceARN": old["arn"], "TagKeys": off})
    if on:
        aws.call("events", "TagResource", {"ResourceARN": old["arn"], "Tags": on})


def _delete(aws: Aws, rule_id: str, state: Properties) -> None:
    name = {"Name": rule_id.rsplit("/", 1)[-1], **_on(state)}
    if state.get("forceDestroy"):
        found = aws.find("events", "ListTargetsByRule", {"Rule": name["Name"], **_on(state)}, _NONE)
        if targets := [target["Id"] for target in (found or {}).get("Targets", [])]:
            aws.call("events", "RemoveTargets", {"Rule": name["Name"], **_on(state), "Ids": targets})
    aws.drop("events", "DeleteRule", name, _NONE)


def _target_id(inputs: Properties) -> str:
    """Return the target's name within the rule; where the program gives none the provider makes one up."""
    made_up = sha256(f"{inputs['rule']} {inputs['arn']}".encode()).hexdigest()[:26]
    return str(inputs.get("targetId") or f"terraform-{made_up}")


def _put_target(aws: Aws, inputs: Properties) -> str:
    target = {"Id": _target_id(inputs), **pick(inputs, *_TARGET_SETTINGS, "sqsTarget")}
    renamed = {_TARGET_NAMES.get(name, name): value for name, value in target.items()}
    aws.call("events", "PutTargets", {"Rule": inputs["rule"], **_on(inputs), "Targets": [renamed]})
    return f"{inputs['rule']}-{target['Id']}"


def _read_target(aws: Aws, target_id: str, state: Properties) -> Properties | None:
    name = target_id.removeprefix(f"{state['rule']}-")
    found = aws.find("events", "ListTargetsByRule", {"Rule": state["rule"], **_on(state)}, _NONE)
    targets: list[dict[str, Any]] = (found or {}).get("Targets", [])
    target = next((target for target in targets if target["Id"] == name), None)
    return None if target is None else {"arn": target["Arn"], "rule": state["rule"], "targetId": name}


def _update_target(aws: Aws, target_id: str, old: Properties, new: Properties) -> None:
    _put_target(aws, {**new, "targetId": old["targetId"]})


def _delete_target(aws: Aws, target_id: str, state: Properties) -> None:
    asked = {"Rule": state["rule"], **_on(state), "Ids": [state["targetId"]]}
    aws.drop("events", "RemoveTargets", asked, _NONE)


TYPES = (
    AwsType(
        name="aws:cloudwatch/eventRule:EventRule",
        inputs={
            "description": PLAIN,
            "eventBusName": Input(replaces=True, default=_BUS),
            "eventPattern": DOCUMENT,
            "forceDestroy": Input(default=False),
            "isEnabled": PLAIN,
            "name": FIXED,
            "namePrefix": FIXED,
            "roleArn": PLAIN,
            "scheduleExpression": PLAIN,
            "state": PLAIN,
            "tags": PLAIN,
        },
        outputs=("arn",),
        autoname=AutoName(limit=64),
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
    AwsType(
        name="aws:cloudwatch/eventTarget:EventTarget",
        inputs={
            "arn": PLAIN,
            "deadLetterConfig": PLAIN,
            "eventBusName": Input(replaces=True, default=_BUS),
            "forceDestroy": Input(default=False),
            "input": PLAIN,
            "inputPath": PLAIN,
            "inputTransformer": PLAIN,
            "retryPolicy": PLAIN,
            "roleArn": PLAIN,
            "rule": FIXED,
            "sqsTarget": PLAIN,
            "targetId": FIXED,
        },
        outputs=("targetId",),
        create=_put_target,
        read=_read_target,
        update=_update_target,
        delete=_delete_target,
    ),
)
