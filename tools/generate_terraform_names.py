"""Refreshes gpufleet/export/data/terraform_names.json from a schema of Terraform's AWS provider.

    terraform providers schema -json > schema.json        # in a folder whose main.tf names hashicorp/aws
    python -m tools.generate_terraform_names schema.json --provider 5.100.0 --date 2026-11-30

The SDK says which resource classes and properties there are, the schema which types, arguments and blocks; a pair is a
class and a type whose names and whose properties agree. Written is only what the rules of gpufleet/export/names.py do
not get right by themselves. The same input gives the same file, byte for byte.
"""

import argparse
import difflib
import importlib
import inspect
import json
import re
import sys
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import pulumi_aws
from pulumi._types import resource_types  # the SDK resolves outputs by it; it has no public name

from gpufleet.export import names
from tools import terraform_arguments

OUTPUT: Final = Path(names.__file__).with_name("data") / "terraform_names.json"

_BY_HAND: Final = {
    "alb:LoadBalancer": "aws_lb",
    "amp:Scraper": "aws_prometheus_scraper",
    "amp:WorkspaceConfiguration": "aws_prometheus_workspace_configuration",
    "apigateway:Deployment": "aws_api_gateway_deployment",
    "bcmdata:Export": "aws_bcmdataexports_export",
    "directconnect:LinkAggregationGroup": "aws_dx_lag",
    "elb:LoadBalancer": "aws_elb",
    "lb:LoadBalancer": "aws_lb",
    "rds:InstanceDesiredState": "aws_rds_instance_state",
}
"""Pairs whose names have too little in common to be found."""

_RENAMED: Final[Mapping[str, Mapping[str, str]]] = {
    "aws_api_gateway_stage": {"deployment": "deployment_id", "restApi": "rest_api_id"},
    "aws_cloudwatch_log_subscription_filter": {"logGroup": "log_group_name"},
    "aws_cloudwatch_metric_alarm": {"name": "alarm_name"},
    "aws_elastic_beanstalk_environment": {"version": "version_label"},
    "aws_glue_catalog_table": {"partitionIndices": "partition_index"},
    "aws_iot_topic_rule": {"kineses": "kinesis"},
    "aws_lambda_function": {"code": "filename", "name": "function_name"},
    "aws_lambda_layer_version": {"code": "filename"},
    "aws_lambda_permission": {"function": "function_name"},
    "aws_route53_record": {"aliases": "alias"},
    "aws_sns_topic_subscription": {"topic": "topic_arn"},
    "provider": {"assumeRoles": "assume_role"},
}
"""Properties whose names nothing but knowledge pairs."""

_ALIKE: Final = 1.5
"""Of 2: the shares of properties and of letters that a class and a type without a common rule must have in common."""
_SAME: Final = 0.35
"""The share of properties of a class and a type with one name; less is a namesake (`rds.Instance`, `aws_instance`)."""

_EVERYWHERE: Final = {"id", "region", "tagsall", "timeout"}


class Class:
    """A resource class of the SDK."""

    def __init__(self, token: str, module: Any, class_name: str) -> None:
        self.module = token.split(":")[1].split("/")[0]
        self.name = class_name
        self.key = f"{self.module}:{class_name}"
        self.type = getattr(module, class_name)
        self.properties: Mapping[str, Any] = resource_types(self.type)
        self.canonical = {canonical(name) for name in self.properties} - _EVERYWHERE
        arguments = inspect.signature(getattr(module, f"{class_name}Args").__init__).parameters.values()
        self.required = {canonical(p.name) for p in arguments if p.default is inspect.Parameter.empty}


def canonical(name: str) -> str:
    """A name without what the bridge changes: case, underscores, plurals."""
    return names.singular(names.snake(name)).replace("_", "")


