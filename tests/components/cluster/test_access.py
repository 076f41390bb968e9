import pytest

from components.cluster.access import principal_names

ACCOUNT = "arn:aws:iam::111122223333"


def test_a_principal_is_named_by_the_last_part_of_its_path() -> None:
    assert principal_names([f"{ACCOUNT}:user/ann", f"{ACCOUNT}:role/teams/gpu/platform"]) == {
        "platform": f"{ACCOUNT}:role/teams/gpu/platform",
        "ann": f"{ACCOUNT}:user/ann",
    }


def test_a_principal_named_twice_counts_once() -> None:
    assert list(principal_names([f"{ACCOUNT}:role/ops", f"{ACCOUNT}:role/ops"])) == ["ops"]


@pytest.mark.parametrize(
    "arn",
    [
        "role/ops",
        "arn:aws:sts::111122223333:assumed-role/ops/session",
        f"{ACCOUNT}:root",
        f"{ACCOUNT}:role/*",
        f"{ACCOUNT}:group/ops",
    ],
)
def test_what_is_no_role_or_user_is_refused(arn: str) -> None:
    with pytest.raises(ValueError, match="is not a role or user; allowed are ARNs like arn:aws:iam::"):
        principal_names([arn])


def test_two_principals_of_one_name_are_refused_rather_than_confused() -> None:
    with pytest.raises(ValueError, match="role/a/ops and .*role/b/ops end in the same name"):
        principal_names([f"{ACCOUNT}:role/a/ops", f"{ACCOUNT}:role/b/ops"])
