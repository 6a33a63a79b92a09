"""An API server for each test that asks for one."""

from tests.unit.kubernetes.conftest import api

__all__ = ["api"]
