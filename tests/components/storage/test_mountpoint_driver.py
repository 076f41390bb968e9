import json

from tests.components.builds import ACCOUNT
from tests.components.storage import compositions
from tests.harness import record

ADDON = "aws:eks/addon:Addon"


def test_the_driver_runs_wherever_there_are_gpus_in_the_version_that_eks_chooses() -> None:
    inputs = dict(record(compositions.mountpoint_driver()).one(ADDON).inputs)

    assert json.loads(inputs.pop("configurationValues")) == {"node": {"tolerateAllTaints": True}}
    assert inputs == {
        "clusterName": "demo",
        "addonName": "aws-mountpoint-s3-csi-driver",
        "resolveConflictsOnCreate": "OVERWRITE",
        "resolveConflictsOnUpdate": "OVERWRITE",
    }


def test_a_role_of_the_driver_comes_by_pod_identity() -> None:
    role = f"arn:aws:iam::{ACCOUNT}:role/mountpoint"
    inputs = record(compositions.mountpoint_driver(role_arn=role, addon_version="v2.7.0-eksbuild.1")).one(ADDON).inputs

    assert inputs["podIdentityAssociations"] == [{"roleArn": role, "serviceAccount": "s3-csi-driver-sa"}]
    assert inputs["addonVersion"] == "v2.7.0-eksbuild.1"
    assert "serviceAccountRoleArn" not in inputs
