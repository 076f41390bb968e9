"""Who may have data keys for encryption before anything leaves the process; docs/guides/client-side-encryption.md."""

from collections.abc import Mapping

import pulumi

from ..identity.statements import Statement


def statements(key_arn: pulumi.Input[str], context: Mapping[str, str], *, read_only: bool = False) -> list[Statement]:
    """The right to have data keys made under a key, and opened, for one encryption context.

    KMS binds the context to the data key and writes it into CloudTrail: what was encrypted for `{"workspace":
    "vision"}` opens for nobody who is not granted `vision`, though the KMS key is the same. The bucket's own use of the
    key has another context (the bucket), so this opens no object that somebody else put there.

    Raises:
        ValueError: the context is empty, which would let everything be opened.
    """
    if not context:
        raise ValueError('context: is empty; name at least whose data it is, such as {"workspace": "vision"}')
    exact = {f"kms:EncryptionContext:{key}": value for key, value in sorted(context.items())}
    # Without the list of keys a caller could add to the context, and CloudTrail would show what nobody agreed on.
    conditions = {"StringEquals": exact, "ForAllValues:StringEquals": {"kms:EncryptionContextKeys": sorted(context)}}
    return [
        Statement(
            sid="DataKeysForContext",
            actions=["kms:Decrypt"] if read_only else ["kms:Decrypt", "kms:GenerateDataKey"],
            resources=[key_arn],
            conditions=conditions,
        )
    ]
