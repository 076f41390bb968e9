"""What the AWS API in memory (moto) does not have, as of moto 5.2.

A request for one of these is built and checked against the service model like any other, kept in the resource's state,
and the resource is marked as recorded. A test holds this list against the installed moto, so that it shrinks as moto
grows.
"""

from collections.abc import Mapping

# (service, operation): no such operation.
MISSING_OPERATIONS: frozenset[tuple[str, str]] = frozenset(
    {
        ("budgets", "TagResource"),
        ("budgets", "UntagResource"),
        ("budgets", "UpdateBudget"),
        ("budgets", "UpdateNotification"),
        ("ec2", "CancelCapacityReservation"),
        ("ec2", "CreateCapacityReservation"),
        ("ec2", "CreatePlacementGroup"),
        ("ec2", "DeletePlacementGroup"),
        ("ec2", "DisableImageBlockPublicAccess"),
        ("ec2", "DisableSnapshotBlockPublicAccess"),
        ("ec2", "EnableImageBlockPublicAccess"),
        ("ec2", "EnableSnapshotBlockPublicAccess"),
        ("ec2", "ModifyCapacityReservation"),
        ("ec2", "ModifyInstanceMetadataDefaults"),
        ("ec2", "PurchaseCapacityBlock"),
        ("ec2", "ResetEbsDefaultKmsKeyId"),
        ("ecr", "CreatePullThroughCacheRule"),
        ("ecr", "CreateRepositoryCreationTemplate"),
        ("ecr", "DeletePullThroughCacheRule"),
        ("ecr", "DeleteRepositoryCreationTemplate"),
        ("ecr", "UpdatePullThroughCacheRule"),
        ("ecr", "UpdateRepositoryCreationTemplate"),
        ("eks", "AssociateAccessPolicy"),
        ("eks", "AssociateEncryptionConfig"),
        ("eks", "CreateAccessEntry"),
        ("eks", "CreateAddon"),
        ("eks", "CreatePodIdentityAssociation"),
        ("eks", "DeleteAccessEntry"),
        ("eks", "DeleteAddon"),
        ("eks", "DeletePodIdentityAssociation"),
        ("eks", "DisassociateAccessPolicy"),
        ("eks", "UpdateAccessEntry"),
        ("eks", "UpdateAddon"),
        ("eks", "UpdateClusterVersion"),
        ("eks", "UpdateNodegroupVersion"),
        ("eks", "UpdatePodIdentityAssociation"),
        ("fsx", "CreateDataRepositoryAssociation"),
        ("fsx", "DeleteDataRepositoryAssociation"),
        ("fsx", "UpdateDataRepositoryAssociation"),
        ("fsx", "UpdateFileSystem"),
        ("logs", "PutLogGroupDeletionProtection"),
        ("s3", "DeleteBucketIntelligentTieringConfiguration"),
        ("s3", "PutBucketIntelligentTieringConfiguration"),
    }
)

# Those of them that make or set a whole resource: without the call moto has nothing of it.
MAKING_OPERATIONS: frozenset[str] = frozenset(
    {
        "AssociateAccessPolicy",
        "CreateAccessEntry",
        "CreateAddon",
        "CreateCapacityReservation",
        "CreateDataRepositoryAssociation",
        "CreatePlacementGroup",
        "CreatePodIdentityAssociation",
        "CreatePullThroughCacheRule",
        "CreateRepositoryCreationTemplate",
        "EnableImageBlockPublicAccess",
        "EnableSnapshotBlockPublicAccess",
        "ModifyInstanceMetadataDefaults",
        "PurchaseCapacityBlock",
        "PutBucketIntelligentTieringConfiguration",
    }
)

# (service, operation): the members that moto accepts and forgets.
FORGOTTEN_MEMBERS: Mapping[tuple[str, str], frozenset[str]] = {
    ("budgets", "CreateBudget"): frozenset({"ResourceTags"}),
    ("ec2", "AllocateAddress"): frozenset({"NetworkBorderGroup", "PublicIpv4Pool"}),
    ("ec2", "CreateFlowLogs"): frozenset({"DestinationOptions"}),
    ("ec2", "CreateVpcEndpoint"): frozenset({"DnsOptions", "IpAddressType"}),
    ("ec2", "ModifySubnetAttribute"): frozenset({"EnableDns64", "PrivateDnsHostnameTypeOnLaunch"}),
    ("ec2", "ModifyVpcEndpoint"): frozenset({"DnsOptions", "IpAddressType", "PrivateDnsEnabled"}),
    ("eks", "CreateCluster"): frozenset(
        {
            "accessConfig",
            "bootstrapSelfManagedAddons",
            "computeConfig",
            "controlPlaneScalingConfig",
            "deletionProtection",
            "storageConfig",
            "upgradePolicy",
            "zonalShiftConfig",
        }
    ),
    ("eks", "CreateNodegroup"): frozenset({"nodeRepairConfig", "updateConfig", "warmPoolConfig"}),
    ("eks", "UpdateClusterConfig"): frozenset(
        {
            "accessConfig",
            "computeConfig",
            "controlPlaneScalingConfig",
            "deletionProtection",
            "storageConfig",
            "upgradePolicy",
            "zonalShiftConfig",
        }
    ),
    ("eks", "UpdateNodegroupConfig"): frozenset({"warmPoolConfig"}),
    ("fsx", "CreateFileSystem"): frozenset({"FileSystemTypeVersion"}),
    ("kms", "EnableKeyRotation"): frozenset({"RotationPeriodInDays"}),
    ("logs", "CreateLogGroup"): frozenset({"deletionProtectionEnabled", "logGroupClass"}),
}
