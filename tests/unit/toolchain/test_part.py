"""Finding, downloading or building a part: the order, the output, and the error at the end."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mirrorstack.console import Console, Step
from mirrorstack.findings import UserError
from toolchain.part import InstalledPart, InstallMethod, Part, Unavailable, ensure

INSTALLED = InstalledPart(Path("/opt/anvil"), "2.0", "official download")


@dataclass
class Anvil(Part):
    """A part whose install methods are functions with telling names."""

    name = "Anvil"
    why = "roadrunners are stopped with it"
    fix = "type `acme install anvil`"

    attempts: dict[str, Callable[[Anvil], None]] = field(default_factory=dict)
    found: InstalledPart | None = None
    reason: str = ""
    tried: list[str] = field(default_factory=list)

    def find(self) -> InstalledPart | None:
        return self.found

    def methods(self) -> Sequence[InstallMethod]:
        def method(label: str, attempt: Callable[[Anvil], None]) -> InstallMethod:
            def install(_step: Step) -> None:
                self.tried.append(label)
                attempt(self)

            return InstallMethod(label, install)

        return [method(label, attempt) for label, attempt in self.attempts.items()]

    def why_missing(self) -> str:
        return self.reason


def works(anvil: Anvil) -> None:
    anvil.found = INSTALLED


def has_no_network(anvil: Anvil) -> None:
    raise Unavailable("no network\nwith details")


def has_no_compiler(anvil: Anvil) -> None:
    raise Unavailable("no compiler")


def does_nothing(anvil: Anvil) -> None:
    pass


def test_no_method_is_tried_if_the_part_is_found(console: Console, log: io.StringIO) -> None:
    anvil = Anvil({"download": works}, found=INSTALLED)
    assert ensure(anvil, console) == INSTALLED
    assert anvil.tried == []
    assert log.getvalue().startswith("✓ Anvil: 2.0, official download (")


def test_methods_are_tried_until_one_works(console: Console) -> None:
    anvil = Anvil({"download": has_no_network, "mirror": works, "build": works})
    assert ensure(anvil, console) == INSTALLED
    assert anvil.tried == ["download", "mirror"]


def test_the_failure_of_a_method_is_printed_before_the_next_is_tried(
    console: Console, log: io.StringIO
) -> None:
    ensure(Anvil({"download": has_no_network, "build": works}), console)
    first, second = log.getvalue().splitlines()
    assert first == "  Anvil, download: no network", "one line: the details are in the final error"
    assert second.startswith("✓ Anvil: 2.0")


def test_the_error_has_the_purpose_every_reason_and_the_fix(
    console: Console, log: io.StringIO
) -> None:
    anvil = Anvil({"download": has_no_network, "build": has_no_compiler}, reason="found 1.0 only")
    with pytest.raises(UserError) as problem:
        ensure(anvil, console)
    assert str(problem.value) == (
        "Anvil: not available; roadrunners are stopped with it\n"
        "    - found 1.0 only\n"
        "    - download: no network\nwith details\n"
        "    - build: no compiler\n"
        "fix: type `acme install anvil`"
    )
    assert log.getvalue().splitlines()[-1].startswith("✗ Anvil (")


def test_a_method_that_succeeds_without_installing_the_part_is_a_reason(console: Console) -> None:
    with pytest.raises(UserError, match="build: succeeded, but Anvil was not found after it"):
        ensure(Anvil({"build": does_nothing}), console)


def test_a_missing_part_without_methods_is_an_error(console: Console) -> None:
    with pytest.raises(UserError, match="Anvil: not available"):
        ensure(Anvil(), console)


def test_a_warning_is_printed_and_is_no_error(console: Console, log: io.StringIO) -> None:
    rusty = InstalledPart(INSTALLED.path, "2.0", "found", warning="it is rusty")
    assert ensure(Anvil(found=rusty), console) == rusty
    assert "note: it is rusty" in log.getvalue()


def test_an_unexpected_exception_of_a_method_is_not_caught(console: Console) -> None:
    def has_a_bug(anvil: Anvil) -> None:
        raise KeyError("anvil")

    with pytest.raises(KeyError):
        ensure(Anvil({"download": has_a_bug, "build": works}), console)
