"""A certain violation must show in the preview as well as in the update, so the firing tests run as both."""

import pytest


@pytest.fixture(params=[True, False], ids=["preview", "update"])
def preview(request: pytest.FixtureRequest) -> bool:
    """Whether the program is run as a preview."""
    return bool(request.param)
