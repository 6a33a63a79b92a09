"""Run the language host: it prints its port as the first line, then serves gRPC."""

from __future__ import annotations

import argparse
import os
import signal
import stat
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

if not __package__:
    # Started as a directory: set the package for the relative imports. Its parent is put last on
    # the module path and the directory itself removed, so that its files shadow no other modules.
    here = Path(__file__).resolve().parent
    sys.path = [entry for entry in sys.path if Path(entry).resolve() != here] + [str(here.parent)]
    __package__ = here.name

import grpc  # type: ignore[import-untyped]
from pulumi.runtime.proto import language_pb2_grpc

from . import GRPC_OPTIONS
from .processes import Processes
from .service import LanguageHost

# A running program and every policy pack or plugin hold one thread each until they end.
WORKER_THREADS = 64


def main() -> None:
    parser = argparse.ArgumentParser(prog="pulumi-language-python")
    parser.add_argument("engine", nargs="?", default="", help="address of the engine")
    parser.add_argument("--use-executor", default="", help="path of pulumi-language-python-exec")
    parser.add_argument("--tracing", default="", help="endpoint for the traces of the program")
    parser.add_argument("--logtostderr", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("-v", dest="verbosity", help=argparse.SUPPRESS)
    arguments = parser.parse_args()

    processes = Processes()
    server = grpc.server(ThreadPoolExecutor(WORKER_THREADS), options=GRPC_OPTIONS)
    host = LanguageHost(
        processes, arguments.engine, executor=arguments.use_executor, tracing=arguments.tracing
    )
    language_pb2_grpc.add_LanguageRuntimeServicer_to_server(host, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(port, flush=True)

    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(0))
    threading.Thread(target=_stop_with_engine, args=(server,), daemon=True).start()
    try:
        server.wait_for_termination()
    except KeyboardInterrupt:
        pass  # the engine stops its plugins with SIGINT
    finally:
        processes.stop_all()
        server.stop(grace=0)


def _stop_with_engine(server: grpc.Server) -> None:
    """Stop the server at the end of standard input: the engine holds the other end of the pipe.

    This works even if the engine is killed with SIGKILL. If standard input is not a pipe, the host
    was started by hand and keeps running.
    """
    if stat.S_ISFIFO(os.fstat(0).st_mode):
        while os.read(0, 4096):
            pass
        server.stop(grace=0)


if __name__ == "__main__":
    main()
