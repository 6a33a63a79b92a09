"""Which tests may run at the same time."""

from __future__ import annotations

import pytest

SHARED_SANDBOX = "sandbox"


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that use the shared sandbox run one after the other, in one process: there is one
    sandbox per run. Every other file is a group of its own and may run beside them."""
    sharing = {item.path for item in items if SHARED_SANDBOX in getattr(item, "fixturenames", ())}
    for item in items:
        group = SHARED_SANDBOX if item.path in sharing else str(item.path)
        item.add_marker(pytest.mark.xdist_group(group))
