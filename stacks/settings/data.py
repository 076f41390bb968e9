"""What may be set about data: buckets, caches next to the GPUs, images."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from components.storage import lustre_capacity, upstream_registries
from components.storage.pull_through_cache import PullThroughCacheArgs
from components.storage.registry import ImageRegistryArgs
from stacks.settings import checks
from stacks.settings.mistakes import mistake
from stacks.settings.model import Model

Purpose = Literal["datasets", "checkpoints", "artifacts", "scratch"]
Protection = Literal["protect", "retain", "none"]


class Bucket(Model):
    """One bucket of a region."""

    keep_days: Annotated[int, Field(ge=1, description="Days after which objects go")] | None = None
    replicate_to: Annotated[
        tuple[str, ...],
        BeforeValidator(lambda value: (value,) if isinstance(value, str) else value),
        Field(description="Other regions of this environment that keep a copy, each with a bucket of this purpose"),
    ] = ()
    protection: Annotated[Protection, Field(description="Whether a destroy fails, leaves or takes it")] | None = None


class Lustre(Model):
    """An FSx for Lustre cache, linked to a bucket, in the zone of the GPUs that read it."""

    size_gib: Annotated[int, Field(description="1200, 2400 or a multiple of 2400")]
    throughput: Annotated[int, Field(description="MB/s for each TiB")] = 250
    zone: Annotated[str, Field(description="The zone of the pool that reads it")]
    efa: Annotated[bool, Field(description="Whether nodes with EFA read it past the kernel; decided for good")] = False
    source: Annotated[Purpose, Field(alias="from", description="The bucket it fills from, by purpose")]
    path: Annotated[
        str, Field(pattern=r"^/(.*[^/])?$", description="Where the bucket shows in the file system, /data")
    ] = "/data"

    @model_validator(mode="after")
    def _sold(self) -> "Lustre":
        try:
            lustre_capacity.check(self.size_gib, self.throughput, efa=self.efa)
        except ValueError as error:
            raise mistake("size_gib", self.size_gib, "what FSx sells", str(error)) from None
        return self


class Express(Model):
    """An S3 Express One Zone bucket in the zone of the GPUs that use it."""

    zone: Annotated[str, Field(description="The zone, by name")]
    zone_id: Annotated[str, Field(pattern=r"^[a-z]{3,4}\d-az\d$", description="Its id in this account: use1-az4")]
    keep_days: Annotated[int, Field(ge=1, description="Days after which objects go")] = 14


class Storage(Model):
    """Where data lies."""

    buckets: Annotated[Mapping[Purpose, Bucket], Field(description="Buckets by purpose")] = Field(
        default_factory=lambda: {}
    )
    access_logs: Annotated[bool, Field(description="Whether every access to a bucket is logged")] = True
    lustre: Lustre | None = None
    express: Express | None = None
    mountpoint: Annotated[bool, Field(description="Whether pods can mount buckets (Mountpoint for S3)")] = False

    @model_validator(mode="after")
    def _filled_from_a_bucket(self) -> "Storage":
        if self.lustre is not None and self.lustre.source not in self.buckets:
            there = ", ".join(self.buckets) or "none"
            raise mistake("lustre.from", self.lustre.source, f"a bucket of the region: {there}", "add that bucket")
        return self


class Registry(Model):
    """Repositories of the stack's own images."""

    repositories: Annotated[tuple[str, ...], Field(min_length=1, description="Names of repositories: trainer")]
    keep_images: Annotated[int, Field(ge=1, le=1000, description="Newest images kept in each")] = 100
    scans_continuously: Annotated[bool, Field(description="Whether Inspector looks again as holes become known")] = (
        False
    )

    @field_validator("repositories")
    @classmethod
    def _named(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        checks.accepted(
            lambda: ImageRegistryArgs(prefix="stack", repositories=names, key_arn="arn:"),
            list(names),
            "names of repositories, each once",
        )
        return names


class ImageCache(Model):
    """Copies of other registries' images, so that nodes never fetch from the internet."""

    registries: Annotated[tuple[str, ...], Field(min_length=1, description="Registries as they stand in image names")]
    credentials: Annotated[
        Mapping[str, str], Field(description="ARN of the secret with the login, for docker.io and ghcr.io")
    ] = Field(default_factory=lambda: {})

    @model_validator(mode="after")
    def _known(self) -> "ImageCache":
        try:
            upstreams = {registry: upstream_registries.get(registry) for registry in self.registries}
        except ValueError as error:
            fix = str(error).removeprefix("registries: ")
            raise mistake("registries", list(self.registries), "registries that ECR fetches from", fix) from None
        wanting = [
            name for name, upstream in upstreams.items() if upstream.needs_credentials and name not in self.credentials
        ]
        if wanting:
            allowed = f"the ARN of a secret for each of {', '.join(wanting)}"
            raise mistake("credentials", dict(self.credentials), allowed, "name the secret, or leave the registry out")
        checks.accepted(
            lambda: PullThroughCacheArgs(
                prefix="stack",
                registries=self.registries,
                credential_arns=self.credentials,
                account_id="1" * 12,
                region="us-east-1",
                partition="aws",
                key_arn="arn:",
            ),
            dict(self.credentials),
            "registries, and for those that ask for a login the ARN of a secret",
            "credentials",
        )
        return self