def classes() -> list[Class]:
    """Every resource class of the SDK."""
    text = Path(pulumi_aws.__file__).read_text(encoding="utf-8")
    listed = re.search(r'resource_modules="""\n(.*?)"""', text, re.DOTALL)
    if listed is None:
        raise SystemExit(f"{pulumi_aws.__file__}: no list of resource modules; the SDK is built otherwise now")
    return [
        Class(token, importlib.import_module(entry["fqn"]), class_name)
        for entry in json.loads(listed[1])
        for token, class_name in entry["classes"].items()
    ]


def pairs(found: Iterable[Class], schemas: Mapping[str, Any]) -> dict[str, str]:
    """Return Terraform's type for each class that has one: by hand, by rule, else the best that nobody else has."""
    arguments = {name: terraform_arguments.names(schema["block"]) for name, schema in schemas.items()}
    known = {name: {canonical(one) for one in those} - _EVERYWHERE for name, those in arguments.items()}
    paired = {key: name for key, name in _BY_HAND.items() if name in schemas}
    left: list[Class] = []
    for one in found:
        if one.key in paired:
            continue
        snake = names.snake(one.name)
        candidates = [f"aws_{one.module}_{snake}", f"aws_{snake}"]
        same = [
            c for c in candidates if c in schemas and (c == candidates[0] or share(known[c], one.canonical) >= _SAME)
        ]
        if same:
            paired[one.key] = same[0]
        else:
            left.append(one)
    scored = sorted(
        ((_likeness(one, name, known[name]), one.key, name) for one in left for name in schemas),
        key=lambda entry: (-entry[0], *entry[1:]),
    )
    taken = set(paired.values())
    for score, key, name in scored:
        if score < _ALIKE:
            break
        if key not in paired and name not in taken:
            paired[key] = name
            taken.add(name)
    for one in left:  # the older names of what is one type in Terraform
        if (
            one.key not in paired
            and (newer := paired.get(one.key.removesuffix("V2"))) is not None
            and one.module == "s3"
        ):
            paired[one.key] = newer
    return paired


def share(one: set[str], other: set[str]) -> float:
    """What two sets have in common, of all that they have."""
    return len(one & other) / max(1, len(one | other))


def _likeness(one: Class, type_name: str, arguments: set[str]) -> float:
    common = share(arguments, one.canonical)
    if common < _SAME:
        return 0
    short = names.snake(one.name).replace("_", "")
    wanted = type_name.removeprefix("aws_").replace("_", "")
    return common + max(difflib.SequenceMatcher(None, name, wanted).ratio() for name in (one.module + short, short))


def prefixes(found: Iterable[Class], paired: Mapping[str, str]) -> dict[str, str]:
    """What most types of a module begin with, where it is not the module's own name."""
    seen: dict[str, Counter[str]] = {}
    for one in found:
        name, snake = paired.get(one.key, "").removeprefix("aws_"), names.snake(one.name)
        if name.endswith(snake):
            seen.setdefault(one.module, Counter())[name.removesuffix(snake)] += 1
    most = {module: max(sorted(counted), key=counted.__getitem__) for module, counted in sorted(seen.items())}
    return {module: prefix for module, prefix in most.items() if prefix != f"{module}_"}


