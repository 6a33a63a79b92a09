"""The calls of the engine: installing dependencies, running programs and plugins."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import grpc  # type: ignore[import-untyped]
import psutil
import pytest
from google.protobuf import empty_pb2  # type: ignore[import-untyped]
from pulumi.runtime.proto import language_pb2, language_pb2_grpc

from tests.unit.toolchain.fallback.language_host.host import in_this_environment, program, serving
from toolchain.fallback.language_host import processes
from toolchain.fallback.language_host.environment import Environment
from toolchain.fallback.language_host.processes import Processes
from toolchain.fallback.language_host.service import LanguageHost, executor_flags, install_commands


class TestInstallation:
    def test_an_environment_without_requirements_is_not_changed(self, tmp_path: Path) -> None:
        assert list(install_commands(Environment.of(in_this_environment(tmp_path)))) == []

    def test_a_missing_virtualenv_is_created(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PULUMI_PYTHON_CMD", sys.executable)
        commands = list(install_commands(Environment.of(program(tmp_path, virtualenv="venv"))))
        assert commands == [[sys.executable, "-m", "venv", f"{tmp_path}/venv"]]

    def test_requirements_are_installed_with_the_pip_of_the_program(self, tmp_path: Path) -> None:
        (tmp_path / "requirements.txt").touch()
        [command] = install_commands(Environment.of(in_this_environment(tmp_path)))
        assert command == [
            f"{sys.prefix}/bin/python", "-m", "pip", "install", "-r", "requirements.txt",
        ]  # fmt: skip


class TestExecutor:
    def test_flags_contain_the_fields_of_the_request(self) -> None:
        request = language_pb2.RunRequest(
            project="shop", stack="dev", pwd="/p", monitor_address="m:1", dryRun=True, parallel=4,
            organization="acme", info=language_pb2.ProgramInfo(root_directory="/r"),
        )  # fmt: skip
        flags = executor_flags(request, "e:2", "")
        assert dict(zip(flags[::2], flags[1::2], strict=True)) == {
            "--monitor": "m:1", "--engine": "e:2", "--project": "shop", "--root_directory": "/r",
            "--stack": "dev", "--organization": "acme", "--pwd": "/p", "--dry_run": "true",
            "--parallel": "4",
        }  # fmt: skip

    def test_an_update_and_an_unknown_organization_have_no_flag(self) -> None:
        flags = executor_flags(language_pb2.RunRequest(project="shop", parallel=0), "e:2", "")
        assert "--dry_run" not in flags
        assert "--organization" not in flags
        assert flags[flags.index("--parallel") + 1] == "0", "the executor requires it"

    @pytest.mark.parametrize(
        ("exit_code", "error", "bail"),
        [(0, "", False), (32, "", True), (3, "The program ended with exit code 3.", False)],
    )
    def test_the_response_depends_on_the_exit_code(
        self, tmp_path: Path, exit_code: int, error: str, bail: bool
    ) -> None:
        executor = tmp_path / "executor"
        executor.write_text(
            "import json, os, sys\n"
            'assert json.loads(os.environ["PULUMI_CONFIG"]) == {"shop:password": "hunter2"}\n'
            'assert json.loads(os.environ["PULUMI_CONFIG_SECRET_KEYS"]) == ["shop:password"]\n'
            'assert "hunter2" not in " ".join(sys.argv)\n'
            f"sys.exit({exit_code})\n"
        )
        with serving(LanguageHost(Processes(), "", executor=str(executor))) as host:
            answer = host.Run(
                language_pb2.RunRequest(
                    info=in_this_environment(tmp_path), pwd=str(tmp_path),
                    config={"shop:password": "hunter2"}, configSecretKeys=["shop:password"],
                )
            )  # fmt: skip
        assert (answer.error, answer.bail) == (error, bail)


class TestPlugins:
    @pytest.fixture
    def host(self) -> Iterator[language_pb2_grpc.LanguageRuntimeStub]:
        with serving(LanguageHost(Processes(), "")) as host:
            yield host

    def request(self, directory: Path, source: str) -> language_pb2.RunPluginRequest:
        (directory / "__main__.py").write_text(source)
        return language_pb2.RunPluginRequest(
            info=in_this_environment(directory), pwd=str(directory), kind="resource",
            args=["engine:1"], env=["GREETING=hello=world"],
        )  # fmt: skip

    def test_output_streams_and_exit_code_are_passed_on(
        self, tmp_path: Path, host: language_pb2_grpc.LanguageRuntimeStub
    ) -> None:
        source = (
            "import os, sys; print(os.environ['GREETING'], sys.argv[1]);"
            "print('error', file=sys.stderr); sys.exit(3)"
        )
        answers = list(host.RunPlugin(self.request(tmp_path, source)))
        assert b"".join(answer.stdout for answer in answers) == b"hello=world engine:1\n"
        assert b"".join(answer.stderr for answer in answers) == b"error\n"
        assert answers[-1].exitcode == 3

    def test_cancelling_the_call_stops_the_process(
        self, tmp_path: Path, host: language_pb2_grpc.LanguageRuntimeStub
    ) -> None:
        source = "import os, time; print(os.getpid()); time.sleep(60)"
        call = host.RunPlugin(self.request(tmp_path, source))
        plugin = psutil.Process(int(next(iter(call)).stdout))
        call.cancel()
        plugin.wait(timeout=5)

    def test_cancel_kills_a_process_that_ignores_sigterm(
        self,
        tmp_path: Path,
        host: language_pb2_grpc.LanguageRuntimeStub,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(processes, "STOP_TIMEOUT_SECONDS", 0.1)
        source = (
            "import os, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
            "print(os.getpid()); time.sleep(60)"
        )
        call = host.RunPlugin(self.request(tmp_path, source))
        plugin = psutil.Process(int(next(iter(call)).stdout))
        host.Cancel(empty_pb2.Empty())
        assert not plugin.is_running()

    def test_a_policy_pack_without_its_virtualenv_is_an_error(
        self, tmp_path: Path, host: language_pb2_grpc.LanguageRuntimeStub
    ) -> None:
        info = program(tmp_path, virtualenv="nowhere")
        with pytest.raises(grpc.RpcError) as refused:
            list(host.RunPlugin(language_pb2.RunPluginRequest(info=info, kind="analyzer")))
        assert refused.value.code() == grpc.StatusCode.FAILED_PRECONDITION
        assert "`virtualenv: nowhere` in PulumiPolicy.yaml" in refused.value.details()
