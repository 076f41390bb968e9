"""Whether a stack is a protected environment: one whose data and nodes must not be lost.

It says so by a tag, which the provider's default tags bring to everything.
"""

import json
from typing import Any, Final

from pulumi_policy import PolicyProviderResource, PolicyResource

from ._karpenter import NODE_CLASS
from ._reading import UNKNOWN, read
from ._stack import Stack

TAG: Final = "gpufleet-protected"


def default_tags(provider: PolicyProviderResource | None) -> Any:
    """Return an AWS provider's default tags, which travel as JSON text; `UNKNOWN` while they are not known."""
    block = read(provider.props, "defaultTags") if provider else None
    if isinstance(block, str):
        try:
            block = json.loads(block)
        except ValueError:
            return None
    return UNKNOWN if block is UNKNOWN else read(block, "tags")


def is_protected(resource: PolicyResource) -> bool:
    """Tell whether the resource certainly belongs to a protected environment."""
    sources = (
        read(resource.props, "tags"),
        read(resource.props, "tagsAll"),
        default_tags(resource.provider),
        read(resource.props, "spec", "tags") if resource.resource_type in NODE_CLASS else None,
    )
    return any(read(tags, TAG) == "true" for tags in sources)


def protected_stack(stack: Stack) -> bool:
    """Tell whether anything of the stack says that it is one."""
    return any(map(is_protected, stack.kind("aws:")))
