"""Who may do what: every role of a plan with its trust and its policies, and every policy that a resource carries."""

from collections.abc import Iterator
from dataclasses import dataclass

from gpufleet.report.estate import Entry, Estate, as_list, kind, mapping, text, texts
from gpufleet.report.statements import Statement, read, words

_ROLE = "aws:iam/role:Role"
_CARRIED = {
    "aws:kms/key:Key": "policy",
    "aws:s3/bucketPolicy:BucketPolicy": "policy",
    "aws:ec2/vpcEndpoint:VpcEndpoint": "policy",
    "aws:ecr/repositoryPolicy:RepositoryPolicy": "policy",
    "aws:sqs/queuePolicy:QueuePolicy": "policy",
    "aws:sns/topicPolicy:TopicPolicy": "policy",
    "aws:secretsmanager/secretPolicy:SecretPolicy": "policy",
}
"""Types that carry a policy of their own, and the input that holds it."""


@dataclass(frozen=True, kw_only=True)
class Grant:
    """One policy of a role."""

    name: str
    statements: tuple[Statement, ...]
    said: str
    """What stands in place of statements: AWS's own policy in a sentence, or why it cannot be read."""


@dataclass(frozen=True, kw_only=True)
class Role:
    """A role: who may take it, on whose behalf, and what it may do then."""

    name: str
    component: str
    trust: tuple[Statement, ...]
    pods: tuple[str, ...]
    """Pod Identity associations, as sentences."""
    grants: tuple[Grant, ...]
    boundary: str


@dataclass(frozen=True, kw_only=True)
class Carried:
    """A policy on a resource: who may reach it, whatever their own roles say."""

    name: str
    kind: str
    statements: tuple[Statement, ...]
    said: str


class Grants:
    """Reads the grants of one plan."""

    def __init__(self, estate: Estate) -> None:
        self._estate = estate

    def roles(self) -> list[Role]:
        """Every role, by component and name."""
        found = [self._role(role) for role in self._estate.of(_ROLE)]
        return sorted(found, key=lambda role: (role.component, role.name))

    def carried(self) -> list[Carried]:
        """Every policy that a resource carries, by kind and name."""
        found: list[Carried] = []
        for type_, key in _CARRIED.items():
            for entry in self._estate.of(type_):
                if not entry["inputs"].get(key):
                    continue
                statements = read(entry["inputs"][key], self.say)
                said = "" if statements else "cannot be read before the update"
                what = kind(type_).removesuffix("Policy").lower().replace("vpcendpoint", "endpoint")
                name = str(entry["name"])
                found.append(Carried(name=name, kind=what, statements=tuple(statements or ()), said=said))
        return sorted(found, key=lambda carried: (carried.kind, carried.name))

    def _role(self, role: Entry) -> Role:
        trust = read(role["inputs"].get("assumeRolePolicy"), self.say)
        boundary = text(role["inputs"].get("permissionsBoundary"))
        return Role(
            name=role["name"],
            component=self._estate.component(role),
            trust=tuple(trust or ()),
            pods=tuple(self._pods(role)),
            grants=tuple(sorted(self._grants(role), key=lambda grant: grant.name)),
            boundary=self.say(boundary) if boundary else "",
        )

    def _pods(self, role: Entry) -> Iterator[str]:
        for association in self._estate.of("aws:eks/podIdentityAssociation:PodIdentityAssociation"):
            inputs = association["inputs"]
            if self._estate.find(inputs.get("roleArn")) is role:
                yield (
                    f"pods in namespace {text(inputs.get('namespace'))} that run as service account "
                    f"{text(inputs.get('serviceAccount'))} on {text(inputs.get('clusterName'))}"
                )

    def _grants(self, role: Entry) -> Iterator[Grant]:
        inputs = role["inputs"]
        mine = {role["id"], role["outputs"].get("name"), role["outputs"].get("arn"), inputs.get("name")} - {None}
        for inline in self._estate.of("aws:iam/rolePolicy:RolePolicy"):
            if inline["inputs"].get("role") in mine:
                yield self._own(inline["name"], inline["inputs"].get("policy"))
        for inline in as_list(inputs.get("inlinePolicies")):
            yield self._own(text(mapping(inline).get("name")) or "inline", mapping(inline).get("policy"))
        for arn in texts(inputs.get("managedPolicyArns")):
            yield self._attached(arn)
        for attachment in self._estate.of("aws:iam/rolePolicyAttachment:RolePolicyAttachment"):
            if attachment["inputs"].get("role") in mine:
                yield self._attached(attachment["inputs"].get("policyArn"))
        for attachment in self._estate.of("aws:iam/policyAttachment:PolicyAttachment"):
            if mine & {*texts(attachment["inputs"].get("roles"))}:
                yield self._attached(attachment["inputs"].get("policyArn"))

    def _attached(self, arn: object) -> Grant:
        policy = self._estate.find(arn)
        if policy is not None:
            return self._own(policy["name"], policy["inputs"].get("policy"))
        name = text(arn).rsplit("/", 1)[-1]
        said = words()["managed"].get(name, "a managed policy that is not part of this plan")
        return Grant(name=name, statements=(), said=said)

    def _own(self, name: str, document: object) -> Grant:
        statements = read(document, self.say)
        said = "" if statements else "cannot be read before the update"
        return Grant(name=name, statements=tuple(statements or ()), said=said)

    def say(self, reference: str) -> str:
        """An ARN as a person says it: by the plan's name where the plan has it, else short."""
        if reference == "*":
            return "anything"
        if (found := self._estate.find(reference)) is not None:
            return f"{kind(found['type']).lower()} {found['name']}"
        if not reference.startswith("arn:"):
            return reference
        base, slash, rest = reference.partition("/")
        if slash and (found := self._estate.find(base)) is not None:
            inside = "everything in" if rest == "*" else f"{rest} in"
            return f"{inside} {kind(found['type']).lower()} {found['name']}"
        parts = reference.split(":", 5)
        if len(parts) < 6:
            return reference
        _, _, service, region, _, resource = parts
        return " ".join(filter(None, [words()["services"].get(service, service), resource, region and f"in {region}"]))
