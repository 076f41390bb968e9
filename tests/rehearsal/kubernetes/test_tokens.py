"""What a type of the SDK stands for."""

import pytest

from gpufleet.rehearsal.kubernetes.errors import RehearsalError
from gpufleet.rehearsal.kubernetes.tokens import Token, parse


@pytest.mark.parametrize(
    ("token", "kind", "wanted"),
    [
        ("kubernetes:core/v1:Namespace", "Namespace", Token("v1", "Namespace", patch=False)),
        ("lab:index:Team$kubernetes:apps/v1:Deployment", "Deployment", Token("apps/v1", "Deployment", patch=False)),
        ("kubernetes:karpenter.sh/v1:NodePool", None, Token("karpenter.sh/v1", "NodePool", patch=False)),
        ("kubernetes:apps/v1:DaemonSetPatch", "DaemonSet", Token("apps/v1", "DaemonSet", patch=True)),
        ("kubernetes:core/v1:ServiceAccountPatch", None, Token("v1", "ServiceAccount", patch=True)),
        ("kubernetes:lab.dev/v1:RolePatch", "RolePatch", Token("lab.dev/v1", "RolePatch", patch=False)),
        ("kubernetes:lab.dev/v1:AllowList", "AllowListed", Token("lab.dev/v1", "AllowList", patch=False)),
    ],
)
def test_a_type_is_a_kind_of_an_api_version(token: str, kind: str | None, wanted: Token) -> None:
    assert parse(token, kind) == wanted


def test_a_list_of_objects_is_refused_with_what_to_declare_instead() -> None:
    with pytest.raises(RehearsalError, match=r"declare each object \(ConfigMap\) by itself"):
        parse("kubernetes:core/v1:ConfigMapList", "ConfigMapList")


@pytest.mark.parametrize(
    ("token", "name"),
    [
        ("kubernetes:yaml/v2:ConfigGroup", "yaml.v2.ConfigGroup"),
        ("kubernetes:kustomize/v2:Directory", "kustomize.v2.Directory"),
    ],
)
def test_what_renders_files_is_refused_with_the_ways_out(token: str, name: str) -> None:
    with pytest.raises(RehearsalError) as refused:
        parse(token)
    assert str(refused.value).startswith(f"{name}: the rehearsal's stand-in for the kubernetes plugin does not render")
    assert "helm.v3.Release" in str(refused.value)
    assert "declare the objects themselves" in str(refused.value)
