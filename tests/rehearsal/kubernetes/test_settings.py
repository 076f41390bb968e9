"""The provider's own settings."""

import pytest

from gpufleet.rehearsal.aws.values import UNKNOWN
from gpufleet.rehearsal.kubernetes.errors import RehearsalError
from gpufleet.rehearsal.kubernetes.replacing import Mutable
from gpufleet.rehearsal.kubernetes.settings import Settings, read


def test_a_provider_without_settings_has_the_official_ones_defaults() -> None:
    assert read({}) == Settings(namespace="default", force=False, upsert=False, mutable=Mutable())


def test_settings_come_as_json_text_and_as_values() -> None:
    given = {
        "namespace": "ml",
        "enablePatchForce": "true",
        "upsertExistingObjects": True,
        "enableSecretMutable": "true",
    }
    assert read(given) == Settings("ml", force=True, upsert=True, mutable=Mutable(secrets=True))


def test_a_kubeconfig_that_is_not_known_yet_is_not_looked_at() -> None:
    assert read({"kubeconfig": UNKNOWN, "__internal": {}}) == Settings()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"kubeconfig": "{"}, "kubeconfig: not YAML"),
        ({"enableServerSideApply": "false"}, "applies objects server-side only"),
        ({"renderYamlToDirectory": "out"}, "renderYamlToDirectory: the rehearsal does not know this setting"),
    ],
)
def test_what_the_stand_in_could_only_ignore_is_refused(given: dict[str, str], said: str) -> None:
    with pytest.raises(RehearsalError, match=said):
        read(given)
