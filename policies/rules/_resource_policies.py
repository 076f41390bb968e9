"""Types whose `policy` says who may use the resource."""

from typing import Final

QUEUES: Final = ("aws:sqs/queue:Queue", "aws:sqs/queuePolicy:QueuePolicy")
TOPICS: Final = ("aws:sns/topic:Topic", "aws:sns/topicPolicy:TopicPolicy")
KEYS: Final = (
    *("aws:kms/key:Key", "aws:kms/keyPolicy:KeyPolicy", "aws:kms/externalKey:ExternalKey"),
    *("aws:kms/replicaKey:ReplicaKey", "aws:kms/replicaExternalKey:ReplicaExternalKey"),
)
FILE_SYSTEMS: Final = ("aws:efs/fileSystemPolicy:FileSystemPolicy",)
REPOSITORIES: Final = ("aws:ecr/repositoryPolicy:RepositoryPolicy",)
SECRETS: Final = ("aws:secretsmanager/secretPolicy:SecretPolicy",)
BUCKETS: Final = (
    *("aws:s3/bucketPolicy:BucketPolicy", "aws:s3/bucketPolicyV2:BucketPolicyV2"),
    *("aws:s3/bucket:Bucket", "aws:s3/bucketV2:BucketV2"),
)
CARRIERS: Final = (*BUCKETS, *QUEUES, *TOPICS, *KEYS, *FILE_SYSTEMS, *REPOSITORIES, *SECRETS)
