"""Connect workers as containers of a Docker host."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

import pulumi
import pulumi_docker as docker

from mirrorstack.config.docker_workers import HOST_NETWORK
from mirrorstack.local.collector import PARALLEL
from mirrorstack.local.java_properties import render
from mirrorstack.local.ports import ADDRESS
from mirrorstack.planning.deployment import WorkerDeployment
from mirrorstack.runtimes.docker import DIRECTORY, EVERY_ADDRESS, SECRETS
from mirrorstack.runtimes.worker_files import authorization, jaas_text, secrets_text, users_text
from mirrorstack.runtimes.worker_java import SHORT_PAUSES_MB
from mirrorstack.sandbox.connection import connection as sandbox_connection

CONNECT = "/opt/kafka/bin/connect-distributed.sh"
JARS = PurePosixPath("/opt/mirrorstack")
# Beside the heap: classes, compiled code, threads, buffers of the network.
OVERHEAD_MB, OVERHEAD_SHARE = 256, 0.25
READY_SECONDS, GRACE_SECONDS = 180, 30
LOGGING = """\
<?xml version="1.0" encoding="UTF-8"?>
<Configuration status="ERROR">
  <Appenders>
    <Console name="console"><PatternLayout pattern="%d{ISO8601} %-5p %m (%c)%n"/></Console>
  </Appenders>
  <Loggers><Root level="INFO"><AppenderRef ref="console"/></Root></Loggers>
</Configuration>
"""
LOG_OPTIONS = {"max-size": "10m", "max-file": "4"}


def docker_workers(
    name: str, workers: WorkerDeployment, opts: pulumi.ResourceOptions
) -> list[pulumi.Resource]:
    """The containers of one target, and what they need. `components.workers` looks this function
    up by the runtime."""
    options = workers.placement.options
    provider = docker.Provider(f"{name}-docker", host=options["daemon"], opts=opts)
    opts = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(provider=provider))
    image = docker.RemoteImage(f"{name}-image", name=options["image"], keep_locally=True, opts=opts)
    network = _network(name, options, opts)
    secrets = _secret_files(workers)
    containers: list[docker.Container] = []
    for number, config in enumerate(workers.configs, start=1):
        # One after the other: the tasks of a worker that is replaced run on the others meanwhile.
        after = pulumi.ResourceOptions(depends_on=containers[-1:], delete_before_replace=True)
        containers.append(
            docker.Container(
                f"{name}-{number}",
                _container(number, config, workers, image, network, secrets),
                pulumi.ResourceOptions.merge(opts, after),
            )
        )
    return [*containers]


def _network(
    name: str, options: Mapping[str, str], opts: pulumi.ResourceOptions
) -> pulumi.Input[str]:
    if options["network"]:
        return options["network"]
    return docker.Network(f"{name}-network", name=options["name"], opts=opts).name


def _container(
    number: int,
    config: Mapping[str, str],
    workers: WorkerDeployment,
    image: docker.RemoteImage,
    network: pulumi.Input[str],
    secrets: Mapping[PurePosixPath, pulumi.Input[str]],
) -> docker.ContainerArgs:
    options = workers.placement.options
    port = urlsplit(workers.placement.rest_urls[number - 1]).port or 0
    on_host = options["network"] == HOST_NETWORK
    memory = int(workers.heap_mb * (1 + OVERHEAD_SHARE)) + OVERHEAD_MB
    properties, health = DIRECTORY / "worker.properties", DIRECTORY / "healthy"
    files = {
        properties: render(config),
        DIRECTORY / "logging.xml": LOGGING,
        health: _health_check(config["listeners"]),
        **secrets,
    }
    return docker.ContainerArgs(
        name=f"{options['name']}-{number}",
        image=image.image_id,
        entrypoints=[CONNECT],
        command=[str(properties)],
        envs=[f"{key}={value}" for key, value in _environment(workers).items()],
        uploads=[
            docker.ContainerUploadArgs(file=str(file), content=content, permissions="0444")
            for file, content in files.items()
        ]
        + _jars(workers),
        network_mode=HOST_NETWORK if on_host else "bridge",
        networks_advanced=None if on_host else [docker.ContainerNetworksAdvancedArgs(name=network)],
        ports=None
        if on_host
        else [docker.ContainerPortArgs(internal=port, external=port, ip=options["publish"])],
        memory=memory,
        # Without it every preview shows a difference.
        memory_swap=memory,
        restart="unless-stopped",
        stop_timeout=GRACE_SECONDS,
        destroy_grace_seconds=GRACE_SECONDS,
        log_driver="json-file",
        log_opts=LOG_OPTIONS,
        capabilities=docker.ContainerCapabilitiesArgs(drops=["ALL"]),
        security_opts=["no-new-privileges:true"],
        healthcheck=docker.ContainerHealthcheckArgs(
            tests=["CMD", "bash", str(health)],
            interval="5s",
            timeout="5s",
            retries=6,
            start_period="1m0s",
        ),
        wait=True,
        wait_timeout=READY_SECONDS,
    )


def _environment(workers: WorkerDeployment) -> dict[str, str]:
    """It holds no secret: `docker inspect` shows it."""
    collector = [PARALLEL] if workers.heap_mb <= SHORT_PAUSES_MB else []
    jars = {"CLASSPATH": str(JARS / "*")} if workers.jars else {}
    return {
        "KAFKA_HEAP_OPTS": f"-Xmx{workers.heap_mb}m",
        "KAFKA_JVM_PERFORMANCE_OPTS": " ".join(
            ["-server", *collector, "-XX:+ExitOnOutOfMemoryError", "-Djava.awt.headless=true"]
        ),
        "KAFKA_OPTS": f"-Djava.security.auth.login.config={DIRECTORY / 'rest.jaas'}",
        "KAFKA_LOG4J_OPTS": f"-Dlog4j2.configurationFile={DIRECTORY / 'logging.xml'}",
        **jars,
    }


def _secret_files(workers: WorkerDeployment) -> dict[PurePosixPath, pulumi.Output[str]]:
    """Uploaded into the container: neither its environment nor its labels hold a secret."""
    config = pulumi.Config()
    passwords = {
        alias: reference.resolve(config.require, sandbox_connection)
        for alias, reference in workers.passwords.items()
    }
    rest = config.require(workers.placement.login.password_key)
    users = DIRECTORY / "rest-users.properties"
    files = {
        SECRETS: secrets_text(passwords),
        users: users_text(rest),
        DIRECTORY / "rest.jaas": jaas_text(users),
        DIRECTORY / "authorization": authorization(rest),
    }
    return {file: pulumi.Output.secret(content) for file, content in files.items()}


def _jars(workers: WorkerDeployment) -> list[docker.ContainerUploadArgs]:
    return [
        docker.ContainerUploadArgs(
            file=str(JARS / Path(jar.path).name), source=str(jar.path), source_hash=jar.sha256
        )
        for jar in workers.jars
    ]


def _health_check(listener: str) -> str:
    """For bash, which Kafka's own scripts need as well: an image may have neither curl nor wget."""
    bound = urlsplit(listener)
    address = ADDRESS if bound.hostname == EVERY_ADDRESS else bound.hostname
    return f"""\
exec 3<>/dev/tcp/{address}/{bound.port}
printf 'GET /health HTTP/1.0\\r\\nAuthorization: %s\\r\\n\\r\\n' "$(<{DIRECTORY}/authorization)" >&3
read -r _ status _ <&3
[ "$status" = 200 ]
"""
