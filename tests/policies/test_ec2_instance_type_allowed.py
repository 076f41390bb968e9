import pulumi_aws as aws

from policies.rules.ec2_instance_type_allowed import RULE
from tests.policies.elastic import node_pool
from tests.policies.judging import later, messages
from tests.policies.pools import pool

ALLOWED = {"allowed": ["g6.*", "m7i.*"]}


def test_a_type_that_is_not_on_the_list_is_reported_wherever_it_is_bought(preview: bool) -> None:
    def build() -> None:
        pool(types=("g6.2xlarge", "p5.48xlarge"))
        aws.ec2.Instance("machine", ami="ami-1", instance_type="p4d.24xlarge")

    assert messages(RULE, build, preview=preview, config=ALLOWED) == [
        "machine: may launch p4d.24xlarge; the allow list has g6.*, m7i.*.",
        "gpu: may launch p5.48xlarge; the allow list has g6.*, m7i.*.",
    ]


def test_types_of_the_list_are_quiet(preview: bool) -> None:
    def build() -> None:
        pool(types=("g6.2xlarge",))
        node_pool()

    assert messages(RULE, build, preview=preview, config=ALLOWED) == []


def test_without_a_list_every_type_is_quiet(preview: bool) -> None:
    assert messages(RULE, lambda: pool(types=("p5.48xlarge",)), preview=preview) == []


def test_an_unknown_type_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        pool(types=("g6.2xlarge", later("p5.48xlarge")))

    assert messages(RULE, build, preview=True, config=ALLOWED) == []
    assert messages(RULE, build, config=ALLOWED) == ["gpu: may launch p5.48xlarge; the allow list has g6.*, m7i.*."]
