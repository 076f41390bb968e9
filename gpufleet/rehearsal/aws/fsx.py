"""FSx for Lustre file systems and the buckets they are linked to."""

from hashlib import sha256
from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.table import FIXED, FIXED_SET, PLAIN, AwsType, Input, Properties, pick
from gpufleet.rehearsal.aws.tags import changes, mapped

_NONE = "FileSystemNotFound"
_CHANGEABLE = (
    "autoImportPolicy",
    "automaticBackupRetentionDays",
    "dailyAutomaticBackupStartTime",
    "dataCompressionType",
    "dataReadCacheConfiguration",
    "logConfiguration",
    "metadataConfiguration",
    "perUnitStorageThroughput",
    "rootSquashConfiguration",
    "throughputCapacity",
    "weeklyMaintenanceStartTime",
)
_FOR_GOOD = (
    "copyTagsToBackups",
    "deploymentType",
    "driveCacheType",
    "efaEnabled",
    "exportPath",
    "importPath",
    "importedFileChunkSize",
)
_MOUNT_NAME_LENGTH = 8


def _create(aws: Aws, inputs: Properties) -> str:
    around = ("fileSystemTypeVersion", "kmsKeyId", "securityGroupIds", "storageCapacity", "storageType", "subnetIds")
    system = {
        "FileSystemType": "LUSTRE",
        **pick(inputs, *around),
        "LustreConfiguration": pick(inputs, *_CHANGEABLE, *_FOR_GOOD),
        "Tags": aws.tags(inputs) or None,
    }
    # FSx has a subnet to be there before it places an interface in it; moto takes any name.
    aws.call("ec2", "DescribeSubnets", {"SubnetIds": inputs["subnetIds"]})
    return str(aws.call("fsx", "CreateFileSystem", system)["FileSystem"]["FileSystemId"])


def _read(aws: Aws, system_id: str, state: Properties) -> Properties | None:
    found = aws.first("fsx", "DescribeFileSystems", {"FileSystemIds": [system_id]}, "FileSystems", _NONE)
    if found is None:
        return None
    subnet = aws.first("ec2", "DescribeSubnets", {"SubnetIds": found["SubnetIds"]}, "Subnets") or {}
    return {
        "arn": aws.arn("fsx", f"file-system/{system_id}"),
        "dnsName": f"{system_id}.fsx.{aws.region}.{aws.dns_suffix}",
        "mountName": sha256(system_id.encode()).hexdigest()[:_MOUNT_NAME_LENGTH],
        "networkInterfaceIds": [],
        "ownerId": aws.account_id,
        "storageCapacity": state.get("storageCapacity") or found["StorageCapacity"],
        "storageType": found["StorageType"],
        "vpcId": subnet.get("VpcId"),
        "tagsAll": mapped(found.get("Tags", [])),
    }


def _update(aws: Aws, system_id: str, old: Properties, new: Properties) -> None:
    changed: dict[str, Any] = {name: new[name] for name in _CHANGEABLE if name in new and new[name] != old.get(name)}
    grown = pick(new, "storageCapacity") if new.get("storageCapacity") != old.get("storageCapacity") else {}
    if changed or grown:
        system = {"FileSystemId": system_id, **grown, "LustreConfiguration": changed or None}
        aws.call("fsx", "UpdateFileSystem", system)
    _retag(aws, aws.arn("fsx", f"file-system/{system_id}"), old, new)


def _retag(aws: Aws, arn: str, old: Properties, new: Properties) -> None:
    off, on = changes(aws, old, new)
    if off:
        aws.call("fsx", "UntagResource", {"ResourceARN": arn, "TagKeys": off})
    if on:
        aws.call("fsx", "TagResource", {"ResourceARN": arn, "Tags": on})


def _delete(aws: Aws, system_id: str, state: Properties) -> None:
    last: dict[str, Any] = {"SkipFinalBackup": state.get("skipFinalBackup", True)}
    if state.get("finalBackupTags"):
        last["FinalBackupTags"] = state["finalBackupTags"]
    aws.drop("fsx", "DeleteFileSystem", {"FileSystemId": system_id, "LustreConfiguration": last}, _NONE)


def _link(aws: Aws, inputs: Properties) -> str:
    given = ("batchImportMetaDataOnCreate", "dataRepositoryPath", "fileSystemId", "fileSystemPath")
    link = {**pick(inputs, *given, "importedFileChunkSize", "s3"), "Tags": aws.tags(inputs) or None}
    aws.call("fsx", "CreateDataRepositoryAssociation", link)
    # moto has no associations: the id is made from what no two of a file system can share.
    place = f"{aws.account_id} {aws.region} {inputs['fileSystemId']} {inputs['fileSystemPath']}"
    return f"dra-{sha256(place.encode()).hexdigest()[:17]}"


def _read_link(aws: Aws, link_id: str, state: Properties) -> Properties:
    system: str = state.get("fileSystemId", "")
    return {"arn": aws.arn("fsx", f"association/{system}/{link_id}"), "associationId": link_id}


def _update_link(aws: Aws, link_id: str, old: Properties, new: Properties) -> None:
    changeable = ("importedFileChunkSize", "s3")
    if pick(new, *changeable) != pick(old, *changeable):
        aws.call("fsx", "UpdateDataRepositoryAssociation", {"AssociationId": link_id, **pick(new, *changeable)})
    # Its tags are only in the record of the request: moto answers for ARNs of file systems alone.


def _delete_link(aws: Aws, link_id: str, state: Properties) -> None:
    link = {"AssociationId": link_id, "DeleteDataInFileSystem": bool(state.get("deleteDataInFilesystem"))}
    aws.call("fsx", "DeleteDataRepositoryAssociation", link)


TYPES = (
    AwsType(
        name="aws:fsx/lustreFileSystem:LustreFileSystem",
        inputs={
            **dict.fromkeys(_CHANGEABLE, PLAIN),
            **dict.fromkeys(_FOR_GOOD, FIXED),
            "copyTagsToBackups": Input(replaces=True, default=False),
            "dataCompressionType": Input(default="NONE"),
            "deploymentType": Input(replaces=True, default="SCRATCH_1"),
            "fileSystemTypeVersion": FIXED,
            "finalBackupTags": PLAIN,
            "kmsKeyId": FIXED,
            "securityGroupIds": FIXED_SET,
            "skipFinalBackup": Input(default=True),
            "storageCapacity": PLAIN,
            "storageType": Input(replaces=True, default="SSD"),
            "subnetIds": FIXED,
            "tags": PLAIN,
        },
        outputs=("arn", "dnsName", "mountName", "networkInterfaceIds", "ownerId", "vpcId"),
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
    AwsType(
        name="aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation",
        inputs={
            "batchImportMetaDataOnCreate": Input(default=False),
            "dataRepositoryPath": FIXED,
            "deleteDataInFilesystem": Input(default=False),
            "fileSystemId": FIXED,
            "fileSystemPath": FIXED,
            "importedFileChunkSize": PLAIN,
            "s3": PLAIN,
            "tags": PLAIN,
        },
        outputs=("arn", "associationId"),
        singular=True,
        create=_link,
        read=_read_link,
        update=_update_link,
        delete=_delete_link,
    ),
)
