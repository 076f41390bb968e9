"""Helm charts (helm.v4.Chart): not rendered, but recorded as the one release that their values describe."""

from collections.abc import Mapping
from typing import Any

import pulumi
from pulumi.provider.experimental.property_value import PropertyValue, ResourceReference
from pulumi.provider.experimental.provider import ConstructRequest, ConstructResponse

from gpufleet.rehearsal.aws.values import plain
from gpufleet.rehearsal.kubernetes.state import holds_secret
from gpufleet.rehearsal.kubernetes.tokens import HELM_CHART, HELM_RELEASE

# What a chart and a release have in common, by the same names; the rest is about rendering.
_SHARED = (
    "chart",
    "devel",
    "keyring",
    "name",
    "namespace",
    "repositoryOpts",
    "skipCrds",
    "values",
    "verify",
    "version",
)


class RecordedChart(pulumi.ComponentResource):
    """The chart, with the recorded release as its only child."""

    def __init__(self, name: str, inputs: Mapping[str, Any], opts: pulumi.ResourceOptions) -> None:
        super().__init__(HELM_CHART, name, dict(inputs), opts)
        release = {key: inputs[key] for key in _SHARED if key in inputs}
        # A chart's objects are named after the chart resource, not at random.
        self.release = pulumi.CustomResource(
            HELM_RELEASE, name, {"name": name, **release}, pulumi.ResourceOptions(parent=self)
        )
        self.register_outputs({"resources": [self.release]})


async def construct(request: ConstructRequest) -> ConstructResponse:
    """Register the chart and its release with the engine."""
    chart = RecordedChart(request.name, {key: _input(value) for key, value in request.inputs.items()}, request.options)
    urn, release_urn = await chart.urn.future(), await chart.release.urn.future()
    reference = PropertyValue(ResourceReference(str(release_urn), await _id(chart.release)))
    return ConstructResponse(str(urn), {"resources": PropertyValue([reference])}, {})


async def _id(resource: pulumi.CustomResource) -> PropertyValue:
    known = await resource.id.future()
    return PropertyValue(known if known is not None else pulumi.runtime.rpc.UNKNOWN)


def _input(value: PropertyValue) -> Any:
    return pulumi.Output.secret(plain(value)) if holds_secret(value) else plain(value)
