from typing import Any

import pulumi_aws as aws

from policies.rules.sqs_queue_encrypted import RULE
from tests.policies.judging import later, messages

FAULT = [
    "queue: sqsManagedSseEnabled is false (AWS default true) and kmsMasterKeyId is not set; one of them must encrypt "
    "the queue."
]


def _queue(managed: Any = None, key: Any = None) -> None:
    aws.sqs.Queue("queue", sqs_managed_sse_enabled=managed, kms_master_key_id=key)


def test_a_queue_whose_encryption_is_switched_off_is_reported(preview: bool) -> None:
    assert messages(RULE, lambda: _queue(False), preview=preview) == FAULT


def test_the_default_and_a_key_of_ones_own_are_quiet(preview: bool) -> None:
    assert messages(RULE, _queue, preview=preview) == []
    assert messages(RULE, lambda: _queue(True), preview=preview) == []
    assert messages(RULE, lambda: _queue(False, later("arn:k")), preview=preview) == []


def test_an_unknown_flag_is_quiet_until_it_is_known() -> None:
    assert messages(RULE, lambda: _queue(later(False)), preview=True) == []
    assert messages(RULE, lambda: _queue(later(False))) == FAULT
