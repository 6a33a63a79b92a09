"""Our reading of Java's regular expressions against Java's own."""

from __future__ import annotations

import itertools
import random
import subprocess
from pathlib import Path

import pytest

from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.mm2.java_regex import InvalidPattern, compile_java

# Reads `pattern TAB name` lines; answers each with match, no or invalid.
ORACLE = """
import java.io.*;
import java.util.regex.*;

public class Oracle {
    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder out = new StringBuilder();
        for (String line; (line = in.readLine()) != null; ) {
            String[] pair = line.split("\\t", -1);
            try {
                out.append(Pattern.compile(pair[0]).matcher(pair[1]).matches() ? "match" : "no");
            } catch (PatternSyntaxException e) {
                out.append("invalid");
            }
            out.append('\\n');
        }
        System.out.print(out);
    }
}
"""

PATTERNS = [
    ".*", "orders", "orders.*", "orders|clicks", "(orders|clicks)-v[0-9]+", r"a\.b", r"\Qa.b\E",
    r"\Qa.b", "[a-z&&[^b]]+", "[a-c[x-z]]+", "[^a-c]+", r"[\w.-]+", r"\p{Alnum}+", r"\P{Alpha}+",
    "(?<name>a)\\k<name>", "(a)\\1", "a{2}", "a{1,2}", "a++b?", "(?i)ORDERS", "(?i:O)rders",
    "(?!__).*", ".*(?<!-internal)", "(?:a|b)*c", "[]a]+", "[-a]+", "[a-]+", "[a\\-z]+", "^orders$",
    r"\d+", r"\D+", r"\Aorders\z", r"a|", "|a", "", "x&&y", "[a&&b]", "(?>a*)b", r"\_", r"[\.]+",
    # Java refuses these
    "a{2", "a**", "[a", "(?P<n>x)", "a{,3}", r"\y", "*", "+a", "(a", "a)", "[z-a]", "a\\",
    "(?<1n>a)", "[]",
]  # fmt: skip
NAMES = [
    "", "orders", "clicks", "orders-v2", "Orders", "a", "b", "ab", "aa", "aab", "a.b", "aXb", "x.y",
    "__consumer_offsets", "mm2-offset-syncs.west.internal", "app-internal", "123", "-", "_", ".",
    "c", "abc", "bc", "x", "z-a",
]  # fmt: skip


@pytest.fixture(scope="module")
def oracle(runtime: KafkaInstallation, tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("oracle") / "Oracle.java"
    source.write_text(ORACLE)
    return source


def ours(pattern: str, name: str) -> str:
    try:
        return "match" if compile_java(pattern).fullmatch(name) else "no"
    except InvalidPattern:
        return "invalid"


def disagreements(
    runtime: KafkaInstallation, oracle: Path, pairs: list[tuple[str, str]]
) -> list[tuple[str, str, str, str]]:
    """Pattern, name, Java's answer and ours, where they differ."""
    lines = "".join(f"{pattern}\t{name}\n" for pattern, name in pairs)
    asked = subprocess.run(
        [runtime.java, oracle], input=lines, capture_output=True, text=True, check=True
    )
    answers = zip(pairs, asked.stdout.splitlines(), strict=True)
    return [(*pair, java, ours(*pair)) for pair, java in answers if java != ours(*pair)]


def test_every_construct_is_read_as_java_reads_it(runtime: KafkaInstallation, oracle: Path) -> None:
    assert disagreements(runtime, oracle, list(itertools.product(PATTERNS, NAMES))) == []


def test_random_patterns_are_read_as_java_reads_them(
    runtime: KafkaInstallation, oracle: Path
) -> None:
    dice = random.Random(20261116)  # noqa: S311 - reproducible on purpose
    pieces = r"a b - . \. [ab] [^a] ( ) | * + ? a{2} (?:".split()  # noqa: SIM905 - one line
    names = ["".join(name) for n in range(4) for name in itertools.product("ab-.", repeat=n)]
    patterns = {"".join(dice.choices(pieces, k=dice.randint(1, 7))) for _ in range(1500)}
    pairs = [(pattern, dice.choice(names)) for pattern in sorted(patterns) for _ in range(4)]

    assert disagreements(runtime, oracle, pairs) == []
