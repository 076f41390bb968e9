"""Who may send to a queue or a topic, and in the clear or not."""

from collections.abc import Iterator
from typing import Any

from ._documents import Statement, open_statements, statements
from ._reading import UNKNOWN


def faults(policy: Any) -> Iterator[str]:
    """Yield what is wrong with the policy of a queue or topic; nothing while it is not known."""
    if policy is None or policy is UNKNOWN:
        return
    found = statements(policy)
    if found is None:
        yield "cannot be read as a policy document; it must be JSON with a Statement."
        return
    for statement, how in open_statements(policy):
        yield f"{statement.label}: {how}; it must name the principals, or demand aws:SourceArn or aws:PrincipalOrgID."
    if not any(map(_refuses_plain_text, found)):
        yield "does not refuse plain HTTP; it must deny everyone everything where aws:SecureTransport is false."


def _refuses_plain_text(statement: Statement) -> bool:
    if statement.effect is UNKNOWN or statement.conditions is None:
        return True
    return (
        statement.effect == "Deny"
        and statement.anyone in (True, UNKNOWN)
        and len(statement.conditions) == 1
        and statement.conditions[0].key == "aws:securetransport"
        and statement.conditions[0].operator == "Bool"
        and all(value is UNKNOWN or str(value).lower() == "false" for value in statement.conditions[0].values)
    )
