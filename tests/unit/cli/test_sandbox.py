"""`mirrorstack sandbox` without Kafka: help, errors and what runs without a sandbox."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mirrorstack.cli.sandbox import sandbox
from mirrorstack.findings import UserError
from mirrorstack.kafka.connection import Connection
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.runtimes.installed import installed_kafka
from mirrorstack.sandbox.connection import connection
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.sandbox.settings import SandboxOptions
from toolchain import receipt
from toolchain.part import InstalledPart


@pytest.fixture(autouse=True)
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KafkaInstallation:
    """A Kafka installation that is complete until Java is started."""
    java, jars = tmp_path / "java", tmp_path / "jars"
    java.touch(mode=0o755)
    jars.mkdir()
    (jars / "kafka_2.13-4.3.1.jar").touch()
    clone = tmp_path / "clone"
    clone.mkdir()
    found = {
        "java": InstalledPart(java, "17", "-"),
        "kafka-jars": InstalledPart(jars, "4.3.1", "-"),
    }
    receipt.write(clone / ".mirrorstack", found)
    monkeypatch.setattr("mirrorstack.runtimes.installed.ROOT", clone)
    monkeypatch.setenv("MIRRORSTACK_HOME", str(tmp_path / "home"))
    return KafkaInstallation(java, jars)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(sandbox, arguments)


@pytest.mark.parametrize("verb", ["up", "status", "down", "reset", "seed"])
def test_help_teaches_with_an_example(verb: str) -> None:
    shown = run(verb, "--help")
    assert shown.exit_code == 0
    assert "Examples:" in shown.output
    assert f"mirrorstack sandbox {verb}" in shown.output
    assert "--name" in shown.output


def test_a_user_error_is_one_message_without_a_traceback() -> None:
    shown = run("up", "--name", "Not Good")
    assert shown.exit_code == 2
    assert shown.stdout == ""
    assert shown.stderr.startswith("error: --name is 'Not Good'")
    assert "fix: " in shown.stderr
    assert "Traceback" not in shown.stderr


def test_a_port_in_use_is_an_error_before_anything_is_created(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        shown = run("up", "--east-port", str(port))
    assert shown.exit_code == 2
    assert f"port {port} (east broker 1) is used by" in shown.stderr
    assert "--east-port 0" in shown.stderr
    assert not (tmp_path / "home" / "sandbox" / "default").exists()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["up", "--east-port", "80"], "port 80"),
        (["up", "--brokers", "0"], "--brokers is 0"),
        (["up", "--east-port", "19092", "--west-port", "19092"], "port 19092"),
        (["up", "--brokers", "99"], "--brokers is 99"),
        (["reset", "--name", "typo"], "there is no sandbox 'typo' to reset"),
        (["seed"], "there is no sandbox 'default'"),
    ],
)
def test_an_invalid_option_is_an_error_with_a_fix(arguments: list[str], named: str) -> None:
    shown = run(*arguments)
    assert shown.exit_code == 2
    assert named in shown.stderr
    assert "fix: " in shown.stderr


@pytest.mark.parametrize(
    ("option", "authorizer"),
    [([], None), (["--no-authorizer"], False), (["--authorizer"], True)],
)
@pytest.mark.parametrize("verb", ["up", "reset"])
def test_the_authorizer_is_as_before_without_the_option(
    verb: str, option: list[str], authorizer: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[SandboxOptions] = []

    def stopped(_sandbox: Sandbox, _kafka: object, options: SandboxOptions) -> None:
        given.append(options)
        raise UserError("the test ends here")

    monkeypatch.setattr(Sandbox, verb, stopped)

    run(verb, "--brokers", "3", *option)

    assert given == [SandboxOptions(brokers=3, authorizer=authorizer)]


@pytest.mark.parametrize(
    "arguments",
    [["seed", "--for", "3"], ["seed", "--rate", "0"], ["seed", "--scale", "0"], ["fly"]],
)
def test_a_mistyped_option_is_a_usage_error(arguments: list[str]) -> None:
    shown = run(*arguments)
    assert shown.exit_code == 2
    assert shown.stderr.startswith("error: ")
    assert "--help`" in shown.stderr


def test_status_without_a_sandbox_is_an_error_that_shows_how_to_start_one() -> None:
    shown = run("status", "--name", "trial")
    assert (shown.exit_code, shown.stdout) == (2, "")
    assert shown.stderr == (
        "error: there is no sandbox 'trial'\nfix: start it: `mirrorstack sandbox up --name trial`\n"
    )


def test_status_without_a_sandbox_is_valid_json() -> None:
    shown = run("status", "--json")
    assert shown.exit_code == 2
    assert "error: there is no sandbox 'default'" in shown.stderr
    assert json.loads(shown.stdout) == {
        "name": "default",
        "directory": json.loads(shown.stdout)["directory"],
        "bootstrap_servers": {},
        "nodes": [],
        "running": False,
    }


@pytest.mark.parametrize("options", [[], ["--delete"], ["--all"]])
def test_down_changes_nothing_if_nothing_runs(options: list[str]) -> None:
    shown = run("down", *options)
    assert shown.exit_code == 0
    assert "nothing was running" in shown.stderr


def test_the_kafka_installation_is_the_one_of_the_set_up(runtime: KafkaInstallation) -> None:
    assert installed_kafka() == runtime


def test_without_a_set_up_the_fix_is_make_setup(runtime: KafkaInstallation) -> None:
    runtime.java.unlink()
    with pytest.raises(UserError) as raised:
        installed_kafka()
    assert str(runtime.java) in raised.value.message
    assert raised.value.fix == "run `make setup`"


def test_a_connection_hides_its_password() -> None:
    made = Connection(bootstrap_servers="127.0.0.1:1", username="app", password="hunter2")
    assert "hunter2" not in repr(made)
    assert made.client_config()["sasl.password"] == "hunter2"


@pytest.mark.parametrize(("cluster", "principal"), [("north", "app"), ("east", "broker")])
def test_a_connection_to_an_unknown_cluster_or_principal_lists_the_known_ones(
    cluster: str, principal: str
) -> None:
    with pytest.raises(UserError) as raised:
        connection("default", cluster, principal)
    assert raised.value.fix.startswith("one of ")


def test_a_connection_to_a_missing_sandbox_is_an_error() -> None:
    with pytest.raises(UserError, match="there is no sandbox 'trial'"):
        connection("trial", "east", "app")
