"""Answers of AWS: recorded ones for what moto lacks, moto's for the rest, and refusals on top.

Each recorded answer goes through botocore's own Stubber, so that a question or an answer which is not of AWS's shape
fails the test.
"""

import importlib
import re
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

ACCOUNT = "123456789012"
"""moto's."""
REGION = "us-west-2"
PLENTY = 100_000.0
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)

Answer = Mapping[str, Any] | Callable[[Mapping[str, Any]], Mapping[str, Any]]

VERSIONS = {
    "1.33": ("EXTENDED_SUPPORT", datetime(2026, 7, 29, tzinfo=UTC), datetime(2027, 7, 29, tzinfo=UTC)),
    "1.35": ("STANDARD_SUPPORT", datetime(2099, 3, 27, tzinfo=UTC), datetime(2100, 3, 27, tzinfo=UTC)),
}
ZONE_IDS = {f"{REGION}a": "usw2-az2", f"{REGION}b": "usw2-az1", f"{REGION}c": "usw2-az3"}
"""moto's."""


class Recorded:
    """What AWS answers in a test; by operation, such as `GetServiceQuota`."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {
            "GetServiceQuota": quota,
            "GetAWSDefaultServiceQuota": lambda asked: refusal("NoSuchResourceException"),
            "ListServiceQuotas": {"Quotas": []},
            "ListRequestedServiceQuotaChangeHistoryByQuota": {"RequestedQuotas": []},
            "DescribeCapacityReservations": {"CapacityReservations": []},
            "GetSpotPlacementScores": lambda asked: {
                "SpotPlacementScores": [
                    {"Region": region, "AvailabilityZoneId": zone, "Score": 8}
                    for region in asked["RegionNames"]
                    for zone in ZONE_IDS.values()
                ]
            },
            "DescribeClusterVersions": {
                "clusterVersions": [
                    {
                        "clusterVersion": version,
                        "versionStatus": status,
                        "endOfStandardSupportDate": standard,
                        "endOfExtendedSupportDate": extended,
                    }
                    for version, (status, standard, extended) in VERSIONS.items()
                ]
            },
            "GetParameter": lambda asked: {"Parameter": {"Name": asked["Name"], "Value": "ami-0aaaaaaaaaaaaaaaa"}},
        }
        self.refused: dict[str, str] = {}
        """Operation to the code with which AWS refuses it."""
        self.asked: list[tuple[str, str, Mapping[str, Any]]] = []
        """Service, operation, parameters."""
        self._lock = threading.Lock()

    def quota(self, code: str, value: float) -> None:
        """Let the account have so much of one quota, and plenty of all others."""
        before = self.answers["GetServiceQuota"]
        assert callable(before)
        self.answers["GetServiceQuota"] = lambda asked: (
            {"Quota": {**before(asked)["Quota"], "Value": value}} if asked["QuotaCode"] == code else before(asked)
        )

    def refuse(self, *operations: str, code: str = "AccessDeniedException") -> None:
        self.refused |= dict.fromkeys(operations, code)

    def install(self, monkeypatch: Any) -> None:
        """Take the place of every client's connection."""
        client: Any = importlib.import_module("botocore.client").BaseClient
        call, stub = client._make_api_call, importlib.import_module("botocore.stub").Stubber

        def answer(of: Any, operation: str, parameters: Mapping[str, Any]) -> Any:
            with self._lock:  # a stubbed client answers one question
                self.asked.append((of.meta.service_model.service_name, operation, parameters))
                if operation in self.refused:
                    raise refusal_error(self.refused[operation], operation)
                recorded = self.answers.get(operation)
                if recorded is None:
                    return call(of, operation, parameters)
                found = recorded(parameters) if callable(recorded) else recorded
                if "refusal" in found:
                    raise refusal_error(found["refusal"], operation)
                stubber = stub(of)
                stubber.add_response(_method(of, operation), found)
                with stubber:
                    return call(of, operation, parameters)

        monkeypatch.setattr(client, "_make_api_call", answer)


def quota(asked: Mapping[str, Any]) -> Mapping[str, Any]:
    """Plenty of everything."""
    code = asked["QuotaCode"]
    row = {"ServiceCode": asked["ServiceCode"], "QuotaCode": code, "QuotaName": f"name of {code}", "Value": PLENTY}
    return {"Quota": row}


def refusal(code: str) -> Mapping[str, Any]:
    """In place of an answer."""
    return {"refusal": code}


def refusal_error(code: str, operation: str) -> Exception:
    error: Any = importlib.import_module("botocore.exceptions").ClientError
    return error({"Error": {"Code": code, "Message": "no"}}, operation)


def reservation(id_: str, **changes: Any) -> dict[str, Any]:
    """A capacity reservation as EC2 describes it: eight p4d.24xlarge, active, in zone b, of this account."""
    return {
        "CapacityReservationId": id_,
        "OwnerId": ACCOUNT,
        "InstanceType": "p4d.24xlarge",
        "InstancePlatform": "Linux/UNIX",
        "AvailabilityZone": f"{REGION}b",
        "Tenancy": "default",
        "TotalInstanceCount": 8,
        "AvailableInstanceCount": 8,
        "State": "active",
        "EndDateType": "unlimited",
        "InstanceMatchCriteria": "targeted",
        "ReservationType": "default",
        **changes,
    }


def role(asked: Mapping[str, Any]) -> Mapping[str, Any]:
    """A service-linked role that is there; moto calls some of them by names that AWS does not use."""
    name = asked["RoleName"]
    arn = f"arn:aws:iam::{ACCOUNT}:role/aws-service-role/service.amazonaws.com/{name}"
    found = {"Path": "/", "RoleName": name, "RoleId": "AROA0123456789ABCDEF", "Arn": arn, "CreateDate": LONG_AGO}
    return {"Role": found}


def _method(client: Any, operation: str) -> str:
    found = {name: method for method, name in client.meta.method_to_api_mapping.items()}
    return found.get(operation) or re.sub(r"(?<!^)(?=[A-Z])", "_", operation).lower()
