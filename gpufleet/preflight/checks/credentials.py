"""Whether the credentials are of the account that the program may touch."""

from gpufleet.preflight.identities import Caller
from gpufleet.preflight.places import Place
from gpufleet.preflight.results import Result, failed, passed

NAME = "credentials"
PERMISSIONS = ("sts:GetCallerIdentity",)


def judge(place: Place, caller: Caller) -> Result:
    """Hold who asks against the provider's `allowedAccountIds`."""
    allowed = place.identity.account_ids
    evidence = {"caller": caller.arn, "account": caller.account_id, "allowed": list(allowed)}
    if not allowed:
        return passed(
            f"{caller.arn} is of account {caller.account_id}; the provider names no account to hold it against",
            "set allowedAccountIds of the provider, so that a wrong profile can do no harm",
            **evidence,
        )
    if caller.account_id in allowed:
        return passed(f"{caller.arn} is of account {caller.account_id}", **evidence)
    return failed(
        f"the credentials are of account {caller.account_id} ({caller.arn}); the provider allows {', '.join(allowed)}",
        "take that account's credentials: AWS_PROFILE=NAME, or aws sso login",
        **evidence,
    )
