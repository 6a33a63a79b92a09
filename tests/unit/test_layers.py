"""Imports between packages point one way, and only the edges import Pulumi."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# From the bottom to the top: a package may import only packages of the tiers before its own. All
# are packages of mirrorstack/, except toolchain/.
TIERS = (
    ("findings", "text", "console"),
    ("local",),
    ("toolchain",),
    ("kafka", "kubernetes"),
    ("connect",),
    ("mm2",),
    ("config",),
    ("rules",),
    ("changes",),
    ("runtimes",),
    ("strimzi",),
    ("planning",),
    ("sandbox", "lint", "verify", "rendering"),
    ("importing",),
    ("cli",),
)
LEVEL = {package: level for level, tier in enumerate(TIERS) for package in tier}
MAY_IMPORT_PULUMI = ("cli", "toolchain")  # the fallback language host runs Pulumi programs
MAY_IMPORT_SANDBOX = ("cli", "sandbox")
MAY_IMPORT_TOOLCHAIN = {
    "mirrorstack/cli/doctor.py",
    "mirrorstack/cli/workspace.py",
    "mirrorstack/runtimes/installed.py",
    "mirrorstack/verify/reading/session.py",
}
TOOLCHAIN_MAY_IMPORT = (
    "mirrorstack.findings",
    "mirrorstack.console",
    "mirrorstack.local.files",
    "mirrorstack.local.lock",
)


def imported_modules(file: Path) -> Iterator[str]:
    """Every imported module, also inside functions and under TYPE_CHECKING."""
    here = file.relative_to(ROOT).parts
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            relative = here[: len(here) - node.level] if node.level else ()
            base = ".".join((*relative, *filter(None, [node.module])))
            yield from (f"{base}.{alias.name}" for alias in node.names)


def package_of(module: str) -> str | None:
    """The package that has a tier, if the module is in one."""
    top, *rest = module.split(".")
    if top == "mirrorstack":
        return rest[0] if rest else None
    return top if top == "toolchain" else None


def core_files() -> list[Path]:
    return sorted(
        file for top in ("mirrorstack", "toolchain") for file in (ROOT / top).rglob("*.py")
    )


def imports_in_core() -> Iterator[tuple[Path, str, str]]:
    """File, its package, and a module that it imports."""
    for file in core_files():
        path = file.relative_to(ROOT)
        package = package_of(".".join(path.with_suffix("").parts))
        if package not in (None, "__init__"):
            yield from ((path, package, module) for module in imported_modules(file))


def test_every_package_of_the_core_has_a_tier() -> None:
    packages = {
        package_of(".".join(file.relative_to(ROOT).with_suffix("").parts)) for file in core_files()
    }

    assert packages - {"__init__"} == LEVEL.keys()


def test_only_named_modules_import_the_toolchain() -> None:
    importing = {
        str(file)
        for file, package, module in imports_in_core()
        if package_of(module) == "toolchain" != package
    }

    assert importing == MAY_IMPORT_TOOLCHAIN


def test_packages_import_only_packages_below_them() -> None:
    upward = [
        f"{file} imports {module}"
        for file, package, module in imports_in_core()
        if (imported := package_of(module)) not in (None, package)
        and LEVEL[imported] >= LEVEL[package]
    ]

    assert upward == []


def test_the_core_does_not_import_pulumi() -> None:
    importing = [
        f"{file} imports {module}"
        for file, package, module in imports_in_core()
        if module.split(".")[0].startswith(("pulumi", "components", "policies"))
        and package not in MAY_IMPORT_PULUMI
    ]

    assert importing == []


def test_only_the_command_line_imports_the_sandbox() -> None:
    importing = [
        f"{file} imports {module}"
        for file, package, module in imports_in_core()
        if module.startswith("mirrorstack.sandbox") and package not in MAY_IMPORT_SANDBOX
    ]

    assert importing == []


def test_the_toolchain_needs_nothing_that_it_installs() -> None:
    importing = [
        f"{file.relative_to(ROOT)} imports {module}"
        for file in sorted((ROOT / "toolchain").rglob("*.py"))
        for module in imported_modules(file)
        if module.startswith("mirrorstack.") and not module.startswith(TOOLCHAIN_MAY_IMPORT)
    ]

    assert importing == []


@pytest.mark.parametrize("directory", ["mirrorstack", "components", "policies", "toolchain"])
def test_no_module_is_longer_than_300_lines(directory: str) -> None:
    lengths = {
        str(file.relative_to(ROOT)): len(file.read_text("utf-8").splitlines())
        for file in (ROOT / directory).rglob("*.py")
    }

    assert {file: lines for file, lines in lengths.items() if lines > 300} == {}
