"""Which tests may run at the same time when `make test` runs two processes."""

from __future__ import annotations

import pytest
from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

TOGETHER, NOT_THESE = "tests/integration/", "tests/integration/without_sandbox/"


class OneSandbox(LoadFileScheduling):  # type: ignore[misc]
    """Integration tests share a sandbox, so one process runs all of them in order.

    Every other file, and tests that need no shared sandbox, may run in parallel with them.
    """

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(TOGETHER) and not nodeid.startswith(NOT_THESE):
            return TOGETHER
        return str(super()._split_scope(nodeid))


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> OneSandbox:
    return OneSandbox(config, log)
