"""The tags of every resource: those that are needed, and what AWS and Karpenter take."""

import re
from collections.abc import Mapping
from datetime import date

from components.scheduling.karpenter_pool import RESTRICTED_TAGS
from stacks.settings.mistakes import mistake

REQUIRED = ("owner", "cost-center", "expires")
OURS = ("gpufleet-pool", "gpufleet-protected", "gpufleet-stack", "managed-by")
"""What the stack itself puts on its resources; the budget counts by one of them."""
MOST = 40
"""EC2 takes 50 a resource; the rest is for our own, the components' and those of EKS."""
_TAG = re.compile(r"[\w .:/=+@-]{1,128}")
"""What every AWS service takes. https://docs.aws.amazon.com/tag-editor/latest/userguide/tagging.html"""


def check(tags: Mapping[str, str]) -> None:
    """Refuse tags that leave out what is needed, or that some service refuses."""
    for key in REQUIRED:
        if not tags.get(key):
            raise mistake(key, tags.get(key), f"non-empty tags {', '.join(REQUIRED)}", f"add {key}")
    for key, value in tags.items():
        _readable(key, value)
    _distinct(tags)
    if len(tags) > MOST:
        raise mistake("", f"{len(tags)} tags", f"at most {MOST}", "leave the least useful out: EC2 takes 50 with ours")
    try:
        date.fromisoformat(tags["expires"])
    except ValueError:
        allowed, fix = "a quoted date, YYYY-MM-DD", 'write expires: "2027-01-31"'
        raise mistake("expires", tags["expires"], allowed, fix) from None


def _readable(key: str, value: str) -> None:
    if not _TAG.fullmatch(key) or not _TAG.fullmatch(value):
        long = max(len(key), len(value))
        fix = f"shorten it: it has {long}" if long > 128 else "write the tag in such characters"
        raise mistake(key, value, "1 to 128 letters, digits, spaces and _.:/=+-@, not beginning with aws:", fix)
    if key.lower().startswith("aws:"):
        raise mistake(key, value, "tags that do not begin with aws:", "leave it out: AWS sets those itself")
    if key.startswith(RESTRICTED_TAGS):
        allowed = f"tags that begin with none of {', '.join(RESTRICTED_TAGS)}"
        raise mistake(key, value, allowed, "leave it out: Karpenter sets those itself")


def _distinct(tags: Mapping[str, str]) -> None:
    """IAM takes `owner` and `Owner` for one tag, given twice."""
    seen = {key.lower(): key for key in OURS}
    for key, value in tags.items():
        if (other := seen.get(key.lower())) is not None:
            ours = "a tag that the stack does not set itself" if other in OURS else f"one tag in place of {other} too"
            raise mistake(key, value, ours, "leave it out, or rename it; IAM does not tell upper case from lower")
        seen[key.lower()] = key
