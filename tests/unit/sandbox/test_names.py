"""The names of the sandbox's commands."""

from __future__ import annotations

from mirrorstack.sandbox.names import DEFAULT_NAME, command


def test_a_command_names_its_sandbox_unless_it_is_the_default() -> None:
    assert command("up", DEFAULT_NAME) == "mirrorstack sandbox up"
    assert command("up", "trial", "--brokers", "3") == (
        "mirrorstack sandbox up --name trial --brokers 3"
    )
