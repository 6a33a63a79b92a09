"""The report on every part."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.toolchain.machine import CHROMIUM_VERSION, fake_apt_get, fake_chromium, fake_java
from toolchain import doctor


@pytest.mark.usefixtures("path")
def test_every_missing_part_is_an_error_with_a_fix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MIRRORSTACK_CACHE", str(tmp_path / "cache"))
    python, *parts, _browser = doctor.report_parts(tmp_path / "clone")
    assert (python.part, python.error) == ("Python", "")
    assert all(report.error and report.fix for report in parts)
    assert [report.mark for report in parts] == ["✗"] * len(parts)
    assert not (tmp_path / "cache").exists(), "a report creates no files"


def test_a_found_part_is_listed_with_version_and_location(path: Path, tmp_path: Path) -> None:
    java = fake_java(path.parent, "17.0.9")
    report = next(each for each in doctor.report_parts(tmp_path) if each.part == "Java")
    assert (report.version, report.location, report.error) == ("17.0.9", str(java), "")


def test_the_text_has_errors_with_fixes_and_notes_after_the_table() -> None:
    reports = [
        doctor.PartReport("Java", error="no Java found", fix="install a JDK"),
        doctor.PartReport("Chromium", note="not installed"),
    ]
    text = doctor.text_report(reports)
    assert "error: Java: no Java found\nfix: install a JDK" in text
    assert text.endswith("note: Chromium: not installed")


def test_the_json_document_has_a_version_and_all_fields() -> None:
    document = doctor.json_document([doctor.PartReport("Java", "17")])
    assert document["version"] == 1
    assert document["parts"][0] == {
        "part": "Java", "version": "17", "origin": "", "location": "", "error": "", "fix": "",
        "note": "",
    }  # fmt: skip


class TestBrowser:
    @pytest.mark.usefixtures("as_user")
    def test_a_missing_browser_is_no_error(self, path: Path, tmp_path: Path) -> None:
        report = doctor.report_parts(tmp_path)[-1]
        assert (report.part, report.error) == ("Chromium", "")
        assert report.note.startswith("not installed; only the tests need it: install Chromium")
        assert "·  Chromium" in doctor.text_report([report])

    @pytest.mark.usefixtures("as_root")
    def test_the_note_for_root_names_the_command_that_installs_it(
        self, path: Path, tmp_path: Path
    ) -> None:
        fake_apt_get(path, target=path / "chromium")
        assert doctor.report_parts(tmp_path)[-1].note.endswith("`make test` installs it")

    def test_an_installed_browser_is_listed_as_only_for_tests(
        self, path: Path, tmp_path: Path
    ) -> None:
        browser = fake_chromium(path / "chromium")
        report = doctor.report_parts(tmp_path)[-1]
        assert (report.version, report.location) == (CHROMIUM_VERSION, str(browser))
        assert report.origin.endswith("only for tests")
        assert "✓  Chromium" in doctor.text_report([report])


class TestPlatforms:
    @pytest.fixture(autouse=True)
    def cache(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setenv("MIRRORSTACK_CACHE", str(tmp_path / "cache"))
        monkeypatch.setenv("PULUMI_HOME", str(tmp_path / "pulumi"))
        return tmp_path / "cache"

    def test_what_a_runtime_needs_is_listed_with_the_command_that_installs_it(self) -> None:
        notes = {report.part: report.note for report in doctor.report_platforms()}

        assert notes["Pulumi's Docker plugin"].endswith("run `make docker`")
        assert notes["Pulumi's Kubernetes plugin"].endswith("run `make kubernetes`")
        assert "make test-platforms" in notes["Kubernetes node"]

    def test_nothing_of_it_is_an_error_if_it_is_missing(self, cache: Path) -> None:
        assert not any(report.error for report in doctor.report_platforms())
        assert not cache.exists(), "a report creates no files"

    def test_parts_of_the_tests_are_found_in_the_cache(self, cache: Path) -> None:
        (cache / "docker-packages").mkdir(parents=True)

        reports = {report.part: report for report in doctor.report_platforms()}

        assert reports["Docker daemon"].location == str(cache / "docker-packages")
