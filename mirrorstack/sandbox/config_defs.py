"""The keys that the real Kafka's classes declare, asked of the classes themselves.

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
from mirrorstack.sandbox.runtime import QUICK_START, KafkaRuntime, kafka_runtime

PROGRAM = Path(__file__).with_name("ConfigDefs.java")


def config_defs(runtime: KafkaRuntime) -> dict[str, Any]:
    """Kafka's version, and by section every key with its type, default and rule."""
    asked = subprocess.run(
        [runtime.java, "-cp", f"{runtime.jars}/*", *QUICK_START, PROGRAM],
        capture_output=True,
        text=True,
        check=False,
    )
    if asked.returncode != 0:
        raise UserError(
            f"{PROGRAM.name} ended with {asked.returncode}: {asked.stderr.strip()}",
            "Kafka's classes are not as this release's were: mend the program, or go back to the "
            "Kafka of toolchain/versions.py",
        )
    answer: dict[str, Any] = json.loads(asked.stdout)
    return answer


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
    sys.stdout.write(page(config_defs(kafka_runtime())))
