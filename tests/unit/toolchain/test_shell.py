"""The exports that `source ./activate` evaluates, evaluated by a real shell."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from toolchain.part import InstalledPart
from toolchain.shell import exports, variables

PARTS = {
    "java": InstalledPart(Path("/opt/jdk-17/bin/java"), "17", "found"),
    "pulumi": InstalledPart(Path("/cache/pulumi/pulumi"), "3", "official download"),
}


def evaluated(settings: dict[str, str]) -> dict[str, str]:
    """The environment of a program that a shell starts after evaluating the exports."""
    ask = 'exec "$0" -c "import json, os; print(json.dumps(dict(os.environ)))"'
    ended = subprocess.run(
        ["/bin/sh", "-ec", f"{exports(settings)}{ask}", sys.executable],
        env={},
        capture_output=True,
        text=True,
        check=True,
    )
    seen: dict[str, str] = json.loads(ended.stdout)
    return seen


def given(root: str = "/clone", **environ: str) -> dict[str, str]:
    return variables(Path(root), PARTS, environ)


@pytest.mark.parametrize("value", ["it's", 'two "words"', "$HOME `id` \\", "a\nb", "é ✓"])
def test_values_are_quoted_for_the_shell(value: str) -> None:
    assert evaluated({"MIRRORSTACK_TEST": value})["MIRRORSTACK_TEST"] == value


def test_a_clone_in_a_directory_with_an_awkward_name_works() -> None:
    settings = given("/home/o'neill/my clone")
    seen = evaluated(settings)
    assert {name: seen[name] for name in settings} == settings


class TestPath:
    def test_the_clones_programs_come_first_and_only_once(self) -> None:
        once = given(PATH="/usr/bin:/bin")["PATH"]
        assert once == "/clone/.venv/bin:/cache/pulumi:/usr/bin:/bin"
        again = given(**given(PATH="/usr/bin:/bin"))["PATH"]
        assert again == once, "sourcing it again changes nothing"

    def test_the_environment_of_another_python_replaces_the_usual_one(self) -> None:
        settings = given(PATH="/bin", MIRRORSTACK_VENV=".venv-python3.13")
        assert settings["PATH"].startswith("/clone/.venv-python3.13/bin:")
        assert settings["VIRTUAL_ENV"] == "/clone/.venv-python3.13"

    def test_java_home_is_that_of_the_java_in_the_receipt(self) -> None:
        assert given()["JAVA_HOME"] == "/opt/jdk-17"


class TestPreviousActivation:
    def test_the_values_of_another_clone_are_replaced(self) -> None:
        other = given("/other", PATH="/usr/bin:/bin")
        assert given(**other) == given(PATH="/usr/bin:/bin")

    def test_a_value_that_the_user_changed_since_is_not_replaced(self) -> None:
        other = given("/other", PATH="/usr/bin") | {"PULUMI_BACKEND_URL": "s3://bucket"}
        assert "PULUMI_BACKEND_URL" not in given(**other)


class TestUserSettings:
    def test_the_defaults_are_in_the_clone_and_the_cache(self) -> None:
        settings = given(MIRRORSTACK_CACHE="/cache")
        assert settings["PULUMI_HOME"] == "/cache/pulumi-home"
        assert settings["PULUMI_BACKEND_URL"].startswith("file:///clone/.mirrorstack/state")
        assert settings["PULUMI_CONFIG_PASSPHRASE_FILE"] == "/clone/.mirrorstack/passphrase"

    def test_a_backend_that_is_set_is_not_changed(self) -> None:
        assert "PULUMI_BACKEND_URL" not in given(PULUMI_BACKEND_URL="s3://bucket")

    def test_a_pulumi_home_that_is_set_is_not_changed(self) -> None:
        assert given(PULUMI_HOME="/pulumi")["PULUMI_HOME"] == "/pulumi"

    @pytest.mark.parametrize("name", ["PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE"])
    @pytest.mark.parametrize("value", ["secret", ""], ids=["set", "empty"])
    def test_a_passphrase_that_is_set_is_not_changed_even_if_empty(
        self, name: str, value: str
    ) -> None:
        settings = given(**{name: value})
        assert not settings.keys() & {"PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE"}

    def test_loopback_is_added_to_the_exceptions_of_the_proxy(self) -> None:
        assert given(NO_PROXY="a.example")["no_proxy"] == "a.example,127.0.0.1,localhost"
        assert given(no_proxy="localhost")["no_proxy"] == "localhost,127.0.0.1"


def test_no_secret_is_exported() -> None:
    text = exports(given(**dict.fromkeys(("PULUMI_CONFIG_PASSPHRASE",), "hunter2")))
    assert "hunter2" not in text
    assert os.pathsep in text
