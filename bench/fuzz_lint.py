"""Fuzz test of `mirrorstack lint`: a mutated file ends in findings or a user error, no traceback.

    python -m bench.fuzz_lint --seed 1 --count 10000

The same seed and count produce the same files. A failure prints its number, the traceback and the
content of the file.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.fuzz_files import FILES, PEER, STACK
from mirrorstack.findings import UserError
from mirrorstack.lint.cross_file import LintedFile, check_files
from mirrorstack.lint.reader import read_file
from mirrorstack.lint.reports import as_json, as_sarif, as_text

PROGRESS_STEP = 500
VALUES = (
    *("null", "~", "true", "-1", "0", "3.5", "1e999", "-.inf", ".nan", "1" * 400, "1" * 5000),
    *("0x" + "f" * 5000, "0b", "0o9", "1:99", "2026-02-31", "2026-13-01 99:99:99", "''", '""'),
    *(
        "[]",
        "{}",
        "[[[]]]",
        "{a: {b: {c: 1}}}",
        '{"a": {"b": [1, null]}}',
        "[1, 2",
        "{a",
        "&a [*a]",
    ),
    *(
        "&x {<<: *x}",
        "*nowhere",
        "!!int x",
        "!!float x",
        "!!binary é",
        "!!timestamp x",
        "!!set {a}",
    ),
    *("!!python/object:os.system x", "? [a]", "| ", "> ", "@", "`", "%", "\t", "\\", "\\u12"),
    *("(", ")", "*", "[a-", "(?<!x)", "(a+)+b", "a{1000}", "a{99999999999}", "\\p{L}", "(?i)x"),
    *("\\Q", "[[a]&&[b]]", ".*,.*,", ",", "a" * 3000, "${file:/x:y}", "${", "->", "a->b->c"),
    *(
        "é€😀",
        "\u202e",
        "\ufeff",
        "\u2028",
        "\x00",
        "\x07",
        "\x1b[31m",
        "\x85",
        "\\ud800",
        "\udfff",
    ),
)
VALUE = re.compile(r"(?<=[:=])[ \t]*[^\s,\]}#][^,\]}#\n]*|(?<=[\[,{ ])[\w.*-]+")
KEY = re.compile(r"[\w.>-]+(?=\"?\s*[:=])")


@dataclass(frozen=True)
class Failure:
    number: int
    name: str
    content: bytes
    report: str


def _lines(dice: random.Random, content: bytes) -> bytes:
    """Delete, duplicate, swap, indent or cut a line."""
    lines = content.split(b"\n")
    one, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    kind = dice.randrange(5)
    if kind == 0:
        del lines[one]
    elif kind == 1:
        lines.insert(other, lines[one])
    elif kind == 2:
        lines[one], lines[other] = lines[other], lines[one]
    elif kind == 3:
        lines[one] = b" " * dice.randrange(1, 9) + lines[one].lstrip()
    else:
        lines[one] = lines[one][: dice.randrange(len(lines[one]) + 1)]
    return b"\n".join(lines)


def _bytes(dice: random.Random, content: bytes) -> bytes:
    """Flip, insert or delete bytes."""
    changed = bytearray(content or b"\n")
    for _ in range(dice.choice((1, 1, 3, 20))):
        position = dice.randrange(len(changed))
        kind = dice.randrange(3)
        if kind == 0:
            changed[position] ^= 1 << dice.randrange(8)
        elif kind == 1:
            changed.insert(position, dice.randrange(256))
        elif len(changed) > 1:
            del changed[position]
    return bytes(changed)


def _replace(pattern: re.Pattern[str]) -> Callable[[random.Random, bytes], bytes]:
    """Replace a value, or a key, by an odd one or by another one of the file."""

    def replace(dice: random.Random, content: bytes) -> bytes:
        text = content.decode("utf-8", "surrogateescape")
        matches = list(pattern.finditer(text))
        if not matches:
            return content
        old = dice.choice(matches)
        new = dice.choice(matches).group() if dice.random() < 0.3 else dice.choice(VALUES)
        space = " " if pattern is VALUE else ""
        changed = f"{text[: old.start()]}{space}{new}{text[old.end() :]}"
        return changed.encode("utf-8", "surrogatepass" if "\udfff" in new else "surrogateescape")

    return replace


def _nest(dice: random.Random, content: bytes) -> bytes:
    """Deep nesting, closed or not."""
    depth = dice.choice((50, 101, 1000, 20000))
    opened, closed = dice.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"{a: ", b"}")))
    position = dice.randrange(len(content) + 1)
    nested = opened * depth + b"1" + closed * dice.choice((0, depth))
    return content[:position] + nested + content[position:]


MUTATIONS = (_lines, _lines, _bytes, _replace(VALUE), _replace(VALUE), _replace(KEY))
RARE_MUTATIONS = (_nest,)


def mutate(dice: random.Random, content: bytes) -> bytes:
    for _ in range(dice.choice((1, 1, 2, 4))):
        mutations = RARE_MUTATIONS if dice.random() < 0.03 else MUTATIONS
        try:
            content = dice.choice(mutations)(dice, content)
        except UnicodeEncodeError:
            continue
    return content


def lint(*files: Path) -> None:
    """As the command does it, in all formats."""
    linted: dict[Path, LintedFile] = {}
    for file in files:
        try:
            linted[file] = read_file(file)
        except UserError as error:
            error.report()
    findings = check_files(linted)
    for report in (as_text, as_json, as_sarif):
        report(findings, list(linted)).encode()


def fuzz(
    seed: int, count: int, directory: Path, progress: Callable[[int], None] | None = None
) -> Iterator[Failure]:
    """Lints `count` mutated files below a directory; yields those that raise anything else."""
    dice = random.Random(seed)  # noqa: S311 - reproducible on purpose
    (directory / PEER).write_text(STACK.replace("west", "north"))
    originals = {}
    for name, original in FILES.items():
        originals[name] = directory / f"original-{name}"
        originals[name].write_text(original)
    for number in range(count):
        if progress:
            progress(number)
        name = dice.choice(list(FILES))
        content = mutate(dice, FILES[name].encode())
        file = directory / name
        file.write_bytes(content)
        try:
            # Some files are linted together with the original, for the checks over several files.
            lint(file, *([originals[name]] if dice.random() < 0.1 else []))
        except Exception:
            yield Failure(number, name, content, traceback.format_exc())


def _print_progress(number: int) -> None:
    if number % PROGRESS_STEP == 0:
        print(f"{number} files linted", file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10_000)
    options = parser.parse_args()
    started, failures = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as directory:
        for failure in fuzz(options.seed, options.count, Path(directory), _print_progress):
            failures += 1
            print(
                f"--- {failure.number}: {failure.name}\n{failure.report}{failure.content!r}\n",
                flush=True,
            )
    seconds = time.monotonic() - started
    print(f"{options.count} files, seed {options.seed}: {failures} failures in {seconds:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
