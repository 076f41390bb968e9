from collections.abc import Callable

import pytest

from components.identity import exact_names


@pytest.mark.parametrize("check", [exact_names.namespace, exact_names.service_account])
@pytest.mark.parametrize("name", ["job-*", "*", "runner?"])
def test_a_wildcard_is_refused_by_name_since_it_would_match_no_pod(check: Callable[[str, str], str], name: str) -> None:
    with pytest.raises(ValueError, match=r"service_account: '.*' holds a wildcard, .* name each one"):
        check("service_account", name)


@pytest.mark.parametrize("name", ["Runner", "-runner", "runner-", "", "a/b", "${aws:username}"])
def test_what_kubernetes_would_not_take_is_refused(name: str) -> None:
    for check in (exact_names.namespace, exact_names.service_account):
        with pytest.raises(ValueError, match="is no Kubernetes name"):
            check("name", name)


def test_a_service_account_may_have_dots_and_a_namespace_may_not() -> None:
    assert exact_names.service_account("service_account", "ci.runner") == "ci.runner"
    with pytest.raises(ValueError, match="namespace: 'ci.runner' is no Kubernetes name"):
        exact_names.namespace("namespace", "ci.runner")


def test_an_arn_names_one_resource_or_is_not_known_yet() -> None:
    unknown = object()  # stands for an output

    assert exact_names.arn("bucket_arn", "arn:aws:s3:::data") == "arn:aws:s3:::data"
    assert exact_names.arn("bucket_arn", unknown) is unknown
    for many in ("*", "arn:aws:s3:::data-*", "arn:aws:s3:::dat?", "data"):
        with pytest.raises(ValueError, match="bucket_arn: .* does not name one resource"):
            exact_names.arn("bucket_arn", many)


@pytest.mark.parametrize("path", ["", "gpufleet", "/gpufleet", "gpufleet/", "/a//b/", "/a b/"])
def test_a_path_begins_and_ends_with_a_slash(path: str) -> None:
    assert exact_names.path("path", "/") == "/"
    assert exact_names.path("path", "/teams/gpu/") == "/teams/gpu/"
    with pytest.raises(ValueError, match="path: .* is no path of IAM"):
        exact_names.path("path", path)
