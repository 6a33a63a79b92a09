"""Runtimes by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.findings import UserError
from mirrorstack.runtimes.local import LocalRuntime
from mirrorstack.runtimes.registry import create_runtime


def test_a_runtime_is_created_by_its_name(tmp_path: Path) -> None:
    runtime = create_runtime("local-process", "dev", tmp_path)

    assert isinstance(runtime, LocalRuntime)
    assert (runtime.stack, runtime.home) == ("dev", tmp_path)


def test_an_unknown_runtime_is_reported_with_a_suggestion(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="unknown runtime 'local'") as raised:
        create_runtime("local", "dev", tmp_path)

    assert "local-process" in raised.value.fix
