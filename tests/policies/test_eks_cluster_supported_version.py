from datetime import date, timedelta
from functools import partial

from gpufleet.facts import kubernetes
from policies.rules.eks_cluster_supported_version import RULE
from tests.policies.clusters import cluster
from tests.policies.judging import later, messages

RELEASE = kubernetes.releases()[-2]


def _on(days_after_the_end: int, **config: int) -> dict[str, object]:
    return {"today": (RELEASE.standard_until + timedelta(days=days_after_the_end)).isoformat(), **config}


def _choice(config: dict[str, object]) -> str:
    return f"choose one of {', '.join(kubernetes.in_standard_support(date.fromisoformat(str(config['today']))))}."


def test_a_version_out_of_standard_support_is_reported_with_the_days(preview: bool) -> None:
    config = _on(3)
    left = (RELEASE.extended_until - RELEASE.standard_until).days - 3
    assert messages(RULE, lambda: cluster(version=RELEASE.version), preview=preview, config=config) == [
        f"cluster: version {RELEASE.version} left standard support 3 days ago ({RELEASE.standard_until}); extended "
        f"support ends in {left} days ({RELEASE.extended_until}); {_choice(config)}"
    ]


def test_the_last_day_of_standard_support_is_quiet_unless_more_days_are_asked_for(preview: bool) -> None:
    build = partial(cluster, version=RELEASE.version)
    assert messages(RULE, build, preview=preview, config=_on(0)) == []
    (message,) = messages(RULE, build, preview=preview, config=_on(0, min_days_left=30))
    assert message.startswith(f"cluster: version {RELEASE.version} leaves standard support in 0 days")


def test_a_version_that_eks_never_had_is_reported(preview: bool) -> None:
    config = _on(0)
    assert messages(RULE, lambda: cluster(version="1.99"), preview=preview, config=config) == [
        f"cluster: version 1.99 is not in the EKS calendar; {_choice(config)}"
    ]


def test_no_version_is_quiet(preview: bool) -> None:
    assert messages(RULE, lambda: cluster(version=None), preview=preview) == []


def test_an_unknown_version_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        cluster(version=later("1.20"))

    assert messages(RULE, build, preview=True) == []
    assert len(messages(RULE, build)) == 1
