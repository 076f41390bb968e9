"""What the guide says of days is what the components declare, and what it says of permissions is what is asked for."""

import re
from pathlib import Path

import pytest

from components.storage import lifecycle
from gpufleet.cleanup import command, services

GUIDE = (Path(__file__).parents[3] / "docs" / "guides" / "end-of-data.md").read_text()
CODE = "\n".join(path.read_text() for path in Path(command.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("purpose", lifecycle.OLD_VERSION_DAYS)
def test_the_table_of_days_is_the_components(purpose: str):
    (row,) = re.findall(rf"^\| {purpose.replace('-', ' ')} \| (.*?) \| (.*?) \|", GUIDE, re.MULTILINE)
    days = lifecycle.OLD_VERSION_DAYS[purpose]
    assert row[1] == f"after {days} day{'' if days == 1 else 's'}"
    if purpose in lifecycle.KEEP_DAYS:
        assert row[0].startswith(f"after {lifecycle.KEEP_DAYS[purpose]} days")


def test_every_permission_that_is_asked_for_is_named():
    asked = set(re.findall(r'"((?:s3|kms|tag):[A-Z]\w+)"', CODE))
    assert {permission for permission in asked if permission not in GUIDE} == set()


def test_every_service_that_is_looked_at_is_listed_for_the_refusal():
    told = GUIDE.lower().replace("repositories", "repository")
    for what in services.WHAT:
        assert what.split()[-1].lower() in told, what


def test_the_limit_is_the_commands():
    assert f"stops after {command.LIMIT:,} versions" in GUIDE
