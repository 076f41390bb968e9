"""Names that are made up, and names of those who own fields."""

import re

from gpufleet.rehearsal.kubernetes.names import automatic, field_manager, is_automatic


def test_an_automatic_name_is_the_logical_one_and_eight_digits() -> None:
    assert re.fullmatch(r"web-[0-9a-f]{8}", automatic("web", b"seed"))


def test_a_replacement_is_named_anew() -> None:
    assert automatic("web", b"one") != automatic("web", b"two")
    assert automatic("web", b"one") == automatic("web", b"one")


def test_every_resource_owns_its_fields_by_a_name_of_its_own() -> None:
    one, other = field_manager("urn:pulumi:dev::p::t::a"), field_manager("urn:pulumi:dev::p::t::b")
    assert re.fullmatch(r"pulumi-kubernetes-[0-9a-f]{8}", one)
    assert one != other


def test_only_the_annotation_makes_a_name_automatic() -> None:
    assert is_automatic({"annotations": {"pulumi.com/autonamed": "true"}})
    assert not is_automatic({"annotations": {"pulumi.com/autonamed": "false"}})
    assert not is_automatic({"name": "web-0a1b2c3d"})
