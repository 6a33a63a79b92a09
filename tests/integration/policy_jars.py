"""Replication policies for tests, compiled to jars."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path
from typing import Any

from mirrorstack.local.kafka_installation import KafkaInstallation

CLASS = "com.example.OwnPolicy"
# `{source}_{topic}`, and the source is read from it.
SHOWS_SOURCE = """
    public String formatRemoteTopic(String source, String topic) { return source + "_" + topic; }
    public String topicSource(String topic) {
        int end = topic.indexOf('_');
        return end < 0 ? null : topic.substring(0, end);
    }
    public String upstreamTopic(String topic) {
        int end = topic.indexOf('_');
        return end < 0 ? null : topic.substring(end + 1);
    }
"""
# The same names, from which nothing is read.
READS_NOTHING = """
    public String formatRemoteTopic(String source, String topic) { return source + "_" + topic; }
    public String topicSource(String topic) { return null; }
    public String upstreamTopic(String topic) { return null; }
"""
# `{topic}-replicated`; every topic is taken for one of the source, as in identity naming.
HIDES_SOURCE = """
    private String source;
    public void configure(java.util.Map<String, ?> config) {
        source = (String) config.get("source.cluster.alias");
    }
    public String formatRemoteTopic(String source, String topic) { return topic + "-replicated"; }
    public String topicSource(String topic) {
        return topic.endsWith("-replicated") ? source : null;
    }
    public String upstreamTopic(String topic) {
        return topic.endsWith("-replicated") ? topic.substring(0, topic.length() - 11) : null;
    }
"""


def build_policy(kafka: KafkaInstallation, jar: Path, body: str) -> Path:
    """A jar with `com.example.OwnPolicy`."""
    package, _, name = CLASS.rpartition(".")
    interfaces = "org.apache.kafka.connect.mirror.ReplicationPolicy"
    if "configure(" in body:
        interfaces += ", org.apache.kafka.common.Configurable"
    classes = jar.parent / f"{jar.stem}-classes"
    source = classes / f"{name}.java"
    classes.mkdir(exist_ok=True)
    source.write_text(f"package {package};\npublic class {name} implements {interfaces} {{{body}}}")
    javac = kafka.java.resolve().with_name("javac")
    subprocess.run(
        [javac, "-cp", f"{kafka.jars}/*", "-d", classes, source], check=True, capture_output=True
    )
    with zipfile.ZipFile(jar, "w") as written:
        for file in sorted(classes.rglob("*.class")):
            written.write(file, file.relative_to(classes))
    return jar


def own_policy(jar: Path, name: str) -> dict[str, Any]:
    """The keys of a flow."""
    return {"naming": "custom", "policy": {"class": CLASS, "jar": str(jar), "name": name}}
