"""Lookups over a plan, and what is never shown."""

from dataclasses import replace

import pulumi
import pulumi_aws as aws
import pytest

from gpufleet.plan.graph import UNKNOWN
from gpufleet.report.estate import MASK, Estate, entries, in_words, mapping, text
from tests.gpufleet.report.world import Box, estate_of
from tests.harness import record


def test_secrets_are_masked_before_anything_reads_them():
    def build():
        aws.rds.Instance("db", instance_class="db.t3.micro", password=pulumi.Output.secret("hunter2"), username="me")

    (entry,) = (e for e in entries(record(build).resources) if e["name"] == "db")
    assert entry["inputs"]["password"] == MASK
    assert entry["inputs"]["username"] == "me"
    assert "hunter2" not in repr(entry)


@pytest.mark.parametrize("path", ["a.b[1].c", "a.b[1]"])
def test_a_secret_deep_inside_is_masked_alone(path: str):
    (resource,) = record(lambda: aws.sqs.Queue("q")).all("aws:sqs/queue:Queue")
    inputs = {"a": {"b": ["x", {"c": "hunter2"}], "d": "seen"}}
    (entry,) = entries([replace(resource, inputs=inputs, outputs={}, secrets=(path,))])
    assert "hunter2" not in repr(entry)
    assert entry["inputs"]["a"]["d"] == "seen"


def test_a_secret_under_a_key_with_dots_masks_the_branch():
    (resource,) = record(lambda: aws.sqs.Queue("q")).all("aws:sqs/queue:Queue")
    (entry,) = entries([replace(resource, inputs={"tags": {"a.b": "hunter2"}}, outputs={}, secrets=("tags.a.b",))])
    assert entry["inputs"] == {"tags": {"a.b": MASK}}


def test_a_resource_is_found_by_id_and_by_arn():
    estate = estate_of(lambda: aws.kms.Key("k"))
    (key,) = estate.of("aws:kms/key:Key")
    assert estate.find(key["id"]) is key
    assert estate.name(key["outputs"]["arn"]) == "k"
    assert estate.name("arn:aws:kms:eu-west-1:1:key/other") == "arn:aws:kms:eu-west-1:1:key/other"


def test_a_region_is_the_resources_own_or_its_zones():
    def build():
        vpc = aws.ec2.Vpc("v", cidr_block="10.0.0.0/16", region="eu-west-1")
        aws.ec2.Subnet("s", vpc_id=vpc.id, cidr_block="10.0.0.0/24", availability_zone="us-west-2b")

    estate = estate_of(build)
    assert estate.region(estate.of("aws:ec2/vpc:Vpc")[0]) == "eu-west-1"
    assert estate.region(estate.of("aws:ec2/subnet:Subnet")[0]) == "us-west-2"


def test_a_component_is_its_own_component_and_its_childrens():
    def build():
        aws.sqs.Queue("q", opts=pulumi.ResourceOptions(parent=Box("box")))
        aws.sqs.Queue("alone")

    estate = estate_of(build)
    assert {e["name"]: estate.component(e) for e in estate.resources} == {"box": "box", "q": "box", "alone": ""}


@pytest.mark.parametrize(
    ("camel", "words"),
    [("minSize", "min size"), ("GetObjectVersion", "get object version"), ("KMSKeyId", "KMS key id")],
)
def test_camels_become_words(camel: str, words: str):
    assert in_words(camel) == words


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, ""),
        (True, "yes"),
        (3.0, "3"),
        (UNKNOWN, "(known after the update)"),
        (["a", 1], "a, 1"),
        ({"k": "v"}, "k: v"),
    ],
)
def test_a_value_is_shown_as_a_person_writes_it(value: object, shown: str):
    assert text(value) == shown


@pytest.mark.parametrize("value", [UNKNOWN, None, 3, "{broken", [], "[1]"])
def test_what_is_no_object_reads_as_an_empty_one(value: object):
    assert mapping(value) == {}


def test_resources_come_in_one_order_however_they_were_registered():
    entries_ = entries(record(lambda: [aws.sqs.Queue(name) for name in "bca"]).resources)
    assert [e["name"] for e in Estate(entries_[::-1]).resources] == ["a", "b", "c"]
