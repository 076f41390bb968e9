from typing import Any

import pulumi

from policies.rules.k8s_provider_keeps_what_it_cannot_reach import RULE
from tests.policies.judging import later, messages


class Forgetful(pulumi.ProviderResource):
    def __init__(self, name: str, delete: Any) -> None:
        super().__init__("kubernetes", name, {"deleteUnreachable": delete})


def test_a_provider_that_forgets_is_reported(preview: bool) -> None:
    def build() -> None:
        Forgetful("p", "true")

    assert messages(RULE, build, preview=preview) == [
        "p: deleteUnreachable is true; it must be false, or a lost connection empties the state.",
    ]


def test_one_that_keeps_is_quiet(preview: bool) -> None:
    def build() -> None:
        Forgetful("p", "false")

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_flag_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        Forgetful("p", later("true"))

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "p: deleteUnreachable is true; it must be false, or a lost connection empties the state.",
    ]
