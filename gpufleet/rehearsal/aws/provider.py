"""The provider: Pulumi's resource protocol over the table of AWS types."""

from collections.abc import Mapping
from typing import Any

from pulumi.provider.experimental.property_value import PropertyValue
from pulumi.provider.experimental.provider import (
    CheckFailure,
    CheckRequest,
    CheckResponse,
    ConfigureRequest,
    ConfigureResponse,
    CreateRequest,
    CreateResponse,
    DeleteRequest,
    DiffRequest,
    DiffResponse,
    GetSchemaRequest,
    GetSchemaResponse,
    InvokeRequest,
    InvokeResponse,
    PropertyDiff,
    PropertyDiffKind,
    Provider,
    ReadRequest,
    ReadResponse,
    UpdateRequest,
    UpdateResponse,
)

from gpufleet.rehearsal.aws import configuration, functions, names, state
from gpufleet.rehearsal.aws.calls import Api, Aws
from gpufleet.rehearsal.aws.configuration import Configuration
from gpufleet.rehearsal.aws.diff import Change, compare, old_inputs
from gpufleet.rehearsal.aws.errors import RehearsalError
from gpufleet.rehearsal.aws.table import AwsType, Properties, table
from gpufleet.rehearsal.aws.values import UNKNOWN, holds_unknown, plain, plain_map, wrap_map

DEFAULTS = "__defaults"
"""Key of the checked inputs that names those which check itself has filled in, as in the real provider's."""

_KINDS = {
    Change.ADDED: (PropertyDiffKind.ADD, PropertyDiffKind.ADD_REPLACE),
    Change.DELETED: (PropertyDiffKind.DELETE, PropertyDiffKind.DELETE_REPLACE),
    Change.UPDATED: (PropertyDiffKind.UPDATE, PropertyDiffKind.UPDATE_REPLACE),
}


