"""A Connect worker in a container with Kafka in `/opt/kafka`, on any platform: its files, its
environment, and how much memory it needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from mirrorstack.local.collector import PARALLEL, SHORT_PAUSES_MB
from mirrorstack.local.java_properties import render
from mirrorstack.local.logs import with_failures
from mirrorstack.local.ports import ADDRESS
from mirrorstack.mm2.dedicated.config import is_dedicated, target_of
from mirrorstack.runtimes.worker_files import authorization, jaas_text, users_text

CONNECT = "/opt/kafka/bin/connect-distributed.sh"
MIRROR_MAKER = "/opt/kafka/bin/connect-mirror-maker.sh"
JARS = PurePosixPath("/opt/mirrorstack")
"""For the jars with replication policies."""
EVERY_ADDRESS = "0.0.0.0"  # noqa: S104 - of a container, or where the stack file asks for it
PROPERTIES, HEALTH, LOG_CONFIG = "worker.properties", "healthy", "logging.xml"
RUN = "run"
"""A script that runs MirrorMaker in dedicated mode."""
FAILURES = "/tmp/failures.log"  # noqa: S108 - of the container
AUTHORIZATION, USERS, LOGIN = "authorization", "rest-users.properties", "rest.jaas"
# Beside the heap: classes, compiled code, threads, buffers of the network.
OVERHEAD_MB, OVERHEAD_SHARE = 256, 0.25
# Nothing else restarts a task that has FAILED. The container ends, and its platform restarts it.
RESTARTING = f"""\
"$@" &
worker=$!
trap 'kill -TERM $worker; wait $worker; exit' TERM INT
while kill -0 $worker 2>/dev/null; do
  if [ -s {FAILURES} ]; then
    echo "ERROR a task has FAILED: restarting MirrorMaker" >&2
    kill -TERM $worker
    wait $worker
    exit 1
  fi
  sleep 5 &
  wait $!
done
wait $worker
"""
MILLI_CPU_PER_MB = 250 / 256
LOGGING = """\
<?xml version="1.0" encoding="UTF-8"?>
<Configuration status="ERROR">
  <Appenders>
    <Console name="console"><PatternLayout pattern="%d{ISO8601} %-5p %m (%c)%n"/></Console>
  </Appenders>
  <Loggers><Root level="INFO"><AppenderRef ref="console"/></Root></Loggers>
</Configuration>
"""


def memory_mb(heap_mb: int) -> int:
    """The limit of the container."""
    return int(heap_mb * (1 + OVERHEAD_SHARE)) + OVERHEAD_MB


def cpu(heap_mb: int) -> str:
    """The request of the container, as a quantity of Kubernetes."""
    return f"{round(heap_mb * MILLI_CPU_PER_MB)}m"


def environment(
    heap_mb: int,
    login: PurePosixPath | None,
    log_config: PurePosixPath,
    *,
    jars: bool,
    agent: str = "",
) -> dict[str, str]:
    """It holds no secret: everybody who may list containers can read it. `agent`: of Java, with its
    options."""
    collector = [PARALLEL] if heap_mb <= SHORT_PAUSES_MB else []
    return {
        "KAFKA_HEAP_OPTS": f"-Xmx{heap_mb}m",
        "KAFKA_JVM_PERFORMANCE_OPTS": " ".join(
            ["-server", *collector, "-XX:+ExitOnOutOfMemoryError", "-Djava.awt.headless=true"]
        ),
        "KAFKA_OPTS": " ".join(
            [
                *([f"-Djava.security.auth.login.config={login}"] if login else []),
                *([f"-javaagent:{agent}"] if agent else []),
            ]
        ),
        "KAFKA_LOG4J_OPTS": f"-Dlog4j2.configurationFile={log_config}",
        **({"CLASSPATH": str(JARS / "*")} if jars else {}),
    }


def plain_files(config: Mapping[str, str], secrets: PurePosixPath) -> dict[str, str]:
    """By name: the worker's files without secrets. `secrets` is the directory of the others."""
    if is_dedicated(config):
        return {
            PROPERTIES: render(config),
            LOG_CONFIG: with_failures(LOGGING, FAILURES),
            HEALTH: _health_check(config["listeners"]),
            RUN: RESTARTING,
        }
    return {
        PROPERTIES: render(config),
        LOG_CONFIG: LOGGING,
        HEALTH: _health_check(config["listeners"], secrets / AUTHORIZATION),
    }


def command(config: Mapping[str, str], directory: PurePosixPath) -> list[str]:
    """What the container runs; `directory` has the files without secrets."""
    properties = str(directory / PROPERTIES)
    if is_dedicated(config):
        program = [MIRROR_MAKER, properties, "--clusters", target_of(config)]
        return ["bash", str(directory / RUN), *program]
    return [CONNECT, properties]


def rest_files(password: str, directory: PurePosixPath) -> dict[str, str]:
    """By name: who may use the REST API, and the header that the health check sends."""
    return {
        USERS: users_text(password),
        LOGIN: jaas_text(directory / USERS),
        AUTHORIZATION: authorization(password),
    }


def jar_names(jars: Sequence[Path]) -> list[str]:
    """In the container; jars of different directories may have the same name."""
    return [f"{number}-{jar.name}" for number, jar in enumerate(jars, start=1)]


def _health_check(listener: str, authorization: PurePosixPath | None = None) -> str:
    """For bash, which Kafka's own scripts need as well: an image may have neither curl nor wget.
    In dedicated mode, without an authorization, any response will do."""
    bound = urlsplit(listener)
    address = ADDRESS if bound.hostname == EVERY_ADDRESS else bound.hostname
    header = f"Authorization: $(<{authorization})\\r\\n" if authorization else ""
    return f"""\
exec 3<>/dev/tcp/{address}/{bound.port}
printf '%b' "GET /health HTTP/1.0\\r\\n{header}\\r\\n" >&3
read -r _ status _ <&3
[ "$status" {"= 200" if authorization else "-gt 0"} ]
"""
