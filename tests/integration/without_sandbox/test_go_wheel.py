"""Go from its wheel, as on a machine without Go."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.console import Console
from toolchain.cache import Cache
from toolchain.command import output_of
from toolchain.go import Go
from toolchain.uv import Uv
from toolchain.versions import GO_WHEEL


def test_go_starts_from_an_entry_of_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The entry is renamed when it is complete: a script must not name the old directory."""
    uv = Uv(Cache.of_user()).find()
    assert uv is not None, "`make setup` installs it"
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    go = Go(Cache(tmp_path), uv.path)
    (method,) = go.methods()

    with Console().step("installing Go") as step:
        method.run(step)

    found = go.find()
    assert found is not None
    assert GO_WHEEL in output_of([found.path, "version"])
