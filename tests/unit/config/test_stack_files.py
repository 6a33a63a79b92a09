"""The stack files of stacks/: complete but for what a user replaces."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mirrorstack.config.passwords import needed_logins, needed_passwords
from mirrorstack.config.settings import parse
from tests.stack_files import settings_of, shipped

FILES = shipped()


def test_there_are_files_to_start_from() -> None:
    names = {file.stem.removeprefix("Pulumi.") for file in FILES}

    assert names >= {"active-active", "aggregate", "dev", "dr-prod", "hdinsight", "migration"}
    assert names >= {"readonly-source", "strimzi"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_stack_file_is_valid_for_production(file: Path) -> None:
    name = file.stem.removeprefix("Pulumi.")
    settings = parse(settings_of(name), file.name)

    assert settings.production or name == "dev"
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
    assert {f"{key}-password" for key in _listed_keys(header)} == {
        *needed_passwords(settings),
        *needed_logins(settings),
    }


def _listed_keys(header: str) -> list[str]:
    """Of a loop over several passwords, or of a command for one."""
    loops = re.findall(r"for key in (.*); do", header)
    single = re.findall(r"--secret (\S+)-password", header)
    return " ".join(loops).split() if loops else single
