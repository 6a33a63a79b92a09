"""Our reading of properties files against java.util.Properties."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from mirrorstack.local.java_properties import MalformedProperties, load
from mirrorstack.local.kafka_installation import KafkaInstallation

# Loads each file of a directory; one line per file: `key=value` pairs in hexadecimal, or `refused`.
ORACLE = """
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;

public class Oracle {
    public static void main(String[] arguments) throws IOException {
        File[] files = new File(arguments[0]).listFiles();
        Arrays.sort(files);
        StringBuilder out = new StringBuilder();
        for (File file : files) {
            Properties loaded = new Properties();
            try (InputStream in = Files.newInputStream(file.toPath())) {
                loaded.load(in);
                for (String key : new TreeSet<>(loaded.stringPropertyNames()))
                    out.append(hex(key) + "=" + hex(loaded.getProperty(key)) + " ");
            } catch (IllegalArgumentException e) {
                out.append("refused");
            }
            out.append('\\n');
        }
        System.out.print(out);
    }

    static String hex(String text) {
        StringBuilder out = new StringBuilder();
        for (char unit : text.toCharArray()) out.append(String.format("%04x", (int) unit));
        return out.toString();
    }
}
"""
CORNERS = [
    "", "a", "a=", "=b", "a=b", "a = b ", "a:b", "a b", "a  =  b", "a==b", "a=:b", "a:=b",
    "a =:= b", "\\\n", "a\\\n", "\\\r\n", "a\\\r\n",
    "a\tb", "a\fb", " a=b", "\t\f a=b", "# c\na=b", "! c\na=b", "a=b # not a comment", "a=#b",
    "a=b\\\n  c", "a=b\\\r\n  c", "a=b\\\rc", "a=b\\\\\nc=d", "a=b\\\\\\\nc=d", "a=b\\", "a=b\\\\",
    "\\\n# is this a comment?\na=b", "\\\n\\\na=b", "a=b\\\n\nc=d", "a=b\\\n   \nc=d", "a=b\\\n#c",
    "a\\\nb=c", "a\\ b=c", "a\\=b=c", "a\\:b=c", "\\#a=b", "a=\\#b", "a=\\ b", "a=b\\ ",
    "a=\\t\\n\\r\\f",
    "a=\\q\\\"\\'", "a=\\u0041", "a=\\u00e9\\u20AC", "a=\\uD83D\\uDE00", "a=\\u12", "a=\\uXYZW",
    "\\u0061=b", "a=\\\\u0041", "a=1\na=2", "a=b\rc=d", "a=b\r\r\nc=d", "a=caf\xe9", "#a\\\nb=c",
    "A->B.topics = x, \\\n   y", "a=b\n\n\n", "\n\n a", "a\\", "\\", "\\\\", "=", ":", " = ",
    "a=\0b",
]  # fmt: skip
PIECES = ("a", "b", "=", ":", " ", "\t", "\f", "\n", "\r", "\\", "#", "!", "\\u0041", "\\n", "\xe9")


def ours(content: bytes) -> str:
    try:
        found = {one.key: one.value for one in load(content)}
    except MalformedProperties:
        return "refused"
    pairs = sorted((hexed(key), hexed(value)) for key, value in found.items())
    return "".join(f"{key}={value} " for key, value in pairs)


def hexed(text: str) -> str:
    return text.encode("utf-16-be", "surrogatepass").hex()


def disagreements(
    runtime: KafkaInstallation, directory: Path, contents: Sequence[str]
) -> list[tuple[str, str, str]]:
    """Content, Java's reading and ours, where they differ."""
    oracle = directory / "Oracle.java"
    oracle.write_text(ORACLE)
    files = directory / "files"
    files.mkdir()
    for number, content in enumerate(contents):
        (files / f"{number:06}").write_bytes(content.encode("latin-1"))
    asked = subprocess.run(
        [runtime.java, oracle, files], capture_output=True, text=True, check=True
    )
    answers = zip(contents, asked.stdout.splitlines(), strict=True)
    return [
        (content, java, ours(content.encode("latin-1")))
        for content, java in answers
        if java != ours(content.encode("latin-1"))
    ]


def test_every_corner_is_read_as_java_reads_it(runtime: KafkaInstallation, tmp_path: Path) -> None:
    assert disagreements(runtime, tmp_path, CORNERS) == []


@pytest.mark.parametrize("longest", [6, 20])
def test_random_files_are_read_as_java_reads_them(
    runtime: KafkaInstallation, tmp_path: Path, longest: int
) -> None:
    dice = random.Random(20261116)  # noqa: S311 - reproducible on purpose
    contents = ["".join(dice.choices(PIECES, k=dice.randint(1, longest))) for _ in range(4000)]

    assert disagreements(runtime, tmp_path, contents) == []
