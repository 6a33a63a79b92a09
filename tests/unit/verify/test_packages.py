"""Imports between the packages of verify point one way."""

from __future__ import annotations

import ast
from pathlib import Path

import mirrorstack.verify

ROOT = Path(mirrorstack.verify.__file__).parent
ALLOWED = {
    "reading": set(),
    "compare": {"reading"},
    "groups": {"reading", "compare"},
    "history": {"reading", "compare"},
    "report": {"reading", "compare", "groups", "history"},
}
PREFIX = "mirrorstack.verify."


def imported(file: Path) -> set[str]:
    """The first part below `mirrorstack.verify` of every import, also within functions."""
    modules = [
        node.module or ""
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.ImportFrom)
    ]
    return {each.removeprefix(PREFIX).split(".")[0] for each in modules if each.startswith(PREFIX)}


def test_a_package_imports_only_packages_below_it() -> None:
    base = {"interrupts"}  # imports no other module of verify
    wrong = {
        f"{package}/{file.name}": extra
        for package, allowed in ALLOWED.items()
        for file in (ROOT / package).glob("*.py")
        if (extra := imported(file) - allowed - base - {package})
    }

    assert wrong == {}


def test_every_package_is_checked() -> None:
    assert {each.parent.name for each in ROOT.glob("*/__init__.py")} == set(ALLOWED)
