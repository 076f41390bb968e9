"""Presets of well-known models."""

from gpufleet.facts import models


def test_a_preset_is_found_by_name_and_by_repository_in_any_case():
    found = models.find("llama-3.1-8b")
    assert found is not None
    assert found is models.find("meta-llama/llama-3.1-8B")
    assert (found.parameters, found.config["hidden_size"]) == (8_030_261_248, 4096)


def test_a_name_that_is_none_has_no_preset():
    assert models.find("llama-9") is None


def test_a_mistyped_name_has_near_ones():
    assert models.nearest("lama-3.1-8b")[0] == "llama-3.1-8b"


def test_every_preset_names_its_source_and_its_date():
    assert len(models.names()) == len(set(models.names())) >= 40
    for name in models.names():
        found = models.find(name)
        assert found is not None
        assert found.name == name == name.lower()
        assert found.source
        assert len(found.date) == len("2026-06-29")
        assert found.parameters > 10**8


def test_a_preset_cannot_be_changed():
    found = models.find("gpt-2")
    assert found is not None
    assert type(found.config).__name__ == "mappingproxy"
