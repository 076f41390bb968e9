from policies.rules.eks_cluster_access_entries_only import RULE
from tests.policies.clusters import cluster
from tests.policies.judging import later, messages

MODE = "cluster: accessConfig.authenticationMode is {} (AWS default CONFIG_MAP); it must be API."
CREATOR = "cluster: accessConfig.bootstrapClusterCreatorAdminPermissions is {} (AWS default true); it must be false."


def test_a_cluster_that_says_nothing_has_both_faults(preview: bool) -> None:
    assert messages(RULE, lambda: cluster(access_config=None), preview=preview) == [
        MODE.format("not set"),
        CREATOR.format("not set"),
    ]


def test_the_config_map_beside_entries_is_reported(preview: bool) -> None:
    def build() -> None:
        cluster(
            access_config={
                "authentication_mode": "API_AND_CONFIG_MAP",
                "bootstrap_cluster_creator_admin_permissions": False,
            }
        )

    assert messages(RULE, build, preview=preview) == [MODE.format("API_AND_CONFIG_MAP")]


def test_entries_only_without_a_creator_is_quiet(preview: bool) -> None:
    assert messages(RULE, cluster, preview=preview) == []


def test_an_unknown_mode_hides_no_certain_creator() -> None:
    def build() -> None:
        cluster(access_config={"authentication_mode": later("CONFIG_MAP")})

    assert messages(RULE, build, preview=True) == [CREATOR.format("not set")]
    assert messages(RULE, build) == [MODE.format("CONFIG_MAP"), CREATOR.format("not set")]
