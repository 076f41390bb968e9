"""IAM documents: a statement says what it is for, and a wildcard says why.

Used for role policies, trust policies, and the policies of keys, buckets and VPC endpoints alike. Values may be
outputs of other resources; the document is then an output that depends on them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pulumi

TRUST_LIMIT, MANAGED_LIMIT, INLINE_LIMIT = 2_048, 6_144, 10_240
"""Characters without white space. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html"""
BUCKET_LIMIT, ENDPOINT_LIMIT, KEY_LIMIT = 20_480, 20_480, 32_768
"""https://docs.aws.amazon.com/AmazonS3/latest/userguide/example-bucket-policies.html and the quota pages of VPC and
KMS."""

Values = pulumi.Input[str] | Sequence[pulumi.Input[str]]
"""One value or several, of a principal or a condition."""


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One statement of a document."""

    sid: str
    """Letters and digits; says the intent: `TerminateOwnInstances`."""
    actions: Sequence[str]
    resources: Sequence[pulumi.Input[str]] = ()
    """Empty only in a trust policy, which is about the role it stands in."""
    principals: Mapping[str, Values] = field(default_factory=dict[str, Values])
    """`{"Service": ...}`, `{"AWS": ...}`; empty in the policy of an identity."""
    conditions: Mapping[str, Mapping[str, Values]] = field(default_factory=dict[str, Mapping[str, Values]])
    """Operator -> condition key -> value or values."""
    effect: str = "Allow"
    because: str = ""
    """Why `*` stands as a resource, or at the end of an action; such a statement is refused without it."""

    def __post_init__(self) -> None:
        if not self.sid.isalnum():
            raise ValueError(f"sid: {self.sid!r} must be letters and digits that say the intent, such as ReadOwnBucket")
        if self.effect not in ("Allow", "Deny"):
            raise ValueError(f"{self.sid}: effect {self.effect!r} must be Allow or Deny")
        if not self.actions:
            raise ValueError(f"{self.sid}: names no action")
        if not self.resources and not self.principals:
            raise ValueError(
                f"{self.sid}: names neither resources nor principals; only a trust policy goes without resources"
            )
        if not self.because and ("*" in self.resources or any(a == "*" or a.endswith(":*") for a in self.actions)):
            raise ValueError(
                f'{self.sid}: a wildcard needs its reason; add because="..." or name actions and resources'
            )
        if "iam:PassRole" in self.actions and "iam:PassedToService" not in json.dumps(list(_keys(self.conditions))):
            raise ValueError(
                f"{self.sid}: iam:PassRole needs the condition iam:PassedToService, naming the one service"
            )

    def as_dict(self) -> dict[str, Any]:
        """The statement as IAM writes it; keys, actions and conditions in an order that does not change."""
        parts: dict[str, Any] = {
            "Sid": self.sid,
            "Effect": self.effect,
            "Principal": "*" if self.principals.get("AWS") == "*" else dict(sorted(self.principals.items())),
            "Action": sorted(set(self.actions)),
            "Resource": list(self.resources),
            "Condition": {key: dict(sorted(value.items())) for key, value in sorted(self.conditions.items())},
        }
        return {key: value for key, value in parts.items() if value}


def document(*statements: Statement, limit: int = INLINE_LIMIT) -> pulumi.Output[str]:
    """The statements as one JSON document.

    Raises:
        ValueError: two statements share a sid, or the document is longer than `limit` characters. Where a value is the
        output of a resource, the length is checked as soon as that is known, and the program fails then.
    """
    sids = [statement.sid for statement in statements]
    if len(set(sids)) != len(sids):
        raise ValueError(f"sids must differ within a document, got {', '.join(sids)}")
    body = {"Version": "2012-10-17", "Statement": [statement.as_dict() for statement in statements]}
    what = f"the document of {', '.join(sids)}"
    if _is_plain(body):
        within(json.dumps(body), limit, what)
    return pulumi.Output.json_dumps(body).apply(lambda text: within(text, limit, what))


def managed(parts: Mapping[str, Sequence[Statement]]) -> dict[str, pulumi.Output[str]]:
    """Each part of a grant, by its name, as the document of one managed policy.

    Raises:
        ValueError: as `document`, with the limit of managed policies.
    """
    return {name: document(*statements, limit=MANAGED_LIMIT) for name, statements in parts.items()}


def within(text: str, limit: int, what: str) -> str:
    """`text` again, if AWS takes it: it counts characters without white space.

    Raises:
        ValueError: it is longer than `limit`; `what` names it in the message.
    """
    if (size := len("".join(text.split()))) > limit:
        raise ValueError(f"{what} has {size} characters, allowed are {limit}; split it")
    return text


def joined(*parts: pulumi.Input[str]) -> pulumi.Input[str]:
    """The parts as one string; plain if all of them are, so that a preview knows and measures it."""
    plain = [part for part in parts if isinstance(part, str)]
    return "".join(plain) if len(plain) == len(parts) else pulumi.Output.concat(*parts)


def trust(
    *services: str,
    conditions: Mapping[str, Mapping[str, Values]] | None = None,
    actions: Sequence[str] = ("sts:AssumeRole",),
) -> pulumi.Output[str]:
    """The trust policy of a role that the given service principals may assume."""
    statement = Statement(
        sid="ServiceAssumesRole",
        actions=actions,
        principals={"Service": services[0] if len(services) == 1 else services},
        conditions=conditions or {},
    )
    return document(statement, limit=TRUST_LIMIT)


def pod_identity_trust(
    account_id: str,
    cluster_arn: pulumi.Input[str],
    namespace: str | None = None,
    service_account: str | None = None,
) -> pulumi.Output[str]:
    """The trust policy of a role that pods of one cluster take on through EKS Pod Identity.

    With a namespace and a service account nobody can associate the role with another one. Without `sts:TagSession` the
    agent is refused: it tags each session with the pod it is for.
    https://docs.aws.amazon.com/eks/latest/userguide/pod-id-role.html
    """
    pod = {"kubernetes-namespace": namespace, "kubernetes-service-account": service_account}
    return trust(
        "pods.eks.amazonaws.com",
        actions=("sts:AssumeRole", "sts:TagSession"),
        conditions={
            "StringEquals": {
                "aws:SourceAccount": account_id,
                **{f"aws:RequestTag/{tag}": value for tag, value in pod.items() if value is not None},
            },
            "ArnEquals": {"aws:SourceArn": cluster_arn},
        },
    )


def _keys(conditions: Mapping[str, Mapping[str, Values]]) -> list[str]:
    return [key for tests in conditions.values() for key in tests]


def _is_plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_is_plain(item) for item in value.values())  # pyright: ignore[reportUnknownVariableType] -- any JSON
    if isinstance(value, list | tuple):
        return all(_is_plain(item) for item in value)  # pyright: ignore[reportUnknownVariableType] -- any JSON
    return isinstance(value, str)
