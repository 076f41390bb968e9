"""What a quota really is in an account and a region, asked in as many ways as permissions allow."""

import shlex
from dataclasses import dataclass
from typing import Any

from gpufleet.facts import quotas
from gpufleet.facts.quotas import Quota
from gpufleet.preflight.asking import Aws
from gpufleet.preflight.results import CouldNotAsk

_ABSENT = "NoSuchResourceException"
_OPEN = ("PENDING", "CASE_OPENED")
GET = "servicequotas:GetServiceQuota"
LIST = "servicequotas:ListServiceQuotas"
DEFAULT = "servicequotas:GetAWSDefaultServiceQuota"
HISTORY = "servicequotas:ListRequestedServiceQuotaChangeHistoryByQuota"


@dataclass(frozen=True, kw_only=True)
class Applied:
    """A quota's value."""

    code: str
    name: str
    value: float
    default: bool
    """Whether it is AWS's default, because the account has none of its own."""


def of(aws: Aws, quota: Quota, instance_type: str = "") -> Applied:
    """The value of a quota; found by its name where no source tells the code.

    Args:
        aws: where to ask.
        quota: which.
        instance_type: that it is about, for a quota without a known code.

    Raises:
        CouldNotAsk: a permission is missing, or Service Quotas knows no such quota.
    """
    if quota.code is None:
        return _by_name(aws, quota, instance_type)
    code, client = quota.code, aws.client("service-quotas")
    try:
        answer = aws.ask(GET, lambda: client.get_service_quota(ServiceCode=quota.service, QuotaCode=code), _ABSENT)
    except CouldNotAsk as denied:
        if not denied.permission:
            raise
        return _from_list(aws, quota, denied)
    if answer is None:
        answer = aws.ask(
            DEFAULT, lambda: client.get_aws_default_service_quota(ServiceCode=quota.service, QuotaCode=code), _ABSENT
        )
        if answer is None:
            raise CouldNotAsk(f"Service Quotas knows no {code} ({quota.name}) in {aws.region}")
        return _applied(answer["Quota"], default=True)
    return _applied(answer["Quota"])


def _from_list(aws: Aws, quota: Quota, denied: CouldNotAsk) -> Applied:
    """Out of the list of all quotas of the service, which takes another permission."""
    try:
        listed = _listed(aws, quota.service)
    except CouldNotAsk:
        raise denied from None
    for row in listed:
        if row["QuotaCode"] == quota.code:
            return _applied(row)
    raise denied


def _by_name(aws: Aws, quota: Quota, instance_type: str) -> Applied:
    ending = quota.name.rpartition(" ")[2]
    for row in _listed(aws, quota.service):
        name = row["QuotaName"]
        if name == quota.name or (name.endswith(ending) and quotas.counts(name, instance_type)):
            return _applied(row)
    raise CouldNotAsk(f"no quota in {aws.region} has a name like {quota.name!r}, and no source tells its code")


def _listed(aws: Aws, service: str) -> list[Any]:
    return aws.listed(LIST, "service-quotas", "list_service_quotas", "Quotas", ServiceCode=service)


def _applied(row: Any, *, default: bool = False) -> Applied:
    return Applied(code=row["QuotaCode"], name=row["QuotaName"], value=row["Value"], default=default)


def increase(aws: Aws, service: str, code: str, wanted: int) -> str:
    """What to do about a quota that is too small: the request, and whether one is under way already."""
    arguments = ["--region", aws.region, "--service-code", service, "--quota-code", code]
    command = shlex.join(
        ["aws", "service-quotas", "request-service-quota-increase", *arguments, "--desired-value", str(wanted)]
    )
    return f"{command}{_under_way(aws, service, code)}"


def _under_way(aws: Aws, service: str, code: str) -> str:
    operation = "list_requested_service_quota_change_history_by_quota"
    try:
        asked = aws.listed(HISTORY, "service-quotas", operation, "RequestedQuotas", ServiceCode=service, QuotaCode=code)
    except CouldNotAsk:
        return ""  # Only adds to an answer that stands without it.
    values = [f"{one['DesiredValue']:g} ({one['Status']})" for one in asked if one["Status"] in _OPEN]
    return f"\nasked for already: {', '.join(values)}" if values else ""
