"""Every action we grant or refuse exists."""

import json
from fnmatch import fnmatch
from typing import Any

import pytest

from tests.components import builds
from tests.harness import record

BUILDS = {
    "network": builds.network(egress="none", endpoints=["ec2", "ecr.api", "ecr.dkr", "eks", "eks-auth", "logs", "sts"]),
    "key": builds.key(service_principals=["logs"], for_node_volumes=True),
    "node role": builds.node_role(),
    "bucket": builds.bucket(),
    "cluster": builds.cluster(),
}


def documents(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for resource in record(BUILDS[name]).resources:
        found += [json.loads(resource.inputs[key]) for key in ("policy", "assumeRolePolicy") if key in resource.inputs]
    return found


@pytest.mark.parametrize("name", BUILDS)
def test_every_action_exists(name: str) -> None:
    from policy_sentry.querying.actions import get_actions_for_service  # slow to import

    actions = {a for document in documents(name) for statement in document["Statement"] for a in statement["Action"]}
    assert actions
    for action in actions - {"*"}:
        known = get_actions_for_service(action.split(":")[0])
        assert any(fnmatch(one.lower(), action.lower()) for one in known), action
