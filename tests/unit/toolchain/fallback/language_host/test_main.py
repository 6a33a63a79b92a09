"""The process of the language host: its port, its module path, its end with the engine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import grpc  # type: ignore[import-untyped]
import psutil
import pytest
from google.protobuf import empty_pb2  # type: ignore[import-untyped]
from pulumi.runtime.proto import language_pb2, language_pb2_grpc

from tests.unit.toolchain.fallback.language_host.host import in_this_environment
from tests.unit.toolchain.machine import ROOT, until

HOST = ROOT / "toolchain" / "fallback" / "language_host"


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
            cwd=ROOT,
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
            program = psutil.Process(int(content_of(tmp_path / "pid")))
            host.stdin.close()
            assert host.wait(timeout=5) == 0
            assert not program.is_running()
            assert running.done()
            channel.close()


def content_of(file: Path) -> str:
    until(lambda: file.exists() and file.read_text())
    return file.read_text()
