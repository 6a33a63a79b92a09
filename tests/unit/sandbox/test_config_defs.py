"""The format of the catalogue of Kafka's keys, and errors of the program that reads them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mirrorstack.findings import UserError
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.sandbox.config_defs import config_defs, page

CATALOGUE = {
    "kafka": "4.0.0",
    "sections": {"source": {"topics": {"type": "LIST"}, "name": {"type": "STRING"}}, "admin": {}},
}


def test_the_page_is_json_with_one_line_per_key() -> None:
    text = page(CATALOGUE)
    assert json.loads(text) == CATALOGUE
    assert '    "topics": {"type": "LIST"},\n    "name": {"type": "STRING"}\n' in text


def test_an_error_of_java_is_reported(tmp_path: Path) -> None:
    java = tmp_path / "java"
    java.write_text("#!/bin/sh\necho 'error: cannot find symbol' >&2; exit 1\n")
    java.chmod(0o755)
    with pytest.raises(UserError, match="exited with 1: error: cannot find symbol") as raised:
        config_defs(KafkaInstallation(java=java, jars=tmp_path))
    assert "ConfigDefs.java" in raised.value.fix
