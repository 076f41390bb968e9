"""Launch templates: an update makes a new version, and `updateDefaultVersion` makes it the default."""

from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.table import FIXED, PLAIN, SET, AutoName, AwsType, Properties
from gpufleet.rehearsal.aws.tags import mapped, retag_ec2

# What the template says of the instances; all of it is one structure of the API, LaunchTemplateData.
_DATA = {
    "blockDeviceMappings": PLAIN,
    "capacityReservationSpecification": PLAIN,
    "cpuOptions": PLAIN,
    "creditSpecification": PLAIN,
    "disableApiStop": PLAIN,
    "disableApiTermination": PLAIN,
    "ebsOptimized": PLAIN,
    "enclaveOptions": PLAIN,
    "hibernationOptions": PLAIN,
    "iamInstanceProfile": PLAIN,
    "imageId": PLAIN,
    "instanceInitiatedShutdownBehavior": PLAIN,
    "instanceMarketOptions": PLAIN,
    "instanceRequirements": PLAIN,
    "instanceType": PLAIN,
    "kernelId": PLAIN,
    "keyName": PLAIN,
    "licenseSpecifications": SET,
    "maintenanceOptions": PLAIN,
    "metadataOptions": PLAIN,
    "monitoring": PLAIN,
    "networkInterfaces": PLAIN,
    "networkPerformanceOptions": PLAIN,
    "placement": PLAIN,
    "privateDnsNameOptions": PLAIN,
    "ramDiskId": PLAIN,
    "securityGroupNames": SET,
    "tagSpecifications": PLAIN,
    "userData": PLAIN,
    "vpcSecurityGroupIds": SET,
}
_RENAMES = {
    "launchTemplateData.networkInterfaces.securityGroups": "Groups",
    "launchTemplateData.securityGroupNames": "SecurityGroups",
    "launchTemplateData.vpcSecurityGroupIds": "SecurityGroupIds",
}


# moto answers an unknown id with the second, which AWS has for unknown names.
_NONE = ("InvalidLaunchTemplateId.NotFound", "InvalidLaunchTemplateName.NotFoundException")


def _version(inputs: Properties) -> dict[str, Any]:
    data = {name: inputs[name] for name in _DATA if inputs.get(name) not in (None, [], {})}
    return {"launchTemplateData": data, "versionDescription": inputs.get("description")}


def _create(aws: Aws, inputs: Properties) -> str:
    answer = aws.call(
        "ec2", "CreateLaunchTemplate", {"LaunchTemplateName": inputs["name"], **_version(inputs)}, _RENAMES
    )
    template_id = str(answer["LaunchTemplate"]["LaunchTemplateId"])
    # Not by TagSpecifications: moto would add the template's own tags to those of the instances.
    retag_ec2(aws, template_id, {}, inputs)
    return template_id


def _read(aws: Aws, template_id: str, state: Properties) -> Properties | None:
    asked = {"LaunchTemplateIds": [template_id]}
    template = aws.first("ec2", "DescribeLaunchTemplates", asked, "LaunchTemplates", *_NONE)
    if template is None:
        return None
    tags = aws.call("ec2", "DescribeTags", {"Filters": [{"Name": "resource-id", "Values": [template_id]}]})["Tags"]
    return {
        "arn": aws.arn("ec2", f"launch-template/{template_id}"),
        "defaultVersion": template["DefaultVersionNumber"],
        "latestVersion": template["LatestVersionNumber"],
        "name": template["LaunchTemplateName"],
        "tagsAll": mapped(tags),
    }


def _update(aws: Aws, template_id: str, old: Properties, new: Properties) -> None:
    template = {"LaunchTemplateId": template_id}
    if _version(old) != _version(new):
        made = aws.call("ec2", "CreateLaunchTemplateVersion", {**template, **_version(new)}, _RENAMES)
        if new.get("updateDefaultVersion"):
            latest = str(made["LaunchTemplateVersion"]["VersionNumber"])
            aws.call("ec2", "ModifyLaunchTemplate", {**template, "DefaultVersion": latest})
    if new.get("defaultVersion") and new["defaultVersion"] != old.get("defaultVersion"):
        aws.call("ec2", "ModifyLaunchTemplate", {**template, "DefaultVersion": str(new["defaultVersion"])})
    retag_ec2(aws, template_id, old, new)


def _delete(aws: Aws, template_id: str, state: Properties) -> None:
    aws.drop("ec2", "DeleteLaunchTemplate", {"LaunchTemplateId": template_id}, *_NONE)


TYPES = (
    AwsType(
        name="aws:ec2/launchTemplate:LaunchTemplate",
        inputs={
            **_DATA,
            "defaultVersion": PLAIN,
            "description": PLAIN,
            "name": FIXED,
            "namePrefix": FIXED,
            "tags": PLAIN,
            "updateDefaultVersion": PLAIN,
        },
        outputs=("arn", "defaultVersion", "latestVersion"),
        moving=("defaultVersion", "latestVersion"),
        autoname=AutoName(limit=128),
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)
