"""The EKS version calendar."""

from datetime import date

from gpufleet.facts import kubernetes


def test_the_default_version_is_in_the_calendar() -> None:
    assert kubernetes.DEFAULT_VERSION == "1.35"
    assert kubernetes.find(kubernetes.DEFAULT_VERSION) is not None


def test_versions_come_oldest_first_by_number_and_not_by_text() -> None:
    minors = [int(release.version.partition(".")[2]) for release in kubernetes.releases()]
    assert minors == list(range(31, 37))


def test_standard_support_includes_its_last_day() -> None:
    assert kubernetes.in_standard_support(date(2026, 12, 2)) == ("1.34", "1.35", "1.36")
    assert kubernetes.in_standard_support(date(2026, 12, 3)) == ("1.35", "1.36")


def test_a_version_is_not_in_support_before_it_is_released() -> None:
    assert kubernetes.in_standard_support(date(2026, 6, 1)) == ("1.33", "1.34", "1.35")


def test_a_release_knows_its_support_on_a_day() -> None:
    release = kubernetes.find("1.33")
    assert release is not None
    assert release.support(date(2026, 7, 29)) == "standard"
    assert release.support(date(2026, 7, 30)) == "extended"
    assert release.support(date(2027, 7, 30)) == "ended"


def test_an_unknown_version_is_none() -> None:
    assert kubernetes.find("1.3") is None
    assert kubernetes.find("v1.35") is None
