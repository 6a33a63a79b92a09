"""The child processes of the host: they end with their call, or with the host."""

from __future__ import annotations

import queue
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

import grpc  # type: ignore[import-untyped]
from pulumi.runtime.proto import language_pb2

# The engine kills the host if it has not ended after five seconds.
STOP_TIMEOUT_SECONDS = 2.0


class Processes:
    """Starts and stops child processes.

    They are in the process group of the host, because an engine that kills the host kills the
    whole group.
    """

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()

    def start(
        self,
        call: grpc.ServicerContext,
        command: Sequence[str],
        *,
        directory: Path,
        environ: Mapping[str, str],
        piped: bool = False,
    ) -> subprocess.Popen[bytes]:
        """Start a child process that is stopped when the call ends or is cancelled.

        Unless piped, it inherits the output of the host, which the engine logs.
        """
        output = subprocess.PIPE if piped else None
        with self._lock:
            process = subprocess.Popen(
                command,
                cwd=directory,
                env=environ,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
            self._running = {child for child in self._running if child.poll() is None} | {process}
        # On another thread, because gRPC serves no calls while a callback runs.
        stop = threading.Thread(target=_stop, args=(process,), daemon=True).start
        if not call.add_callback(stop):
            stop()
        return process

    def stop_all(self) -> None:
        with self._lock:
            running = [child for child in self._running if child.poll() is None]
        for process in running:
            process.terminate()
        for process in running:
            _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Output:
    """The output of a piped child: pairs of stream name and bytes, until both streams end."""

    def __init__(self) -> None:
        self._chunks: queue.Queue[tuple[str, bytes] | None] = queue.Queue()
        self._open = {"stdout", "stderr"}

    @classmethod
    def of(cls, process: subprocess.Popen[bytes]) -> Output:
        output = cls()
        output.follow("stdout", process.stdout)
        output.follow("stderr", process.stderr)
        return output

    def follow(self, stream: str, pipe: IO[bytes] | None) -> None:
        threading.Thread(target=self._read, args=(stream, pipe), daemon=True).start()

    def put(self, stream: str, chunk: bytes) -> None:
        self._chunks.put((stream, chunk))

    def close(self) -> None:
        """End the iteration even if a stream is still open."""
        self._chunks.put(None)

    def __iter__(self) -> Iterator[tuple[str, bytes]]:
        return iter(self._chunks.get, None)

    def _read(self, stream: str, pipe: IO[bytes] | None) -> None:
        for line in pipe or ():
            self.put(stream, line)
        self._open.discard(stream)
        if not self._open:
            self.close()


def plugin_output(output: Output) -> Iterator[language_pb2.RunPluginResponse]:
    for stream, chunk in output:
        if stream == "stdout":
            yield language_pb2.RunPluginResponse(stdout=chunk)
        else:
            yield language_pb2.RunPluginResponse(stderr=chunk)
