"""For the External Secrets Operator: exactly the secrets and parameters that are named."""

from collections.abc import Sequence

import pulumi

from ..exact_names import arn
from ..statements import Statement
from . import key_use
from .place import Place


def statements(
    place: Place,
    secret_arns: Sequence[pulumi.Input[str]] = (),
    parameter_arns: Sequence[pulumi.Input[str]] = (),
    key_arns: Sequence[pulumi.Input[str]] = (),
) -> list[Statement]:
    """Read the secrets of Secrets Manager and the parameters of Systems Manager, decrypted under the keys.

    Nothing is listed or found by name pattern: an `ExternalSecret` that asks for another one is refused by AWS.

    Raises:
        ValueError: neither a secret nor a parameter is named.
    """
    if not secret_arns and not parameter_arns:
        raise ValueError("secret_arns, parameter_arns: both are empty; name what may be read, or leave the grant out")
    granted: list[Statement] = []
    if secret_arns:
        granted.append(
            Statement(
                sid="ReadNamedSecrets",
                actions=[
                    "secretsmanager:DescribeSecret",
                    "secretsmanager:GetResourcePolicy",
                    "secretsmanager:GetSecretValue",
                    "secretsmanager:ListSecretVersionIds",
                ],
                resources=[arn("secret_arns", secret) for secret in secret_arns],
            )
        )
    if parameter_arns:
        granted.append(
            Statement(
                sid="ReadNamedParameters",
                actions=["ssm:GetParameter", "ssm:GetParameters"],
                resources=[arn("parameter_arns", parameter) for parameter in parameter_arns],
            )
        )
    services = ["secretsmanager"] * bool(secret_arns) + ["ssm"] * bool(parameter_arns)
    return [*granted, *key_use.to_decrypt(place, services, key_arns)]
