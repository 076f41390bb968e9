"""JUnit XML, parsed back."""

from xml.etree import ElementTree

from gpufleet.check import junit
from tests.gpufleet.check.verdicts import EVERYTHING, PREFIX, VIOLATIONS, verdict


def cases(text: str) -> dict[str, ElementTree.Element]:
    return {str(case.get("name")): case for case in ElementTree.fromstring(text).iter("testcase")}


def test_the_totals_are_those_of_the_cases():
    root = ElementTree.fromstring(junit.text(EVERYTHING))
    totals = {"tests": "5", "failures": "1", "errors": "0", "skipped": "2", "time": "1.5"}
    assert (root.tag, root.attrib) == ("testsuites", totals)
    [suite] = root
    assert (suite.tag, suite.attrib) == ("testsuite", {"name": "gpufleet check fleet/prod", **totals})
    assert [case.get("classname") for case in suite] == ["fleet/prod"] * 5


def test_a_broken_rule_fails_with_all_that_it_found():
    [failure] = cases(junit.text(EVERYTHING))["encrypted"]
    assert (failure.tag, failure.get("type")) == ("failure", "critical")
    assert failure.get("message") == "datasets: 100% open,\nand: so on \ufffd (and 1 more)"
    assert failure.text == (
        f"{PREFIX}datasets: 100% open,\nand: so on \ufffd (mandatory; fix: Mend encrypted.)\n"
        f"{PREFIX}datasets: a second fault (mandatory; fix: Mend encrypted.)"
    )


def test_a_rule_that_only_advises_passes_and_says_so():
    [said] = cases(junit.text(EVERYTHING))["logged"]
    assert (said.tag, said.text) == ("system-out", "the stack: nobody logs (advisory; fix: Mend logged.)")


def test_a_waived_and_a_disabled_rule_are_skipped_and_say_why():
    found = cases(junit.text(EVERYTHING))
    assert [(child.tag, child.get("message")) for name in ("versioned", "off") for child in found[name]] == [
        ("skipped", "scratch: waived by ml-platform until 2027-01-31: made again by every job"),
        ("skipped", "disabled by the policy configuration"),
    ]


def test_a_rule_that_is_waived_on_one_resource_and_broken_on_another_fails():
    broken = VIOLATIONS[3].__class__("versioned", f"{PREFIX}other", "no versions", "mandatory", "medium", "Mend.")
    [failure] = cases(junit.text(verdict(broken, VIOLATIONS[3])))["versioned"]
    assert failure.tag == "failure"
    assert "waived by ml-platform until 2027-01-31" in str(failure.text)


def test_a_rule_that_holds_passes():
    assert list(cases(junit.text(EVERYTHING))["quiet"]) == []
