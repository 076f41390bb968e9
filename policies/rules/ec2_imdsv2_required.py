"""Without session tokens any request forged through a pod or a proxy can take the node's credentials."""

from typing import Any

from pulumi_policy import (
    EnforcementLevel,
    PolicyConfigSchema,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    Severity,
)

from ._for_type import Report, for_type
from ._frameworks import security_hub
from ._karpenter import NODE_CLASS
from ._reading import UNKNOWN, differs, number, read, shown

_MACHINES = ("aws:ec2/instance:Instance", "aws:ec2/spotInstanceRequest:SpotInstanceRequest")
_TEMPLATES = ("aws:ec2/launchTemplate:LaunchTemplate", "aws:ec2/launchConfiguration:LaunchConfiguration")
_DEFAULTS = "aws:ec2/instanceMetadataDefaults:InstanceMetadataDefaults"
_MAX_HOPS = 1


def _check_machine(args: ResourceValidationArgs, report: Report) -> None:
    # A machine made from a template takes the template's options, and the template is checked.
    if read(args.props, "metadataOptions") is not None or read(args.props, "launchTemplate") is None:
        _check(args, report)


def _check(args: ResourceValidationArgs, report: Report) -> None:
    _check_options(read(args.props, "metadataOptions"), "metadataOptions.", "optional", args, report)


def _check_class(args: ResourceValidationArgs, report: Report) -> None:
    # Karpenter: required, one hop.
    _check_options(read(args.props, "spec", "metadataOptions"), "spec.metadataOptions.", "required", args, report)


def _check_defaults(args: ResourceValidationArgs, report: Report) -> None:
    _check_options(args.props, "", "no-preference", args, report)


def _check_options(options: Any, path: str, default: str, args: ResourceValidationArgs, report: Report) -> None:
    endpoint = read(options, "httpEndpoint")
    if endpoint is UNKNOWN or endpoint == "disabled":
        return
    tokens = read(options, "httpTokens")
    if differs(tokens, "required", absent=default):
        report(f"{path}httpTokens is {shown(tokens)} (AWS default {default}); it must be required.")
    hops, most = read(options, "httpPutResponseHopLimit"), args.get_config().get("max_hops", _MAX_HOPS)
    if hops is None or hops is UNKNOWN:  # AWS: 1
        return
    count = number(hops)
    if count is None or count > most:
        report(
            f"{path}httpPutResponseHopLimit is {shown(hops)}; it must be at most {shown(most)}, or "
            "pods reach the node's credentials."
        )


RULE = ResourceValidationPolicy(
    name="ec2-imdsv2-required",
    description="Without session tokens any request forged through a pod or a proxy can take the node's credentials.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("EC2.170"),
    tags=["compute", "identity"],
    remediation_steps="Set metadataOptions to {httpEndpoint: enabled, httpTokens: required, httpPutResponseHopLimit: "
    "1}; give pods roles by Pod Identity.",
    url="https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-service.html",
    config_schema=PolicyConfigSchema(
        {"max_hops": {"type": "integer", "minimum": 1, "maximum": 64, "default": _MAX_HOPS}}
    ),
    validate=[
        for_type(_check_machine, *_MACHINES),
        for_type(_check, *_TEMPLATES),
        for_type(_check_class, *NODE_CLASS),
        for_type(_check_defaults, _DEFAULTS),
    ],
)
