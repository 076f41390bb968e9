"""What an entry of the table of AWS types says, and the table itself, put together from one module per service."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

from gpufleet.rehearsal.aws.calls import Aws

Properties: TypeAlias = Mapping[str, Any]
"""Inputs or state in Pulumi's spelling (camelCase), as plain values."""


@dataclass(frozen=True, kw_only=True)
class Input:
    """One input of a type.

    `replaces`: AWS cannot change it in place. `default`: what the real provider's check fills in. `unordered`: a list
    that AWS keeps as a set. `document`: a JSON document, in which the order of keys says nothing.
    """

    replaces: bool = False
    default: Any = None
    unordered: bool = False
    document: bool = False


PLAIN = Input()
FIXED = Input(replaces=True)
SET = Input(unordered=True)
FIXED_SET = Input(replaces=True, unordered=True)
DOCUMENT = Input(document=True)


@dataclass(frozen=True, kw_only=True)
class AutoName:
    """The input that gets a name of its own where the program gives none: `<logical name><separator><seven hex
    digits>`.

    `prefix` names the input that may take the logical name's place (`namePrefix`); `stem` stands before it in any case
    (`alias/`);
    `lower` is for services that refuse capitals.
    """

    input: str = "name"
    separator: str = "-"
    limit: int = 255
    prefix: str | None = "namePrefix"
    stem: str = ""
    lower: bool = False


@dataclass(frozen=True, kw_only=True)
class AwsType:
    """A resource type: its inputs, and how it is created, read, updated and deleted.

    `create` returns the id; what AWS made up comes back from `read`, which is called after `create` and `update` and
    returns None where the resource is gone. `update` is given the old state and the new inputs. `read` may leave out
    what the program set itself.
    `outputs` are the properties AWS makes up (unknown in a preview of a create), `moving` those of them that an update
    changes.
    `nested_outputs` are dotted paths of values that AWS adds inside an input. `singular` says that two of it cannot
    stand side by side, so that the old one goes before the new one comes.
    """

    name: str
    inputs: Mapping[str, Input]
    create: Callable[[Aws, Properties], str]
    read: Callable[[Aws, str, Properties], Properties | None]
    delete: Callable[[Aws, str, Properties], None]
    update: Callable[[Aws, str, Properties, Properties], None] | None = None
    outputs: tuple[str, ...] = ()
    moving: tuple[str, ...] = ()
    nested_outputs: tuple[str, ...] = ()
    autoname: AutoName | None = None
    singular: bool = False
    regional: bool = True
    all_inputs: Mapping[str, Input] = field(init=False)

    def __post_init__(self) -> None:
        # Every regional resource of pulumi-aws 7 may name its region; check adds the merged tags as the real
        # provider's does.
        region = {"region": FIXED} if self.regional else {}
        tags_all = {"tagsAll": PLAIN} if self.tagged else {}
        object.__setattr__(self, "all_inputs", {**self.inputs, **region, **tags_all})

    @property
    def tagged(self) -> bool:
        """Whether the provider's default tags reach it."""
        return "tags" in self.inputs


_MODULES = (
    "autoscaling_schedules",
    "budgets",
    "ec2_addresses",
    "ec2_capacity",
    "ec2_defaults",
    "ec2_endpoints",
    "ec2_flow_logs",
    "ec2_launch_templates",
    "ec2_placement_groups",
    "ec2_routes",
    "ec2_security_group_rules",
    "ec2_security_groups",
    "ec2_vpc",
    "ec2_vpc_cidrs",
    "ecr_registry",
    "ecr_repositories",
    "eks_access",
    "eks_addons",
    "eks_clusters",
    "eks_node_groups",
    "events_rules",
    "fsx",
    "iam_policies",
    "iam_providers",
    "iam_roles",
    "kms",
    "logs",
    "s3_account",
    "s3_buckets",
    "s3_directory_buckets",
    "s3_settings",
    "s3_tiering",
    "secretsmanager",
    "sqs",
)


@cache
def table() -> Mapping[str, AwsType]:
    """Return every type the stand-in knows, by token."""
    modules = (import_module(f"gpufleet.rehearsal.aws.{name}") for name in _MODULES)
    return index(entry for module in modules for entry in module.TYPES)


def index(entries: Iterable[AwsType]) -> Mapping[str, AwsType]:
    """Return the entries by token; a token that stands twice is a mistake of the table (ValueError)."""
    known: dict[str, AwsType] = {}
    for entry in entries:
        if entry.name in known:
            raise ValueError(f"{entry.name} stands twice in the table of AWS types")
        known[entry.name] = entry
    return known


def pick(properties: Properties, *names: str) -> dict[str, Any]:
    """Return those of the properties that have one of the names and a value."""
    return {name: properties[name] for name in names if properties.get(name) is not None}
