"""What reports of the node monitoring agent lead to."""

from gpufleet.facts import node_agent, node_repair


def test_an_override_changes_what_eks_did_while_the_code_was_a_condition() -> None:
    for xid, override in zip((13, 31), node_repair.overrides(), strict=True):
        assert (override.xid, override.reason) == (xid, f"NvidiaXID{xid}Error")
        assert node_repair.former_action(xid) == "Reboot" != override.action


def test_codes_that_the_agent_reports_as_conditions_have_an_action_and_all_others_none() -> None:
    assert [xid for xid in range(200) if node_repair.default_action(xid)] == [
        *(46, 48, 54, 62, 63, 64, 74, 79, 95, 109, 110, 119, 120, 136, 140, 142, 143, 151, 155, 156, 158)
    ]
    assert [node_repair.default_action(xid) for xid in (48, 79, 46, 43)] == [
        "Reboot",
        "Replace",
        "Replace or Reboot",
        None,
    ]


def test_codes_that_became_events_did_so_in_the_oldest_agent_that_we_install() -> None:
    assert [xid for xid in range(200) if node_repair.former_action(xid)] == [13, 31, 94, 121]
    assert not any(node_repair.default_action(xid) for xid in (13, 31, 94, 121))
    assert node_repair.events_since() == node_agent.LEAST_VERSION
