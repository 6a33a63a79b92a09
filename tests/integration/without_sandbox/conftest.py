"""The Pulumi CLI of the set-up with the fallback language host."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mirrorstack.console import Console
from mirrorstack.local.home import ROOT
from toolchain import receipt
from toolchain.cache import Cache
from toolchain.fallback.language_host_part import EXECUTABLE, LanguageHost
from toolchain.part import ensure


@pytest.fixture(scope="session")
def language_host_bin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The CLI of the set-up next to the fallback host, whichever host the CLI came with."""
    parts = receipt.read(ROOT / ".mirrorstack")
    pulumi = parts["pulumi"].path.resolve()
    host = ensure(LanguageHost(Cache.of_user(), parts["uv"].path), Console())
    directory = tmp_path_factory.mktemp("bin")
    for name in ("pulumi", "pulumi-language-python-exec", "pulumi-resource-pulumi-python"):
        shutil.copy2(pulumi.parent / name, directory)
    (directory / EXECUTABLE).symlink_to(host.path)
    return directory
