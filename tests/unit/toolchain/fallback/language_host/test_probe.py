"""The plugins and packages of a program's interpreter."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.unit.toolchain.fallback.language_host.host import in_this_environment
from toolchain.fallback.language_host import probe
from toolchain.fallback.language_host.environment import Environment
from toolchain.fallback.language_host.service import required_package


class TestRequiredPackages:
    def declare(self, directory: Path, package: str, **plugin: object) -> None:
        (directory / package).mkdir(parents=True)
        (directory / package / "pulumi-plugin.json").write_text(json.dumps(plugin))

    def test_name_version_and_server_come_from_the_file(self, tmp_path: Path) -> None:
        self.declare(
            tmp_path, "acme_dns", resource=True, name="dns", version="1.2.3", server="https://x"
        )
        [found] = map(required_package, probe.plugins([str(tmp_path)]))
        assert (found.kind, found.name, found.version, found.server) == (
            "resource", "dns", "1.2.3", "https://x",
        )  # fmt: skip

    def test_a_package_without_a_plugin_is_left_out(self, tmp_path: Path) -> None:
        self.declare(tmp_path, "pulumi_policy", resource=False)
        self.declare(tmp_path, "pulumi_other")
        assert probe.plugins([str(tmp_path)]) == []

    def test_name_and_version_are_derived_where_the_file_has_none(self, tmp_path: Path) -> None:
        self.declare(tmp_path, "pulumi_kafka", resource=True)
        self.declare(tmp_path, "pulumi_not_installed", resource=True)
        found = {plugin["name"]: plugin["version"] for plugin in probe.plugins([str(tmp_path)])}
        assert found["kafka"].count(".") == 2, "the version of the installed distribution"
        assert found["not-installed"] == ""

    def test_the_first_package_on_the_module_path_is_used(self, tmp_path: Path) -> None:
        self.declare(tmp_path / "first", "pulumi_x", resource=True, version="1.0.0")
        self.declare(tmp_path / "second", "pulumi_x", resource=True, version="2.0.0")
        [found] = probe.plugins([str(tmp_path / "first"), str(tmp_path / "second")])
        assert found["version"] == "1.0.0"

    def test_the_parameterization_of_a_package_is_passed_on(self) -> None:
        given = {"name": "tls", "version": "4.0.0", "value": "aGVsbG8="}
        base = {"name": "terraform-provider", "version": "1.0.0"}
        found = required_package({**base, "parameterization": given})
        assert found.parameterization.name == "tls"
        assert found.parameterization.value == b"hello"
        assert not found.HasField("extension")

    def test_packages_are_those_of_the_interpreter_of_the_program(self, tmp_path: Path) -> None:
        chosen = Environment.of(in_this_environment(tmp_path))
        assert "kafka" in {plugin["name"] for plugin in chosen.query("plugins")}
        assert chosen.query("python")["executable"] == f"{sys.prefix}/bin/python"
        direct = {package["name"] for package in chosen.query("packages")}
        everything = {package["name"] for package in chosen.query("all-packages")}
        assert "grpcio" in everything - direct, "pulumi requires it"
