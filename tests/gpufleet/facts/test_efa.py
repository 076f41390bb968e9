"""What pods need for EFA."""

from gpufleet.facts import efa


def test_versions_are_compared_as_numbers() -> None:
    assert sorted(["v0.5.10", "v0.5.9", "v0.5.20"], key=efa.version_key) == ["v0.5.9", "v0.5.10", "v0.5.20"]
    assert efa.least_plugin(["p6-b200", "p6e-gb200"]) == "v0.5.14"
    assert efa.least_plugin(["p5"]) is None


def test_the_pinned_plugin_counts_every_family_rightly() -> None:
    least = efa.least_plugin(["p6-b200", "p6e-gb200"])
    assert least is not None
    assert efa.version_key(efa.plugin().app_version) >= efa.version_key(least)


def test_nothing_is_both_set_and_left_alone() -> None:
    assert {variable.name for variable in efa.variables()} & {variable.name for variable in efa.left_alone()} == set()
    assert all(variable.value is not None and variable.why for variable in efa.variables())
    assert all(variable.value is None and variable.why for variable in efa.left_alone())
