"""Requests from Pulumi's inputs by the shapes of botocore's models."""

import importlib
from typing import Any

import pytest

from gpufleet.rehearsal.aws import requests
from gpufleet.rehearsal.aws.errors import RehearsalError, UnknownInput


@pytest.fixture(scope="module")
def session() -> Any:
    return importlib.import_module("botocore.session").get_session()


def _shape(session: Any, service: str, operation: str) -> Any:
    return session.get_service_model(service).operation_model(operation).input_shape


def test_case_and_plural_are_all_that_differs_for_most_members(session: Any) -> None:
    group = {"clusterName": "c", "nodegroupName": "g", "subnets": ["s"], "nodeRole": "r", "instanceType": ["g6.xlarge"]}
    request = requests.build(_shape(session, "eks", "CreateNodegroup"), group)
    assert request == {**{k: v for k, v in group.items() if k != "instanceType"}, "instanceTypes": ["g6.xlarge"]}


def test_text_and_whole_numbers_become_what_the_member_is(session: Any) -> None:
    ebs = {"encrypted": "true", "deleteOnTermination": False, "volumeSize": 200.0}
    data = {"blockDeviceMappings": [{"deviceName": "/dev/xvda", "ebs": ebs}]}
    template = {"launchTemplateName": "t", "launchTemplateData": data}
    request = requests.build(_shape(session, "ec2", "CreateLaunchTemplate"), template)
    assert request["LaunchTemplateData"]["BlockDeviceMappings"][0]["Ebs"] == {
        "Encrypted": True,
        "DeleteOnTermination": False,
        "VolumeSize": 200,
    }


@pytest.mark.parametrize(
    ("service", "operation", "member", "expected"),
    [
        ("iam", "TagRole", "Tags", [{"Key": "a", "Value": "1"}, {"Key": "b", "Value": "2"}]),
        ("kms", "TagResource", "Tags", [{"TagKey": "a", "TagValue": "1"}, {"TagKey": "b", "TagValue": "2"}]),
        ("eks", "TagResource", "tags", {"a": "1", "b": "2"}),
    ],
)
def test_a_map_of_tags_becomes_what_the_service_has(
    session: Any, service: str, operation: str, member: str, expected: object
) -> None:
    request = requests.build(_shape(session, service, operation), {"tags": {"b": "2", "a": "1"}})
    assert request == {member: expected}


def test_a_rename_is_for_its_path_alone(session: Any) -> None:
    data = {"networkInterfaces": [{"deviceIndex": 0, "securityGroups": ["sg-1"]}]}
    renames = {"launchTemplateData.networkInterfaces.securityGroups": "Groups"}
    shape = _shape(session, "ec2", "CreateLaunchTemplate")
    request = requests.build(shape, {"launchTemplateData": data}, renames)
    assert request["LaunchTemplateData"]["NetworkInterfaces"] == [{"DeviceIndex": 0, "Groups": ["sg-1"]}]


def test_what_is_none_is_left_out(session: Any) -> None:
    assert requests.build(_shape(session, "ec2", "CreateVpc"), {"cidrBlock": None}) == {}


def test_an_unknown_member_is_refused_with_its_path_and_those_there_are(session: Any) -> None:
    config = {"name": "c", "resourcesVpcConfig": {"endpointPublic": True}}
    with pytest.raises(UnknownInput, match=r"resourcesVpcConfig\.endpointPublic: .*it has .*endpointPublicAccess"):
        requests.build(_shape(session, "eks", "CreateCluster"), config)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"diskSize": "large"}, "diskSize: 'large' is not a value of AWS's BoxedInteger"),
        ({"capacityType": "CHEAP"}, "capacityType: 'CHEAP' .* expected one of ON_DEMAND, SPOT"),
        ({"scalingConfig": [1]}, r"scalingConfig: \[1\] is not an object"),
        ({"nodeRole": {"arn": "x"}}, "nodeRole: .* expected text"),
    ],
)
def test_a_value_of_another_type_is_refused(session: Any, value: dict[str, Any], message: str) -> None:
    with pytest.raises(RehearsalError, match=message):
        requests.build(_shape(session, "eks", "CreateNodegroup"), value)


def test_an_instance_type_newer_than_the_installed_model_is_let_through(session: Any) -> None:
    data = {"launchTemplateData": {"instanceType": "p9.48xlarge"}}
    request = requests.build(_shape(session, "ec2", "CreateLaunchTemplate"), data)
    assert request == {"LaunchTemplateData": {"InstanceType": "p9.48xlarge"}}
