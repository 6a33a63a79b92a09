"""The stack files of stacks/: complete but for what a user replaces."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.config.passwords import needed_logins, needed_passwords
from mirrorstack.config.settings import parse
from tests.stack_files import settings_of, shipped

FILES = shipped()


def test_there_are_files_to_start_from() -> None:
    names = {file.stem.removeprefix("Pulumi.") for file in FILES}

    assert names >= {"active-active", "aggregate", "dr-prod", "migration", "readonly-source"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_stack_file_is_valid_for_production(file: Path) -> None:
    settings = parse(settings_of(file.stem.removeprefix("Pulumi.")), file.name)

    assert settings.production
    assert all(cluster.security.protocol == "SASL_SSL" for cluster in settings.clusters.values())
    assert settings.smoke_test is not None


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_its_header_says_for_whom_it_is_and_names_every_password(file: Path) -> None:
    text, name = file.read_text(), file.stem.removeprefix("Pulumi.")
    header = text[: text.index("config:")]
    settings = parse(settings_of(name), file.name)

    assert "# For: " in header
    assert "# Replace: addresses" in header
    assert f"pulumi stack init {name}" in header
    (listed,) = (line for line in header.splitlines() if "for key in" in line)
    keys = listed.partition(" in ")[2].rstrip("; do").split()
    assert {f"{key}-password" for key in keys} == {
        *needed_passwords(settings),
        *needed_logins(settings),
    }
