"""Finding Chromium, and having apt-get bring it; with programs that only say what they are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import toolchain.__main__ as command
from mirrorstack.console import Console
from mirrorstack.findings import UserError
from tests.unit.toolchain.machine import executable
from toolchain import doctor
from toolchain.chromium import NAMES, Chromium, version_in
from toolchain.part import InstalledPart, ensure

VERSION = "156.0.8078.79"


def fake_chromium(at: Path, product: str = "Chromium") -> Path:
    return executable(at, f"echo '{product} {VERSION} built on Debian GNU/Linux 12'")


def fake_apt_get(path: Path, *, brings: Path, update_fails: bool = False) -> Path:
    """It notes what it was told, and `install` makes a Chromium appear; the notes' file."""
    notes = path.parent / "apt-get.log"
    executable(
        path / "apt-get",
        f'echo "$DEBIAN_FRONTEND: $*" >> {notes}\n'
        'case "$*" in\n'
        f"  update) {'echo no network; exit 100' if update_fails else 'exit 0'} ;;\n"
        f"  *chromium) echo '#!/bin/sh' > {brings}; echo 'echo Chromium {VERSION}' >> {brings}\n"
        f"             /bin/chmod 755 {brings} ;;\n"
        "esac",
    )
    return notes


@pytest.fixture
def as_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)


@pytest.fixture
def as_anybody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ("Chromium 156.0.8078.79 built on Debian GNU/Linux 12 (bookworm)", "156.0.8078.79"),
        ("Google Chrome 140.0.7339.80 ", "140.0.7339.80"),
        ("Google Chrome for Testing 140.0.7339.80", "140.0.7339.80"),
        ("requires the chromium snap to be installed", ""),
    ],
)
def test_versions_as_browsers_say_them(said: str, version: str) -> None:
    assert version_in(said) == version


class TestFinding:
    @pytest.mark.parametrize("name", NAMES)
    def test_it_goes_by_many_names(self, path: Path, name: str) -> None:
        there = fake_chromium(path / name, "Google Chrome" if "chrome" in name else "Chromium")
        assert Chromium().find() == InstalledPart(there, VERSION, f"found at {there}")

    def test_macos_keeps_it_among_the_applications(
        self, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MIRRORSTACK_APPLICATIONS", str(tmp_path))
        program = tmp_path / "Google Chrome.app" / "Contents" / "MacOS" / "Google Chrome"
        fake_chromium(program, "Google Chrome")
        found = Chromium().find()
        assert found is not None
        assert found.path == program

    def test_a_name_without_a_browser_behind_it_is_passed_over(self, path: Path) -> None:
        executable(path / "chromium", "echo 'requires the chromium snap'; exit 1")
        good = fake_chromium(path / "google-chrome", "Google Chrome")
        found = Chromium().find()
        assert found is not None
        assert found.path == good


class TestGetting:
    @pytest.mark.usefixtures("as_root")
    def test_root_gets_it_from_apt_get(self, path: Path, console: Console) -> None:
        notes = fake_apt_get(path, brings=path / "chromium")
        assert ensure(Chromium(), console).path == path / "chromium"
        update, install = notes.read_text().splitlines()
        assert update == "noninteractive: update"
        assert install.startswith("noninteractive: ")
        assert install.endswith(" install -y --no-install-recommends chromium")

    @pytest.mark.usefixtures("as_root")
    def test_one_that_is_there_is_not_installed_again(self, path: Path, console: Console) -> None:
        notes = fake_apt_get(path, brings=path / "chromium")
        there = fake_chromium(path / "google-chrome", "Google Chrome")
        assert ensure(Chromium(), console).path == there
        assert not notes.exists()

    @pytest.mark.usefixtures("as_root")
    def test_why_apt_get_could_not_is_told(self, path: Path, console: Console) -> None:
        fake_apt_get(path, brings=path / "chromium", update_fails=True)
        with pytest.raises(UserError, match="apt-get exited with 100: no network"):
            ensure(Chromium(), console)

    @pytest.mark.usefixtures("as_anybody")
    def test_anybody_else_is_told_what_to_install(self, path: Path, console: Console) -> None:
        notes = fake_apt_get(path, brings=path / "chromium")
        with pytest.raises(UserError) as problem:
            ensure(Chromium(), console)
        assert "no Chromium or Chrome found" in str(problem.value)
        assert "apt install chromium" in problem.value.fix
        assert not notes.exists()

    @pytest.mark.usefixtures("as_root")
    def test_so_is_root_where_there_is_no_apt_get(self, path: Path, console: Console) -> None:
        with pytest.raises(UserError, match="Chromium: not available; tests open the HTML report"):
            ensure(Chromium(), console)

    @pytest.mark.usefixtures("as_root")
    def test_the_word_for_it_is_browser(
        self, path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        fake_apt_get(path, brings=path / "chromium")
        assert command.main(["browser"]) == 0
        assert f"Chromium: {VERSION}, found at {path / 'chromium'}" in capsys.readouterr().err


class TestDoctor:
    @pytest.mark.usefixtures("as_anybody")
    def test_where_it_is_not_there_nothing_is_wrong(self, path: Path, tmp_path: Path) -> None:
        report = doctor.report_parts(tmp_path)[-1]
        assert (report.part, report.error) == ("Chromium", "")
        assert report.note.startswith("not installed; only the tests need it: install Chromium")
        assert "·  Chromium" in doctor.text_report([report])

    @pytest.mark.usefixtures("as_root")
    def test_who_can_have_it_is_told_how(self, path: Path, tmp_path: Path) -> None:
        fake_apt_get(path, brings=path / "chromium")
        assert doctor.report_parts(tmp_path)[-1].note.endswith("`make test` installs it")

    def test_where_it_is_there_it_is_listed_as_only_for_tests(
        self, path: Path, tmp_path: Path
    ) -> None:
        there = fake_chromium(path / "chromium")
        report = doctor.report_parts(tmp_path)[-1]
        assert (report.version, report.location) == (VERSION, str(there))
        assert report.origin.endswith("only for tests")
        assert "✓  Chromium" in doctor.text_report([report])
