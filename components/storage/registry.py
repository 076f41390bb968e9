"""Our own image repositories: what is in them stays what it was, and is looked through for known holes."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from ..arguments import typed
from ..ordering import after
from . import protection

KEEP_UNTAGGED_DAYS = 14
"""An image that lost its tag is reached by digest only; who pinned it has that long."""
_NAME = re.compile(r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*")


@dataclass(frozen=True, kw_only=True)
class ImageRegistryArgs:
    """What an `ImageRegistry` is made from."""

    prefix: str
    """What all names begin with, a slash follows: `gpufleet-prod`. Another stack of the account and region takes
    another."""
    repositories: Sequence[str]
    """Names below the prefix, such as `trainer` or `nvidia/dcgm-exporter`."""
    key_arn: pulumi.Input[str]
    """For good: ECR cannot change a repository's key."""
    keep_images: int = 100
    """Newest images kept in each repository; older ones go."""
    protection: str = "protect"
    """`protect`, `retain` or `none`, as in `EncryptedBucket`. ECR deletes a repository only when it is empty."""
    scans_continuously: bool = False
    """Whether Amazon Inspector looks again whenever a new hole becomes known. Sets the scanning of the whole registry,
    of which an account has one a region; one stack may say so. Otherwise images are scanned when they are pushed."""

    def __post_init__(self) -> None:
        if not self.repositories:
            raise ValueError("repositories: is empty; name one, or make no registry")
        for repository in self.repositories:
            full = f"{self.prefix}/{repository}"
            if not _NAME.fullmatch(full) or not 2 <= len(full) <= 256:
                raise ValueError(
                    f"repositories: {full!r} is no name for a repository; allowed are lower-case letters and digits, "
                    "with single . _ - between them, in parts separated by /, 2 to 256 in all"
                )
        if len(set(self.repositories)) != len(self.repositories):
            raise ValueError(f"repositories: {', '.join(self.repositories)} names one twice; name each once")
        if self.keep_images < 1:
            raise ValueError(f"keep_images: {self.keep_images} must be 1 or more")
        protection.kind(self.protection, "none")


class ImageRegistry(pulumi.ComponentResource):
    """ECR repositories under a key, with tags that cannot be moved.

    Creates: a repository for each name, scanned on push; its lifecycle; the scanning configuration of the registry,
    where asked. Deliberately not: access for other accounts, replication, copies of public images (those of registries
    that ECR can fetch from come through a `PullThroughCache`; others, such as nvcr.io, are pushed here).
    """

    repository_urls: pulumi.Output[dict[str, str]]
    """By the names that were given."""
    repository_arns: pulumi.Output[dict[str, str]]

    def __init__(self, name: str, args: ImageRegistryArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:ImageRegistry", name, None, opts)
        args = typed(args, ImageRegistryArgs)
        child = pulumi.ResourceOptions(parent=self)
        kept = pulumi.ResourceOptions.merge(child, protection.options(args.protection))

        repositories = {
            repository: aws.ecr.Repository(
                f"{name}-{repository}",
                name=f"{args.prefix}/{repository}",
                image_tag_mutability="IMMUTABLE",
                image_scanning_configuration=aws.ecr.RepositoryImageScanningConfigurationArgs(scan_on_push=True),
                encryption_configurations=[
                    aws.ecr.RepositoryEncryptionConfigurationArgs(encryption_type="KMS", kms_key=args.key_arn)
                ],
                opts=kept,
            )
            for repository in sorted(args.repositories)
        }
        lifecycles = [
            aws.ecr.LifecyclePolicy(
                f"{name}-{repository}", repository=made.name, policy=lifecycle(args.keep_images), opts=child
            )
            for repository, made in repositories.items()
        ]
        if args.scans_continuously:
            aws.ecr.RegistryScanningConfiguration(
                f"{name}-scanning",
                scan_type="ENHANCED",
                rules=[
                    aws.ecr.RegistryScanningConfigurationRuleArgs(
                        scan_frequency="CONTINUOUS_SCAN",
                        repository_filters=[
                            aws.ecr.RegistryScanningConfigurationRuleRepositoryFilterArgs(
                                filter="*", filter_type="WILDCARD"
                            )
                        ],
                    )
                ],
                opts=child,
            )

        urls = pulumi.Output.all(**{repository: made.repository_url for repository, made in repositories.items()})
        arns = pulumi.Output.all(**{repository: made.arn for repository, made in repositories.items()})
        self.repository_urls = after(urls, *lifecycles)
        self.repository_arns = after(arns, *lifecycles)
        self.register_outputs({"repositoryUrls": self.repository_urls, "repositoryArns": self.repository_arns})


def lifecycle(keep_images: int) -> str:
    """ECR's lifecycle policy: untagged images go after two weeks, and all but the newest."""
    return json.dumps(
        {
            "rules": [
                {
                    "rulePriority": 1,
                    "description": "images that lost their tag",
                    "selection": {
                        "tagStatus": "untagged",
                        "countType": "sinceImagePushed",
                        "countUnit": "days",
                        "countNumber": KEEP_UNTAGGED_DAYS,
                    },
                    "action": {"type": "expire"},
                },
                {
                    "rulePriority": 2,
                    "description": "all but the newest",
                    "selection": {"tagStatus": "any", "countType": "imageCountMoreThan", "countNumber": keep_images},
                    "action": {"type": "expire"},
                },
            ]
        }
    )
