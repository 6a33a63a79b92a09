"""The keys that Kafka's classes declare, read from the classes themselves.

`make catalogue` writes them to mirrorstack/mm2/catalogue.json, which everything else reads.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mirrorstack.findings import UserError
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.runtimes.installed import installed_kafka

PROGRAM = Path(__file__).with_name("ConfigDefs.java")


def config_defs(kafka: KafkaInstallation) -> dict[str, Any]:
    """Kafka's version, and by section every key with its type, default and validator."""
    ended = subprocess.run(kafka.command(PROGRAM), capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise UserError(
            f"{PROGRAM.name} exited with {ended.returncode}: {ended.stderr.strip()}",
            f"change {PROGRAM} for these Kafka classes, or use the Kafka of toolchain/versions.py",
        )
    catalogue: dict[str, Any] = json.loads(ended.stdout)
    return catalogue


def page(catalogue: Mapping[str, Any]) -> str:
    """One line per key, so that a new release's changes can be read in a diff."""
    sections = ",\n".join(
        f"  {json.dumps(name)}: {{\n{_lines(keys)}\n  }}"
        for name, keys in catalogue["sections"].items()
    )
    return f'{{\n"kafka": {json.dumps(catalogue["kafka"])},\n"sections": {{\n{sections}\n}}\n}}\n'


def _lines(keys: Mapping[str, Any]) -> str:
    return ",\n".join(f"    {json.dumps(name)}: {json.dumps(key)}" for name, key in keys.items())


if __name__ == "__main__":
    sys.stdout.write(page(config_defs(installed_kafka())))
