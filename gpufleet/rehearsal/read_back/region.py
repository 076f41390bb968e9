"""Readers for settings of a whole account or region."""

from collections.abc import Iterator

from gpufleet.rehearsal.read_back.asking import Declared, Fact, Reader, document, inner, items, ordered

_BLOCKS = ("blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets")


def encryption_by_default(resource: Declared) -> Iterator[Fact]:
    """Whether new volumes are encrypted."""
    found = resource.client("ec2").get_ebs_encryption_by_default()["EbsEncryptionByDefault"]
    yield Fact("enabled", resource.inputs.get("enabled", True), found)


def account_public_access(resource: Declared) -> Iterator[Fact]:
    """All four switches, for every bucket of the account."""
    answer = resource.client("s3control").get_public_access_block(AccountId=resource.id)
    found = answer["PublicAccessBlockConfiguration"]
    for name in _BLOCKS:
        yield Fact(name, resource.inputs.get(name, False), found.get(name[0].upper() + name[1:], False))


def registry_scanning(resource: Declared) -> Iterator[Fact]:
    """How images are looked through, and how often."""
    found = resource.client("ecr").get_registry_scanning_configuration()["scanningConfiguration"]
    yield Fact("kind", resource.inputs["scanType"], found["scanType"])
    declared = [rule["scanFrequency"] for rule in items(resource.inputs.get("rules"))]
    yield Fact("frequencies", ordered(declared), ordered(rule["scanFrequency"] for rule in found["rules"]))


def registry_policy(resource: Declared) -> Iterator[Fact]:
    """The document."""
    found = resource.client("ecr").get_registry_policy()
    yield Fact("policy", document(resource.inputs["policy"]), document(found["policyText"]))


def service_linked_role(resource: Declared) -> Iterator[Fact]:
    """The service that may take it on."""
    found = resource.client("iam").get_role(RoleName=str(resource.id).rpartition("/")[2])["Role"]
    trusted = inner(document(found["AssumeRolePolicyDocument"]), "Statement", "Principal", "Service")
    yield Fact("service", resource.inputs["awsServiceName"], trusted[0] if isinstance(trusted, list) else trusted)


READERS: dict[str, Reader] = {
    "aws:ebs/encryptionByDefault:EncryptionByDefault": encryption_by_default,
    "aws:ecr/registryPolicy:RegistryPolicy": registry_policy,
    "aws:ecr/registryScanningConfiguration:RegistryScanningConfiguration": registry_scanning,
    "aws:iam/serviceLinkedRole:ServiceLinkedRole": service_linked_role,
    "aws:s3/accountPublicAccessBlock:AccountPublicAccessBlock": account_public_access,
}
