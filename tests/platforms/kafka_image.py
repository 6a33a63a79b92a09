"""An image with Kafka's own jars, laid out as the official one: /opt/kafka, Java, and bash.

It stands in for `apache/kafka`, which is in no package registry.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

from docker import DockerClient

from mirrorstack.local.kafka_installation import KafkaInstallation

MODULES = (
    "java.base,java.desktop,java.logging,java.management,java.naming,java.net.http,"
    "java.security.jgss,java.security.sasl,java.sql,java.xml,jdk.crypto.ec,jdk.management,"
    "jdk.security.auth,jdk.unsupported,jdk.zipfs"
)
# With the options in the order of Kafka's own kafka-run-class.sh.
SCRIPT = """\
#!/bin/bash
exec /opt/java/bin/java $KAFKA_HEAP_OPTS $KAFKA_JVM_PERFORMANCE_OPTS \\
  $KAFKA_LOG4J_OPTS $KAFKA_OPTS -cp "$CLASSPATH:/opt/kafka/libs/*" \\
  {program} "$@"
"""
SCRIPTS = {
    "connect-distributed.sh": "org.apache.kafka.connect.cli.ConnectDistributed",
    "connect-mirror-maker.sh": "org.apache.kafka.connect.mirror.MirrorMaker",
}
# What the script that runs dedicated mode needs besides bash.
TOOLS = ("sleep",)
USERS = "root:x:0:0:root:/root:/bin/bash\nappuser:x:1000:1000::/home/appuser:/bin/bash\n"
LIBRARY = re.compile(r"(/\S+\.so\S*)")


def load(client: DockerClient, name: str, kafka: KafkaInstallation, scratch: Path) -> None:
    """Make the image known to a daemon, under a name such as `apache/kafka:4.3.1`."""
    repository, _, tag = name.rpartition(":")
    client.api.import_image_from_data(
        image_files(kafka, scratch), repository=repository, tag=tag, changes=["USER 1000"]
    )


def image_files(kafka: KafkaInstallation, scratch: Path) -> bytes:
    java = scratch / "java"
    if not java.exists():
        jlink = kafka.java.resolve().parent / "jlink"
        options = ("--strip-debug", "--no-header-files", "--no-man-pages")
        subprocess.run([jlink, "--add-modules", MODULES, *options, "--output", java], check=True)
    bash = Path(shutil.which("bash") or "/bin/bash").resolve()
    tools = [Path(shutil.which(tool) or f"/bin/{tool}").resolve() for tool in TOOLS]
    needed = {bash, *tools}
    for tool in (bash, *tools):
        needed |= set(_libraries(tool))
    for part in (*java.rglob("*.so"), java / "bin" / "java"):
        needed |= {library for library in _libraries(part) if not library.is_relative_to(java)}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.add(java, "opt/java")
        for jar in sorted(kafka.jars.glob("*.jar")):
            archive.add(jar, f"opt/kafka/libs/{jar.name}")
        for file in sorted(needed):
            archive.add(file.resolve(), str(file).lstrip("/"))
        for link in ("bin/sh", "bin/bash", "usr/bin/bash"):
            if Path("/", link) not in needed:
                _add(archive, link, bash.read_bytes(), 0o755)
        for name, program in SCRIPTS.items():
            content = SCRIPT.format(program=program).encode()
            _add(archive, f"opt/kafka/bin/{name}", content, 0o755)
        _add(archive, "etc/passwd", USERS.encode(), 0o644)
        _add_directory(archive, "tmp", 0o1777)
    return packed.getvalue()


def _libraries(file: Path) -> set[Path]:
    listed = subprocess.run(["ldd", file], capture_output=True, text=True, check=False).stdout
    return {Path(path) for path in LIBRARY.findall(listed) if Path(path).exists()}


def _add(archive: tarfile.TarFile, name: str, content: bytes, mode: int) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), mode
    archive.addfile(entry, io.BytesIO(content))


def _add_directory(archive: tarfile.TarFile, name: str, mode: int) -> None:
    entry = tarfile.TarInfo(name)
    entry.type, entry.mode = tarfile.DIRTYPE, mode
    archive.addfile(entry)
