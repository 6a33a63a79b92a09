"""Have it, fetch it, build it: the order, what is shown, and the one message at the end."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mirrorstack.console import Console, Step
from mirrorstack.findings import UserError
from toolchain.part import InstalledPart, InstallMethod, Part, Unavailable, ensure

THERE = InstalledPart(Path("/opt/anvil"), "2.0", "official download")


@dataclass
class Anvil(Part):
    """Its ways are named functions, so that a test reads as what it tries."""

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
        def way(label: str, attempt: Callable[[Anvil], None]) -> InstallMethod:
            def take(step: Step) -> None:
                self.tried.append(label)
                attempt(self)

            return InstallMethod(label, take)

        return [way(label, attempt) for label, attempt in self.attempts.items()]

    def why_missing(self) -> str:
        return self.reason


def works(anvil: Anvil) -> None:
    anvil.found = THERE


def has_no_network(anvil: Anvil) -> None:
    raise Unavailable("no network\nand many words more")


def has_no_compiler(anvil: Anvil) -> None:
    raise Unavailable("no compiler")


def does_nothing(anvil: Anvil) -> None:
    pass


def test_nothing_is_tried_when_it_is_there(console: Console, log: io.StringIO) -> None:
    anvil = Anvil({"download": works}, found=THERE)
    assert ensure(anvil, console) == THERE
    assert anvil.tried == []
    assert log.getvalue().startswith("✓ Anvil: 2.0, official download (")


def test_the_first_way_that_works_is_the_last_that_is_tried(console: Console) -> None:
    anvil = Anvil({"download": has_no_network, "mirror": works, "build": works})
    assert ensure(anvil, console) == THERE
    assert anvil.tried == ["download", "mirror"]


def test_why_a_way_failed_is_shown_before_the_next_is_tried(
    console: Console, log: io.StringIO
) -> None:
    ensure(Anvil({"download": has_no_network, "build": works}), console)
    first, second = log.getvalue().splitlines()
    assert first == "  Anvil, download: no network", "one line: the rest is for the end"
    assert second.startswith("✓ Anvil: 2.0")


def test_the_one_message_says_what_why_every_reason_and_the_way_out(
    console: Console, log: io.StringIO
) -> None:
    anvil = Anvil({"download": has_no_network, "build": has_no_compiler}, reason="found 1.0 only")
    with pytest.raises(UserError) as problem:
        ensure(anvil, console)
    assert str(problem.value) == (
        "Anvil: not available; roadrunners are stopped with it\n"
        "    - found 1.0 only\n"
        "    - download: no network\nand many words more\n"
        "    - build: no compiler\n"
        "fix: type `acme install anvil`"
    )
    assert log.getvalue().splitlines()[-1].startswith("✗ Anvil (")


def test_a_way_that_ends_well_but_brings_nothing_is_a_reason_too(console: Console) -> None:
    with pytest.raises(UserError, match="build: succeeded, but Anvil is still not there"):
        ensure(Anvil({"build": does_nothing}), console)


def test_a_part_without_ways_can_only_be_there(console: Console) -> None:
    with pytest.raises(UserError, match="Anvil: not available"):
        ensure(Anvil(), console)


def test_a_warning_is_shown_and_nothing_fails(console: Console, log: io.StringIO) -> None:
    rusty = InstalledPart(THERE.path, "2.0", "found", warning="it is rusty")
    assert ensure(Anvil(found=rusty), console) == rusty
    assert "note: it is rusty" in log.getvalue()


def test_a_bug_in_a_way_is_not_taken_for_an_answer(console: Console) -> None:
    def has_a_bug(anvil: Anvil) -> None:
        raise KeyError("anvil")

    with pytest.raises(KeyError):
        ensure(Anvil({"download": has_a_bug, "build": works}), console)
