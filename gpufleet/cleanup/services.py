"""How each service lists what it encrypts, and where an item names its key: one line a service."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast


class Listing(NamedTuple):
    """One paginated operation whose items name a key themselves."""

    what: str
    service: str
    operation: str
    items: str
    permission: str
    name: str
    """The field of an item that tells it from others."""
    key: str
    """The way to the key, field by field; lists on the way are gone through."""
    arn: str
    """The field that holds the ARN, or what stands behind region and account in it, with `{}` for the name."""


class Described(NamedTuple):
    """An operation that lists names only, and one that tells of each its key."""

    what: str
    service: str
    operation: str
    items: str
    describe: str
    argument: str
    """What the second operation calls the name."""
    more: Mapping[str, Any]
    """What else it wants."""
    permissions: tuple[str, str]
    key: str
    arn: str
    """The way to the ARN in its answer."""


LISTINGS = (
    Listing(
        "EBS volume", "ec2", "describe_volumes", "Volumes", "ec2:DescribeVolumes", "VolumeId", "KmsKeyId", "volume/{}"
    ),
    Listing(
        "EBS snapshot", "ec2", "describe_snapshots", "Snapshots", "ec2:DescribeSnapshots", "SnapshotId", "KmsKeyId",
        "snapshot/{}",
    ),
    Listing(
        "launch template", "ec2", "describe_launch_template_versions", "LaunchTemplateVersions",
        "ec2:DescribeLaunchTemplateVersions", "LaunchTemplateId", "LaunchTemplateData.BlockDeviceMappings.Ebs.KmsKeyId",
        "launch-template/{}",
    ),
    Listing(
        "log group", "logs", "describe_log_groups", "logGroups", "logs:DescribeLogGroups", "logGroupName", "kmsKeyId",
        "log-group:{}",
    ),
    Listing(
        "FSx file system", "fsx", "describe_file_systems", "FileSystems", "fsx:DescribeFileSystems", "FileSystemId",
        "KmsKeyId", "ResourceARN",
    ),
    Listing(
        "FSx backup", "fsx", "describe_backups", "Backups", "fsx:DescribeBackups", "BackupId", "KmsKeyId", "ResourceARN"
    ),
    Listing(
        "EFS file system", "efs", "describe_file_systems", "FileSystems", "elasticfilesystem:DescribeFileSystems",
        "FileSystemId", "KmsKeyId", "FileSystemArn",
    ),
    Listing(
        "ECR repository", "ecr", "describe_repositories", "repositories", "ecr:DescribeRepositories", "repositoryName",
        "encryptionConfiguration.kmsKey", "repositoryArn",
    ),
    Listing(
        "secret", "secretsmanager", "list_secrets", "SecretList", "secretsmanager:ListSecrets", "Name", "KmsKeyId",
        "ARN",
    ),
    Listing(
        "SSM parameter", "ssm", "describe_parameters", "Parameters", "ssm:DescribeParameters", "Name", "KeyId",
        "parameter{}",
    ),
    Listing(
        "database", "rds", "describe_db_instances", "DBInstances", "rds:DescribeDBInstances", "DBInstanceIdentifier",
        "KmsKeyId", "DBInstanceArn",
    ),
    Listing(
        "backup vault", "backup", "list_backup_vaults", "BackupVaultList", "backup:ListBackupVaults", "BackupVaultName",
        "EncryptionKeyArn", "BackupVaultArn",
    ),
)  # fmt: skip

PARAMETERS: Mapping[str, Mapping[str, Any]] = {
    "describe_volumes": {"Filters": [{"Name": "encrypted", "Values": ["true"]}]},
    "describe_snapshots": {"OwnerIds": ["self"], "Filters": [{"Name": "encrypted", "Values": ["true"]}]},
    "describe_launch_template_versions": {"Versions": ["$Default", "$Latest"]},
}

DESCRIBED = (
    Described(
        "EKS cluster", "eks", "list_clusters", "clusters", "describe_cluster", "name", {},
        ("eks:ListClusters", "eks:DescribeCluster"), "cluster.encryptionConfig.provider.keyArn", "cluster.arn",
    ),
    Described(
        "SQS queue", "sqs", "list_queues", "QueueUrls", "get_queue_attributes", "QueueUrl",
        {"AttributeNames": ["KmsMasterKeyId", "QueueArn"]}, ("sqs:ListQueues", "sqs:GetQueueAttributes"),
        "Attributes.KmsMasterKeyId", "Attributes.QueueArn",
    ),
    Described(
        "SNS topic", "sns", "list_topics", "Topics", "get_topic_attributes", "TopicArn", {},
        ("sns:ListTopics", "sns:GetTopicAttributes"), "Attributes.KmsMasterKeyId", "Attributes.TopicArn",
    ),
    Described(
        "DynamoDB table", "dynamodb", "list_tables", "TableNames", "describe_table", "TableName", {},
        ("dynamodb:ListTables", "dynamodb:DescribeTable"), "Table.SSEDescription.KMSMasterKeyArn", "Table.TableArn",
    ),
)  # fmt: skip

WHAT = (
    "S3 bucket",
    *(listing.what for listing in LISTINGS),
    *(described.what for described in DESCRIBED),
)
"""Everything that is looked at; what is not here is not seen."""


def values(item: Any, path: str) -> Iterator[str]:
    """What lies at the end of the way, through every list on it."""
    if isinstance(item, list):
        for entry in cast("list[Any]", item):
            yield from values(entry, path)
    elif not path:
        if isinstance(item, str) and item:
            yield item
    elif isinstance(item, Mapping):
        step, _, rest = path.partition(".")
        yield from values(cast("Mapping[str, Any]", item).get(step), rest)