def table(schema: Mapping[str, Any], provider: str, date: str, *, verbose: bool = False) -> dict[str, Any]:
    """The content of the data file."""
    provider_schema = next(iter(schema["provider_schemas"].values()))
    schemas = provider_schema["resource_schemas"]
    found = classes()
    paired = pairs(found, schemas)
    begin = prefixes(found, paired)
    exceptions: dict[str, str] = {}
    confirmed: dict[str, list[str]] = {}
    arguments: dict[str, dict[str, str]] = {}
    sets: dict[str, list[str]] = {}
    autonamed: dict[str, list[str]] = {}
    by_rule: dict[str, set[str]] = {}
    for one in found:
        name = paired.get(one.key)
        if name is None:
            continue
        if names.by_rule(one.module, one.name, begin) == name:
            confirmed.setdefault(one.module, []).append(one.name)
        else:
            exceptions[one.key] = name
        block = schemas[name]["block"]
        read = terraform_arguments.read(block, one.properties, _renamed(name))
        arguments.setdefault(name, {}).update(read.exceptions)
        by_rule.setdefault(name, set()).update(read.by_rule)
        if verbose and read.unpaired:
            print(f"{name}: {' '.join(read.unpaired)}", file=sys.stderr)
        sets[name] = sorted({*sets.get(name, ()), *read.sets})
        for required in terraform_arguments.required_texts(block):
            settable = one.canonical.union(map(canonical, _renamed(name).values()))
            if canonical(required) not in one.required and canonical(required) in settable:
                autonamed.setdefault(required, []).append(name)
    arguments["provider"] = terraform_arguments.read(
        provider_schema["provider"]["block"], resource_types(pulumi_aws.Provider), _renamed("provider")
    ).exceptions
    anywhere = common(arguments, set[str]().union(*by_rule.values()))
    return {
        "source": f"terraform providers schema -json of hashicorp/aws {provider}, beside the classes of pulumi-aws",
        "date": date,
        "sdk": version("pulumi-aws"),
        "provider": provider,
        "prefixes": begin,
        "exceptions": dict(sorted(exceptions.items())),
        "confirmed": {module: " ".join(sorted(those)) for module, those in sorted(confirmed.items())},
        "autonamed": {name: " ".join(sorted(set(those))) for name, those in sorted(autonamed.items())},
        "sets": {name: those for name, those in sorted(sets.items()) if those},
        "anywhere": anywhere,
        "arguments": compact(arguments, anywhere, by_rule),
    }


def _renamed(type_name: str) -> Mapping[str, str]:
    everywhere = {"restApi": "rest_api_id"} if type_name.startswith("aws_api_gateway_") else {}
    return {**everywhere, **_RENAMED.get(type_name, {})}


def common(arguments: Mapping[str, Mapping[str, str]], by_rule: Container[str]) -> dict[str, str]:
    """The exceptions that hold wherever a property of the name stands."""
    seen: dict[str, set[str]] = {}
    for those in arguments.values():
        for path, entry in those.items():
            seen.setdefault(path.rsplit(".", 1)[-1], set()).add(entry)
    return {
        key: next(iter(entries)) for key, entries in sorted(seen.items()) if len(entries) == 1 and key not in by_rule
    }


def compact(
    arguments: Mapping[str, Mapping[str, str]], anywhere: Mapping[str, str], by_rule: Mapping[str, Container[str]]
) -> dict[str, dict[str, str]]:
    """The exceptions that are not common ones; one that holds all over a type is written once, as `*.name`."""
    made: dict[str, dict[str, str]] = {}
    for type_name, those in sorted(arguments.items()):
        rest = {path: entry for path, entry in those.items() if path.rsplit(".", 1)[-1] not in anywhere}
        below = common({path: {path: entry} for path, entry in rest.items()}, by_rule.get(type_name, ()))
        for path, entry in sorted(rest.items()):
            key = path.rsplit(".", 1)[-1]
            made.setdefault(type_name, {})[f"*.{key}" if key in below else path] = entry
    return made


def main(argv: list[str] | None = None) -> None:
    """Write the file and say what it holds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("schema", type=Path, help="what `terraform providers schema -json` printed")
    parser.add_argument("--provider", required=True, help="the version of the provider that it is of")
    parser.add_argument("--date", required=True, help="the day, ISO 8601")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    parser.add_argument("--verbose", action="store_true", help="list the properties that no argument was found for")
    options = parser.parse_args(argv)
    made = table(json.loads(options.schema.read_bytes()), options.provider, options.date, verbose=options.verbose)
    options.output.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    print(
        f"{sum(len(those.split()) for those in made['confirmed'].values())} types by rule, "
        f"{len(made['exceptions'])} exceptions; {sum(map(len, made['arguments'].values()))} arguments",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
