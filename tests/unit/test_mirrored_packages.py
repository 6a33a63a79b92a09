"""The unit tests mirror the packages: a module's tests are found by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "tests" / "unit"
# A package of the repository -> the directory of its unit tests.
MIRRORED = {"mirrorstack": UNIT, "toolchain": UNIT / "toolchain", "components": UNIT / "components"}
PROTOCOLS_ONLY = {"mirrorstack/mm2/flow.py"}
"""Without statements to run; mypy checks that settings satisfy them."""


@pytest.mark.parametrize("package", MIRRORED)
def test_every_module_has_tests_of_its_name(package: str) -> None:
    untested = []
    for module in sorted((ROOT / package).rglob("*.py")):
        within = module.relative_to(ROOT / package)
        tests = MIRRORED[package] / within.parent / f"test_{module.stem.strip('_')}.py"
        if module.name != "__init__.py" and not tests.exists():
            untested.append(str(module.relative_to(ROOT)))

    assert set(untested) <= PROTOCOLS_ONLY
