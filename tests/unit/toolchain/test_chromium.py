"""Finding Chromium and installing it with apt-get; fake programs print only their version."""

from __future__ import annotations

from pathlib import Path

import pytest

import toolchain.__main__ as command
from mirrorstack.console import Console
from mirrorstack.findings import UserError
from tests.unit.toolchain.machine import (
    CHROMIUM_VERSION,
    executable,
    fake_apt_get,
    fake_chromium,
)
from toolchain.chromium import NAMES, Chromium, version_in
from toolchain.part import InstalledPart, ensure


@pytest.mark.parametrize(
    ("output", "version"),
    [
        ("Chromium 156.0.8078.79 built on Debian GNU/Linux 12 (bookworm)", "156.0.8078.79"),
        ("Google Chrome 140.0.7339.80 ", "140.0.7339.80"),
        ("Google Chrome for Testing 140.0.7339.80", "140.0.7339.80"),
        ("requires the chromium snap to be installed", ""),
    ],
)
def test_the_version_is_read_from_the_output_of_a_browser(output: str, version: str) -> None:
    assert version_in(output) == version


class TestFinding:
    @pytest.mark.parametrize("name", NAMES)
    def test_a_browser_on_path_is_found_by_any_of_its_names(self, path: Path, name: str) -> None:
        browser = fake_chromium(path / name, "Google Chrome" if "chrome" in name else "Chromium")
        assert Chromium().find() == InstalledPart(browser, CHROMIUM_VERSION, f"found at {browser}")

    def test_an_application_of_macos_is_found(
        self, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MIRRORSTACK_APPLICATIONS", str(tmp_path))
        program = tmp_path / "Google Chrome.app" / "Contents" / "MacOS" / "Google Chrome"
        fake_chromium(program, "Google Chrome")
        found = Chromium().find()
        assert found is not None
        assert found.path == program

    def test_a_command_that_is_not_a_browser_is_skipped(self, path: Path) -> None:
        executable(path / "chromium", "echo 'requires the chromium snap'; exit 1")
        good = fake_chromium(path / "google-chrome", "Google Chrome")
        found = Chromium().find()
        assert found is not None
        assert found.path == good


class TestInstalling:
    @pytest.mark.usefixtures("as_root")
    def test_root_installs_it_with_apt_get(self, path: Path, console: Console) -> None:
        log = fake_apt_get(path, target=path / "chromium")
        assert ensure(Chromium(), console).path == path / "chromium"
        update, install = log.read_text().splitlines()
        assert update == "noninteractive: update"
        assert install.startswith("noninteractive: ")
        assert install.endswith(" install -y --no-install-recommends chromium")

    @pytest.mark.usefixtures("as_root")
    def test_an_installed_browser_is_not_installed_again(
        self, path: Path, console: Console
    ) -> None:
        log = fake_apt_get(path, target=path / "chromium")
        browser = fake_chromium(path / "google-chrome", "Google Chrome")
        assert ensure(Chromium(), console).path == browser
        assert not log.exists()

    @pytest.mark.usefixtures("as_root")
    def test_the_error_of_apt_get_is_reported(self, path: Path, console: Console) -> None:
        fake_apt_get(path, target=path / "chromium", update_fails=True)
        with pytest.raises(UserError, match="apt-get exited with 100: no network"):
            ensure(Chromium(), console)

    @pytest.mark.usefixtures("as_user")
    def test_other_users_get_an_error_with_the_packages_to_install(
        self, path: Path, console: Console
    ) -> None:
        log = fake_apt_get(path, target=path / "chromium")
        with pytest.raises(UserError) as problem:
            ensure(Chromium(), console)
        assert "no Chromium or Chrome found" in str(problem.value)
        assert "apt install chromium" in problem.value.fix
        assert not log.exists()

    @pytest.mark.usefixtures("as_root")
    def test_root_without_apt_get_gets_an_error(self, path: Path, console: Console) -> None:
        with pytest.raises(UserError, match="Chromium: not available; tests open the HTML report"):
            ensure(Chromium(), console)

    @pytest.mark.usefixtures("as_root")
    def test_the_command_browser_installs_it(
        self, path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        fake_apt_get(path, target=path / "chromium")
        assert command.main(["browser"]) == 0
        assert (
            f"Chromium: {CHROMIUM_VERSION}, found at {path / 'chromium'}" in capsys.readouterr().err
        )