class AwsStandIn(Provider):
    """The `aws` plugin of a rehearsal.

    Objects are made in the AWS API that `api` reaches and nowhere else; the provider keeps nothing of its own between
    calls but its configuration. With `clears_the_way` what is protected against deletion has that taken off, and
    a bucket its objects, before it is deleted, as an operator would; else the deletion is refused, as AWS does.
    """

    def __init__(self, api: Api, *, clears_the_way: bool = False) -> None:
        self._api = api
        self._clears_the_way = clears_the_way
        self._configuration = Configuration()

    async def get_schema(self, request: GetSchemaRequest) -> GetSchemaResponse:
        """Answer the name alone: the SDK's typed classes need no schema."""
        return GetSchemaResponse(schema='{"name": "aws", "version": "7.51.1"}')

    async def check_config(self, request: CheckRequest) -> CheckResponse:
        """Take the provider's inputs as they are; `configure` judges them."""
        return CheckResponse(inputs=request.new_inputs)

    async def diff_config(self, request: DiffRequest) -> DiffResponse:
        """Never replace the provider: what its settings change shows in the resources (default tags, region).

        Whether they change is left to the engine, which compares the inputs: the SDK's server passes a yes or no of
        this method on as the wrong one of the protocol's values.
        """
        return DiffResponse(changes=None)

    async def configure(self, request: ConfigureRequest) -> ConfigureResponse:
        """Take over the configuration and refuse an account the program does not allow."""
        self._configuration = configuration.read(plain_map(request.args))
        configuration.guard(self._configuration, self._aws({}).account_id)
        # Without accept_secrets the engine takes the marks off and puts them back by property name: nothing to get
        # wrong here.
        return ConfigureResponse(accept_secrets=False, supports_preview=True)

    async def invoke(self, request: InvokeRequest) -> InvokeResponse:
        """Answer one of the lookups in `functions`."""
        arguments = plain_map(request.args)
        return InvokeResponse(return_value=wrap_map(functions.answer(self._aws(arguments), request.tok, arguments)))

    async def check(self, request: CheckRequest) -> CheckResponse:
        """Refuse inputs the table does not know, add the defaults, the automatic name and the merged tags."""
        entry = _entry(request.type)
        given, old = plain_map(request.new_inputs), plain_map(request.old_inputs)
        inputs = {name: value for name, value in given.items() if not name.startswith("__")}
        failures = [
            CheckFailure(name, f"the rehearsal's {entry.name} has no such input; it has {', '.join(entry.all_inputs)}")
            for name in sorted(inputs.keys() - entry.all_inputs.keys())
        ]
        added = {
            name: kind.default for name, kind in entry.inputs.items() if kind.default is not None and name not in inputs
        }
        rule = entry.autoname
        if rule and rule.input not in inputs:
            kept = old.get(rule.input) if rule.input in (old.get(DEFAULTS) or []) else None
            prefix = inputs.get(rule.prefix or "")
            added[rule.input] = kept or names.automatic(rule, request.urn, request.random_seed, prefix)
        inputs |= added
        if entry.tagged:
            inputs["tagsAll"] = self._merged_tags(inputs.get("tags") or {})
        return CheckResponse(inputs=wrap_map({**inputs, DEFAULTS: sorted(added)}), failures=failures)

    def _merged_tags(self, tags: Any) -> Any:
        defaults = self._configuration.default_tags
        return UNKNOWN if holds_unknown(tags) or holds_unknown(defaults) else {**defaults, **tags}

    async def diff(self, request: DiffRequest) -> DiffResponse:
        """Compare with the inputs the state was made from; an unknown counts as a change."""
        entry = _entry(request.type)
        old, new = old_inputs(entry, plain_map(request.old_state)), plain_map(request.new_inputs)
        difference = compare(entry, old, new, request.ignore_changes)
        return DiffResponse(
            changes=bool(difference.changes),
            replaces=list(difference.replaces),
            delete_before_replace=bool(difference.replaces) and _cannot_stand_twice(entry, old, new),
            diffs=list(difference.changes),
            detailed_diff={
                name: PropertyDiff(_KINDS[change][name in difference.replaces], input_diff=True)
                for name, change in difference.changes.items()
            },
        )

    async def create(self, request: CreateRequest) -> CreateResponse:
        """Create the resource; in a preview, answer with what AWS makes up left unknown."""
        entry, inputs = _entry(request.type), _inputs(request.properties)
        aws = self._aws(inputs)
        if request.preview:
            return CreateResponse(properties=wrap_map(state.foreseen(entry, aws, inputs)))
        _known(request.urn, inputs)
        resource_id = entry.create(aws, inputs)
        return CreateResponse(resource_id, wrap_map(state.made(entry, aws, resource_id, inputs)))

    async def update(self, request: UpdateRequest) -> UpdateResponse:
        """Change the resource in place."""
        entry, inputs, old = _entry(request.type), _inputs(request.news), plain_map(request.olds)
        aws = self._aws(inputs)
        if request.preview:
            return UpdateResponse(wrap_map(state.foreseen(entry, aws, inputs, old)))
        _known(request.urn, inputs)
        if entry.update is None:
            raise RehearsalError(
                f"{entry.name} cannot be changed in place, and its table entry says of some input that it can"
            )
        entry.update(aws, request.resource_id, old, inputs)
        return UpdateResponse(wrap_map(state.made(entry, aws, request.resource_id, inputs, old)))

    async def read(self, request: ReadRequest) -> ReadResponse:
        """Look the resource up: for a refresh what AWS says now, for an import all of it; no id where it is gone."""
        entry = _entry(request.type)
        old, inputs = plain_map(request.properties), plain_map(request.inputs)
        aws = self._aws(old or inputs)
        observed = entry.read(aws, request.resource_id, old)
        if observed is None:
            return ReadResponse()
        now, inputs = state.observed(entry, aws, request.resource_id, old, inputs, observed)
        return ReadResponse(request.resource_id, wrap_map(now), wrap_map(inputs))

    async def delete(self, request: DeleteRequest) -> None:
        """Delete the resource; one that is gone already is deleted."""
        old = plain_map(request.properties)
        _entry(request.type).delete(self._aws(old), request.resource_id, old)

    def _aws(self, properties: Properties) -> Aws:
        region = properties.get("region") or self._configuration.region
        if not region:
            raise RehearsalError(
                "aws provider: region: no region is set; give the provider one (aws.Provider(..., region=...))"
            )
        return Aws(self._api, str(region), self._clears_the_way)


def _entry(token: str) -> AwsType:
    # A resource inside components has its parents' types before its own in the URN: parent$aws:ec2/vpc:Vpc.
    token = token.rsplit("$", 1)[-1]
    try:
        return table()[token]
    except KeyError:
        raise RehearsalError(
            f"{token} is not in the rehearsal's table of AWS types (gpufleet/rehearsal/aws/); "
            "add an entry for it, or leave the resource out of the stack that is rehearsed"
        ) from None


def _inputs(properties: Mapping[str, PropertyValue]) -> dict[str, Any]:
    return {
        name: plain(value)
        for name, value in properties.items()
        if value.value is not None and not name.startswith("__")
    }


def _known(urn: str, inputs: Properties) -> None:
    unknown = sorted(name for name, value in inputs.items() if holds_unknown(value))
    if unknown:
        raise RehearsalError(f"{urn}: {', '.join(unknown)}: still unknown although the resource is to be created")


def _cannot_stand_twice(entry: AwsType, old: Properties, new: Properties) -> bool:
    """Say whether the old one must go first: two of it cannot exist, or it keeps a name the program has given it."""
    if entry.singular:
        return True
    rule = entry.autoname
    named = rule is not None and rule.input not in (new.get(DEFAULTS) or [])
    return named and rule is not None and old.get(rule.input) == new.get(rule.input)
