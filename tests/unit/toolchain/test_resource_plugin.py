"""A resource plugin in the Pulumi home: official, built here, or incomplete."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.console import Console
from tests.unit.toolchain.machine import executable
from toolchain import versions
from toolchain.cache import Cache
from toolchain.resource_plugin import (
    ResourcePlugin,
    docker_plugin,
    kafka_plugin,
    kubernetes_plugin,
)

VERSION = versions.KAFKA_PLUGIN


@pytest.fixture
def plugin(cache: Cache, tmp_path: Path, console: Console) -> ResourcePlugin:
    return kafka_plugin(cache, tmp_path / "uv", tmp_path / "pulumi", tmp_path / "home", console)


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    directory = tmp_path / "home" / "plugins" / f"resource-kafka-v{VERSION}"
    executable(directory / "pulumi-resource-kafka", f"echo {VERSION}")
    return directory


def test_the_official_plugin_is_used(plugin: ResourcePlugin, installed: Path) -> None:
    found = plugin.find()
    assert found is not None
    assert (found.version, found.origin) == (VERSION, "official plugin")
    assert plugin.check(found) == ""


def test_an_unfinished_installation_is_not_used(plugin: ResourcePlugin, installed: Path) -> None:
    marker = installed.with_name(f"{installed.name}.partial")
    marker.touch()
    assert plugin.find() is None
    marker.unlink()
    assert plugin.find() is not None


def test_an_older_build_of_this_repository_is_not_used(
    plugin: ResourcePlugin, installed: Path
) -> None:
    (installed / "built-from").write_text("kafka-plugin-of-last-year")
    assert plugin.find() is None


def test_a_plugin_that_does_not_run_is_reported_with_the_path_to_remove(
    plugin: ResourcePlugin, installed: Path
) -> None:
    executable(installed / "pulumi-resource-kafka", "exit 1")
    found = plugin.find()
    assert found is not None
    assert "--version` prints '' instead of 3.13.3" in plugin.check(found)
    assert plugin.paths_to_remove(found) == [installed], (
        "Pulumi treats an empty directory as an installed plugin"
    )


def test_a_plugin_that_is_not_available_is_explained(
    cache: Cache, tmp_path: Path, console: Console
) -> None:
    paths = (tmp_path / "uv", tmp_path / "pulumi", tmp_path / "home")
    plugin = docker_plugin(cache, *paths, console)

    assert plugin.find() is None
    assert "`pulumi plugin install resource docker 5.2.0`" in plugin.fix


def test_a_plugin_without_a_go_module_is_only_downloaded(
    cache: Cache, tmp_path: Path, console: Console
) -> None:
    paths = (tmp_path / "uv", tmp_path / "pulumi", tmp_path / "home")
    plugin = kubernetes_plugin(cache, *paths, console)

    assert [method.label for method in plugin.methods()] == ["official plugin"]
    assert plugin.fix.startswith("run `pulumi plugin install resource kubernetes ")
    assert "Go" not in plugin.fix
