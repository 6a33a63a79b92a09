"""Programs and a language host in this process, for the tests of the language host."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc  # type: ignore[import-untyped]
from pulumi.runtime.proto import language_pb2, language_pb2_grpc

from toolchain.fallback.language_host.service import LanguageHost


def program(root: Path, directory: str = ".", **options: str) -> language_pb2.ProgramInfo:
    info = language_pb2.ProgramInfo(
        root_directory=str(root), program_directory=str(root / directory), entry_point="."
    )
    info.options.update(options)
    return info


def in_this_environment(root: Path) -> language_pb2.ProgramInfo:
    return program(root, virtualenv=sys.prefix)


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
