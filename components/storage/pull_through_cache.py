"""Public images through our own registry: fetched once, kept under our key, and not at the mercy of a rate limit."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pulumi
import pulumi_aws as aws

from ..arguments import typed
from ..identity import service_principals
from ..identity.statements import Statement, document, trust
from ..ordering import after
from . import registry, upstream_registries

_LONGEST_PREFIX = 30
_PREFIX = re.compile(r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*")
_SECRET = re.compile(
    r"arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:[0-9]{12}:secret:ecr-pullthroughcache/[A-Za-z0-9/_+=.@-]+"
)


@dataclass(frozen=True, kw_only=True)
class PullThroughCacheArgs:
    """What a `PullThroughCache` is made from."""

    prefix: str
    """What cached repositories begin with: `gpufleet-prod` keeps `quay.io/a/b` as `gpufleet-prod/quay.io/a/b`. Another
    stack of the account and region takes another. At most 14 characters with the registries there are, because ECR
    allows 30 with the registry behind it."""
    registries: Sequence[str]
    """As they stand in an image's reference: `public.ecr.aws`, `registry.k8s.io`, `quay.io`, `docker.io`, `ghcr.io`."""
    credential_arns: Mapping[str, str] = field(default_factory=dict[str, str])
    """By registry, for `docker.io` and `ghcr.io`: the ARN of a secret in the same account and region, named
    `ecr-pullthroughcache/...`, with the keys `username` and `accessToken`. It must be under Secrets Manager's own key:
    ECR reads it by its service-linked role, which can use no other."""
    account_id: str
    region: str
    partition: str
    key_arn: pulumi.Input[str]
    """Of the cached repositories; ECR cannot change it later."""
    keep_images: int = 100
    """Newest images kept in each cached repository."""
    permissions_boundary_arn: pulumi.Input[str] | None = None

    def __post_init__(self) -> None:
        if not self.registries:
            raise ValueError(f"registries: is empty; allowed are {', '.join(upstream_registries.UPSTREAMS)}")
        if not _PREFIX.fullmatch(self.prefix):
            raise ValueError(
                f"prefix: {self.prefix!r} must be lower-case letters and digits, with single . _ - between them"
            )
        for name in self.registries:
            upstream = upstream_registries.get(name)
            if len(f"{self.prefix}/{name}") > _LONGEST_PREFIX:
                raise ValueError(
                    f"prefix: {self.prefix!r} is too long for {name}: ECR allows {_LONGEST_PREFIX} characters for "
                    f"{self.prefix}/{name}; use at most {_LONGEST_PREFIX - len(name) - 1}"
                )
            if upstream.needs_credentials and name not in self.credential_arns:
                raise ValueError(
                    f"credential_arns: {name} needs credentials; give the ARN of a secret named "
                    "ecr-pullthroughcache/..."
                )
        for name, arn in self.credential_arns.items():
            if name not in self.registries or not upstream_registries.get(name).needs_credentials:
                raise ValueError(f"credential_arns: {name} takes none here; leave it out")
            if not _SECRET.fullmatch(arn):
                raise ValueError(
                    f"credential_arns: {arn!r} of {name} is not the ARN of a secret whose name begins with "
                    "ecr-pullthroughcache/; ECR reads no other"
                )
        if self.keep_images < 1:
            raise ValueError(f"keep_images: {self.keep_images} must be 1 or more")


class PullThroughCache(pulumi.ComponentResource):
    """ECR rules that fetch public images when they are first asked for, and a template for the repositories they make.

    Creates: a rule a registry; a template, so that cached repositories are under our key, with tags that cannot be
    moved, and tidied; the role by which ECR makes them. Deliberately not: the right of nodes to use it (see
    `pull_statements`), the secrets with credentials, images of registries that ECR does not fetch from.

    The first pull of an image may be answered with the upstream's own address while ECR fetches it, so a network
    without a way out has to have its images pulled once from outside it.
    """

    registry_host: pulumi.Output[str]
    """What stands before the path that `upstream_registries.cached` gives. Whoever takes it waits for the rules."""
    prefix: pulumi.Output[str]

    def __init__(self, name: str, args: PullThroughCacheArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:PullThroughCache", name, None, opts)
        args = typed(args, PullThroughCacheArgs)
        child = pulumi.ResourceOptions(parent=self)

        role = aws.iam.Role(
            name,
            # ECR takes it on without saying for whom. Only who may pass the role can name it in a template.
            assume_role_policy=trust(service_principals.of("ecr", args.partition)),
            permissions_boundary=args.permissions_boundary_arn,
            opts=child,
        )
        grant = aws.iam.RolePolicy(name, role=role.id, policy=document(*creation_statements(args)), opts=child)
        template = aws.ecr.RepositoryCreationTemplate(
            name,
            prefix=args.prefix,
            description=f"Images that {args.prefix} fetched",
            applied_fors=["PULL_THROUGH_CACHE"],
            image_tag_mutability="IMMUTABLE",
            encryption_configurations=[
                aws.ecr.RepositoryCreationTemplateEncryptionConfigurationArgs(
                    encryption_type="KMS", kms_key=args.key_arn
                )
            ],
            lifecycle_policy=registry.lifecycle(args.keep_images),
            custom_role_arn=role.arn,
            opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[grant])),
        )
        # Rules come after the template: a repository that was made without it never gets our key.
        after_template = pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[template]))
        rules = [
            aws.ecr.PullThroughCacheRule(
                f"{name}-{upstream}",
                ecr_repository_prefix=f"{args.prefix}/{upstream}",
                upstream_registry_url=upstream_registries.get(upstream).url,
                credential_arn=args.credential_arns.get(upstream),
                opts=after_template,
            )
            for upstream in sorted(set(args.registries))
        ]

        suffix = service_principals.dns_suffix(args.partition)
        host = f"{args.account_id}.dkr.ecr.{args.region}.{suffix}"
        self.registry_host = after(host, *rules)
        self.prefix = after(args.prefix, *rules)
        self.register_outputs({"registryHost": self.registry_host, "prefix": self.prefix})


def creation_statements(args: PullThroughCacheArgs) -> list[Statement]:
    """What ECR may do as the template's role.

    https://docs.aws.amazon.com/AmazonECR/latest/userguide/repository-creation-templates-custom.html
    """
    return [
        Statement(
            sid="MakeCachedRepositories",
            actions=["ecr:CreateRepository", "ecr:ReplicateImage", "ecr:TagResource"],
            resources=[_repositories(args.prefix, args.account_id, args.region, args.partition)],
        ),
        Statement(
            sid="UseKeyOfRepositories",
            actions=["kms:CreateGrant", "kms:DescribeKey", "kms:RetireGrant"],
            resources=[args.key_arn],
        ),
    ]


def pull_statements(prefix: str, account_id: str, region: str, partition: str) -> list[Statement]:
    """What a node needs to pull through the cache, beside the right to pull from our registry at all.

    The repository of an image comes into being when somebody first asks for it, so who pulls may also make it; below
    the prefix and nowhere else. https://docs.aws.amazon.com/AmazonECR/latest/userguide/pull-through-cache-iam.html
    """
    return [
        Statement(
            sid="PullThroughCache",
            actions=["ecr:BatchImportUpstreamImage", "ecr:CreateRepository"],
            resources=[_repositories(prefix, account_id, region, partition)],
        )
    ]


def _repositories(prefix: str, account_id: str, region: str, partition: str) -> str:
    return f"arn:{partition}:ecr:{region}:{account_id}:repository/{prefix}/*"
