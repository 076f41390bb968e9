"""Which control plane a provider of the program speaks to."""

import json

import pytest

from gpufleet.rehearsal.kubernetes.connection import KUBECONFIG, KUBECONFIGS
from gpufleet.rehearsal.kubernetes.errors import RehearsalError
from gpufleet.rehearsal.kubernetes.planes import Planes
from tests.rehearsal.kubernetes.test_connection import kubeconfig

EAST, WEST = (f"urn:pulumi:dev::fleet::pulumi:providers:kubernetes::{name}" for name in ("east", "west"))
ONE, TWO = "https://127.0.0.1:1001", "https://127.0.0.1:1002"
SEVERAL = {
    KUBECONFIG: kubeconfig(ONE),
    KUBECONFIGS: json.dumps({EAST: kubeconfig(ONE), WEST: kubeconfig(TWO)}),
}


def test_of_one_control_plane_every_provider_is_told_that_one() -> None:
    planes = Planes({KUBECONFIG: kubeconfig(ONE)})
    assert (planes.api_of(EAST).server, planes.api_of("").server) == (ONE, ONE)


def test_of_several_each_provider_has_its_own() -> None:
    planes = Planes(SEVERAL)
    assert (planes.api_of(EAST).server, planes.api_of(WEST).server) == (ONE, TWO)


@pytest.mark.parametrize(
    ("provider", "said"),
    [(EAST + "2", f"provider {EAST}2: the rehearsal has"), ("", "a provider that the engine does not name: ")],
)
def test_a_provider_that_none_of_several_is_for_is_refused(provider: str, said: str) -> None:
    with pytest.raises(RehearsalError) as refused:
        Planes(SEVERAL).api_of(provider)
    assert str(refused.value).startswith(said)
    assert f"a control plane for each of {EAST}, {WEST}, and none for this one" in str(refused.value)


def test_one_elsewhere_among_several_is_refused() -> None:
    planes = Planes({**SEVERAL, KUBECONFIGS: json.dumps({EAST: kubeconfig("https://10.0.0.1")})})
    with pytest.raises(RehearsalError, match="is not a loopback address"):
        planes.api_of(EAST)
