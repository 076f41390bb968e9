"""How long a policy document is by AWS's count, and how long it may be.

IAM: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html (white space does not count); the rest
from the quota pages of S3, KMS and VPC; read 2026-11-30.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from ._reading import UNKNOWN, elements, entries

LIMITS: Final[Mapping[str, tuple[str, int]]] = {
    "aws:iam/policy:Policy": ("policy", 6_144),
    "aws:iam/role:Role": ("assumeRolePolicy", 2_048),
    "aws:s3/bucketPolicy:BucketPolicy": ("policy", 20_480),
    "aws:kms/key:Key": ("policy", 32_768),
    "aws:kms/keyPolicy:KeyPolicy": ("policy", 32_768),
    "aws:ec2/vpcEndpoint:VpcEndpoint": ("policy", 20_480),
}
"""By type: the property that holds the document, and its longest length in characters."""

INLINE_TOTALS: Final[Mapping[str, tuple[str, str, int]]] = {
    "aws:iam/rolePolicy:RolePolicy": ("role", "aws:iam/role:Role", 10_240),
    "aws:iam/groupPolicy:GroupPolicy": ("group", "aws:iam/group:Group", 5_120),
    "aws:iam/userPolicy:UserPolicy": ("user", "aws:iam/user:User", 2_048),
}
"""By type of inline policy: the property that names whose it is, that type, and the limit of all of them together."""


def length(document: Any) -> int:
    """Return the number of characters without white space; of what is not known yet, the least it can be: none."""
    text = document if isinstance(document, str) else json.dumps(_plain(document))
    return len("".join(text.split()))


def _plain(value: Any) -> Any:
    if value is UNKNOWN:
        return ""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in entries(value).items()}
    return (
        value if value is None or isinstance(value, str | bool | int | float) else [_plain(v) for v in elements(value)]
    )
