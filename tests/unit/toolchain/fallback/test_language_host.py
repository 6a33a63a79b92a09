"""The language host without the Pulumi CLI: its interpreter, its responses and its exit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc  # type: ignore[import-untyped]
import psutil
import pytest
from google.protobuf import empty_pb2  # type: ignore[import-untyped]
from pulumi.runtime.proto import analyzer_pb2, language_pb2, language_pb2_grpc

from toolchain.fallback.language_host import probe, processes
from toolchain.fallback.language_host.environment import Environment, HostError
from toolchain.fallback.language_host.policy_pack import stack_variables
from toolchain.fallback.language_host.processes import Processes
from toolchain.fallback.language_host.service import (
    LanguageHost,
    executor_flags,
    install_commands,
    required_package,
)

HOST = Path(probe.__file__).parent


def program(root: Path, directory: str = ".", **options: str) -> language_pb2.ProgramInfo:
    info = language_pb2.ProgramInfo(
        root_directory=str(root), program_directory=str(root / directory), entry_point="."
    )
    info.options.update(options)
    return info


def in_this_environment(root: Path) -> language_pb2.ProgramInfo:
    return program(root, virtualenv=sys.prefix)


class TestInterpreter:
    def test_a_relative_virtualenv_is_under_the_project_not_the_program(
        self, tmp_path: Path
    ) -> None:
        chosen = Environment.of(program(tmp_path, "src", virtualenv="venv"))
        assert chosen.virtualenv == tmp_path / "venv"

    def test_an_absolute_virtualenv_is_used_unchanged(self, tmp_path: Path) -> None:
        chosen = Environment.of(in_this_environment(tmp_path))
        assert chosen.python == f"{sys.prefix}/bin/python"

    def test_the_environment_of_uv_is_next_to_the_nearest_lock_file(self, tmp_path: Path) -> None:
        (tmp_path / "uv.lock").touch()
        chosen = Environment.of(program(tmp_path, "a/b"))
        assert chosen.virtualenv == tmp_path / ".venv", "uv.lock alone selects uv"
        assert chosen.uses_uv

    def test_the_toolchain_pip_ignores_a_lock_file_of_uv(self, tmp_path: Path) -> None:
        (tmp_path / "uv.lock").touch()
        chosen = Environment.of(program(tmp_path, toolchain="pip"))
        assert chosen.virtualenv is None
        assert not chosen.uses_uv

    def test_without_a_lock_file_the_environment_of_uv_is_next_to_pyproject(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "pyproject.toml").touch()
        info = program(tmp_path, "src", toolchain="uv")
        assert Environment.of(info).virtualenv == tmp_path / ".venv"
        monkeypatch.setenv("UV_PROJECT_ENVIRONMENT", "elsewhere")
        assert Environment.of(info).virtualenv == tmp_path / "elsewhere"

    def test_without_options_pulumi_python_cmd_precedes_path(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PULUMI_PYTHON_CMD", sys.executable)
        assert Environment.of(program(tmp_path)).python == sys.executable
        monkeypatch.setenv("PULUMI_PYTHON_CMD", "python-not-installed")
        with pytest.raises(HostError, match="PULUMI_PYTHON_CMD is python-not-installed"):
            _ = Environment.of(program(tmp_path)).python

    def test_a_missing_virtualenv_is_an_error_with_path_option_file_and_fix(
        self, tmp_path: Path
    ) -> None:
        info = program(tmp_path, virtualenv="venv")
        with pytest.raises(HostError) as problem:
            _ = Environment.of(info, "PulumiPolicy.yaml").python
        message = str(problem.value)
        assert f"{tmp_path}/venv does not exist" in message
        assert "`virtualenv: venv` in PulumiPolicy.yaml" in message
        assert f"`python3 -m venv {tmp_path}/venv`" in message
        assert "`pulumi install`" in message

    def test_a_directory_without_an_interpreter_is_not_a_virtualenv(self, tmp_path: Path) -> None:
        (tmp_path / "venv").mkdir()
        with pytest.raises(HostError, match="is not a virtual environment"):
            _ = Environment.of(program(tmp_path, virtualenv="venv")).python

    def test_an_unsupported_toolchain_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(HostError, match=r"`toolchain: poetry` in Pulumi.yaml is not supported"):
            Environment.of(program(tmp_path, toolchain="poetry"))

    def test_the_program_gets_the_variables_of_an_activated_environment(
        self, tmp_path: Path
    ) -> None:
        chosen = Environment.of(program(tmp_path, virtualenv="venv"))
        variables = chosen.activated({"PATH": "/bin", "PYTHONHOME": "/x", "VIRTUAL_ENV": "/y"})
        assert variables == {"PATH": f"{tmp_path}/venv/bin:/bin", "VIRTUAL_ENV": f"{tmp_path}/venv"}


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


class TestRequiredPackages:
    def declare(self, directory: Path, package: str, **plugin: object) -> None:
        (directory / package).mkdir(parents=True)
        (directory / package / "pulumi-plugin.json").write_text(json.dumps(plugin))

    def test_name_version_and_server_come_from_the_file(self, tmp_path: Path) -> None:
        self.declare(
            tmp_path, "acme_dns", resource=True, name="dns", version="1.2.3", server="https://x"
        )
        [found] = map(required_package, probe.plugins([str(tmp_path)]))
        assert (found.kind, found.name, found.version, found.server) == (
            "resource", "dns", "1.2.3", "https://x",
        )  # fmt: skip

    def test_a_package_without_a_plugin_is_left_out(self, tmp_path: Path) -> None:
        self.declare(tmp_path, "pulumi_policy", resource=False)
        self.declare(tmp_path, "pulumi_other")
        assert probe.plugins([str(tmp_path)]) == []

    def test_name_and_version_are_derived_where_the_file_has_none(self, tmp_path: Path) -> None:
        self.declare(tmp_path, "pulumi_kafka", resource=True)
        self.declare(tmp_path, "pulumi_not_installed", resource=True)
        found = {plugin["name"]: plugin["version"] for plugin in probe.plugins([str(tmp_path)])}
        assert found["kafka"].count(".") == 2, "the version of the installed distribution"
        assert found["not-installed"] == ""

    def test_the_first_package_on_the_module_path_is_used(self, tmp_path: Path) -> None:
        self.declare(tmp_path / "first", "pulumi_x", resource=True, version="1.0.0")
        self.declare(tmp_path / "second", "pulumi_x", resource=True, version="2.0.0")
        [found] = probe.plugins([str(tmp_path / "first"), str(tmp_path / "second")])
        assert found["version"] == "1.0.0"

    def test_the_parameterization_of_a_package_is_passed_on(self) -> None:
        given = {"name": "tls", "version": "4.0.0", "value": "aGVsbG8="}
        base = {"name": "terraform-provider", "version": "1.0.0"}
        found = required_package({**base, "parameterization": given})
        assert found.parameterization.name == "tls"
        assert found.parameterization.value == b"hello"
        assert not found.HasField("extension")

    def test_packages_are_those_of_the_interpreter_of_the_program(self, tmp_path: Path) -> None:
        chosen = Environment.of(in_this_environment(tmp_path))
        assert "kafka" in {plugin["name"] for plugin in chosen.query("plugins")}
        assert chosen.query("python")["executable"] == f"{sys.prefix}/bin/python"
        direct = {package["name"] for package in chosen.query("packages")}
        everything = {package["name"] for package in chosen.query("all-packages")}
        assert "grpcio" in everything - direct, "pulumi requires it"


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


class serving:  # noqa: N801 - a context manager
    """A stub that calls a host in this process."""

    def __init__(self, host: LanguageHost) -> None:
        self._server = grpc.server(ThreadPoolExecutor(4))
        language_pb2_grpc.add_LanguageRuntimeServicer_to_server(host, self._server)
        self._channel = grpc.insecure_channel(
            f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        )

    def __enter__(self) -> language_pb2_grpc.LanguageRuntimeStub:
        self._server.start()
        return language_pb2_grpc.LanguageRuntimeStub(self._channel)

    def __exit__(self, *_: object) -> None:
        self._channel.close()
        self._server.stop(grace=0)


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
            "print('trouble', file=sys.stderr); sys.exit(3)"
        )
        answers = list(host.RunPlugin(self.request(tmp_path, source)))
        assert b"".join(answer.stdout for answer in answers) == b"hello=world engine:1\n"
        assert b"".join(answer.stderr for answer in answers) == b"trouble\n"
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


def test_the_stack_is_passed_to_a_policy_pack_in_environment_variables() -> None:
    request = analyzer_pb2.AnalyzerStackConfigureRequest(
        stack="dev", project="shop", dry_run=True, config={"shop:size": "3"}
    )
    assert stack_variables(request.SerializeToString()) == {
        "PULUMI_STACK": "dev",
        "PULUMI_PROJECT": "shop",
        "PULUMI_DRY_RUN": "true",
        "PULUMI_CONFIG": '{"shop:size": "3"}',
    }, "no organization, because a file backend has none"


class TestHostProcess:
    @pytest.mark.parametrize(
        "start",
        [["-I", str(HOST)], ["-m", "toolchain.fallback.language_host"]],
        ids=["directory", "module"],
    )
    def test_the_port_is_printed_first_and_the_host_exits_with_the_engine(
        self, start: list[str]
    ) -> None:
        with subprocess.Popen(
            [sys.executable, *start, "-v=9", "--logtostderr", "127.0.0.1:1"],
            cwd=HOST.parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as host:
            assert host.stdout is not None
            assert host.stdin is not None
            port = int(host.stdout.readline())
            with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
                info = language_pb2_grpc.LanguageRuntimeStub(channel).GetPluginInfo(
                    empty_pb2.Empty()
                )
            assert info.version.startswith("3.")
            host.stdin.close()
            assert host.wait(timeout=5) == 0

    def test_files_of_the_project_do_not_shadow_modules_of_the_host(self, tmp_path: Path) -> None:
        for module in ("grpc", "pulumi", "processes"):
            (tmp_path / f"{module}.py").write_text("raise SystemExit('shadowed')")
        host = subprocess.run(
            [sys.executable, "-I", str(HOST), "127.0.0.1:1"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            input=b"",
            capture_output=True,
            timeout=20,
        )
        assert host.stdout.strip().isdigit(), host.stderr.decode()

    def test_a_running_program_is_stopped_if_the_engine_is_killed(self, tmp_path: Path) -> None:
        executor = tmp_path / "executor"
        executor.write_text(
            f"import os, time; open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
            "time.sleep(60)"
        )
        with subprocess.Popen(
            [sys.executable, "-I", str(HOST), "--use-executor", str(executor), "127.0.0.1:1"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as host:
            assert host.stdout is not None
            assert host.stdin is not None
            channel = grpc.insecure_channel(f"127.0.0.1:{int(host.stdout.readline())}")
            request = language_pb2.RunRequest(info=in_this_environment(tmp_path), pwd=str(tmp_path))
            running = language_pb2_grpc.LanguageRuntimeStub(channel).Run.future(request)
            program = psutil.Process(int(_content(tmp_path / "pid")))
            host.stdin.close()
            assert host.wait(timeout=5) == 0
            assert not program.is_running()
            assert running.done()
            channel.close()


def _content(file: Path) -> str:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if file.exists() and (content := file.read_text()):
            return content
        time.sleep(0.05)
    raise TimeoutError(file)
