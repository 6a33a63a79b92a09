"""Shell scripts: Kafka commands and options in them. A heuristic, not a shell parser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from mirrorstack.findings import Finding
from mirrorstack.rules.keys.commands import command_findings

SHEBANG = re.compile(rb"#!.*\b(ba|da|k|z)?sh\b")
HERE_DOCUMENT = re.compile(r"<<-?\s*([\"']?)(\w+)\1")
# Quoted text is one word; a separator of commands is its own word.
WORD = re.compile(
    r"""(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\;&|()`\#]|(?<=[^\s;&|()`])\#)+"""
    r"""|[;&|()`]+|\#.*"""
)
SEPARATOR = re.compile(r"[;&|()`]+")
# Their arguments are text; nothing in it is run.
PRINT_COMMANDS = ("echo", "printf", ":")


def check_script(content: str) -> list[Finding]:
    findings = []
    for words in _commands(content):
        if words[0][1] in PRINT_COMMANDS:
            continue
        lines = {word.rpartition("/")[2].partition("=")[0]: line for line, word in words}
        for one in command_findings([word for _, word in words]):
            findings.append(replace(one, line=lines.get(one.key, words[0][0])))
    return findings


def _commands(content: str) -> Iterator[list[tuple[int, str]]]:
    """The words of each command, each with its line."""
    command: list[tuple[int, str]] = []
    for number, line, continues in _lines(content):
        for word in WORD.findall(line):
            if word.startswith("#"):
                break
            if SEPARATOR.fullmatch(word):
                if command:
                    yield command
                command = []
            else:
                command.append((number, word.strip("\"'")))
        if command and not continues:
            yield command
            command = []
    if command:
        yield command


def _lines(content: str) -> Iterator[tuple[int, str, bool]]:
    """Lines outside of here-documents, and whether the command continues on the next line."""
    ends: list[str] = []
    for number, line in enumerate(content.replace("\r\n", "\n").split("\n"), start=1):
        if ends:
            if line.strip() == ends[0]:
                ends.pop(0)
            continue
        ends += [match[1] for match in HERE_DOCUMENT.findall(line)]
        continues = line.endswith("\\") and not line.endswith("\\\\")
        yield number, line.removesuffix("\\") if continues else line, continues
