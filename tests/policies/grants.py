"""IAM policies for the rules about identity."""

from typing import Any

import pulumi_aws as aws


def statement(actions: Any, resources: Any, **more: Any) -> dict[str, Any]:
    """Return an Allow statement."""
    return {"Effect": "Allow", "Action": actions, "Resource": resources, **more}


def role_policy(*statements: Any) -> None:
    """Attach the statements to a role as the policy `policy`."""
    document: Any = {"Version": "2012-10-17", "Statement": list(statements)}
    aws.iam.RolePolicy("policy", role="role", policy=document)
