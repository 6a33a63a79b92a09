"""The Pulumi CLI with the fallback language host: an interrupted update leaves no process."""

from __future__ import annotations

import signal
import subprocess
import time

import psutil
import pytest

from tests.integration.without_sandbox.language_host_project import Project, project

__all__ = ["project"]  # a fixture


def command_line(process: psutil.Process) -> str:
    """Empty if the process has ended since it was listed."""
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


class TestInterruptions:
    @pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
    def test_an_interrupted_update_leaves_no_process(
        self, project: Project, ending: signal.Signals
    ) -> None:
        with self._stuck_update(project) as update:
            assert len(project.processes()) >= 5, "CLI, host, program, pack and dynamic provider"
            update.send_signal(ending)
            assert update.wait(timeout=20) != 0
        assert project.processes() == []

    def test_host_program_and_pack_end_if_the_cli_is_killed(self, project: Project) -> None:
        with self._stuck_update(project) as update:
            update.kill()
        deadline = time.monotonic() + 10
        while (left := self._ours(project)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert left == []

    def _stuck_update(self, project: Project) -> subprocess.Popen[bytes]:
        """An update whose program waits forever, after its resource has been created."""
        project.write(
            "__main__.py",
            """
            import pathlib, time
            from note import Note

            def wait_forever(_):
                pathlib.Path("stuck").touch()
                time.sleep(600)

            Note("note", "hello").id.apply(wait_forever)
            """,
        )
        update = subprocess.Popen(
            [project.pulumi_binary, "up", "--yes", "--skip-preview", project.policy_pack()],
            cwd=project.directory,
            env=project.environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 30
        while not (project.directory / "stuck").exists():
            assert time.monotonic() < deadline, "the program was not reached"
            time.sleep(0.1)
        return update

    def _ours(self, project: Project) -> list[str]:
        """Without the dynamic provider: it is a child of the CLI, not of the host."""
        lines = [command_line(process) for process in project.processes()]
        providers = ("pulumi.dynamic", "pulumi-resource-pulumi-python")
        return [line for line in lines if line and not any(p in line for p in providers)]
