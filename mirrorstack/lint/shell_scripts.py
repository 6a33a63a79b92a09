"""Shell scripts: the command lines in them, as far as one can tell without being a shell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mirrorstack.lint.entries import Placed
from mirrorstack.rules.keys.commands import command_findings

SHEBANG = re.compile(rb"#!.*\b(ba|da|k|z)?sh\b")
HERE_DOCUMENT = re.compile(r"<<-?\s*([\"']?)(\w+)\1")
# Quoted text is one word, whatever it holds; what separates commands is a word of its own.
WORD = re.compile(
    r"""(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\;&|()`\#]|(?<=[^\s;&|()`])\#)+"""
    r"""|[;&|()`]+|\#.*"""
)
SEPARATOR = re.compile(r"[;&|()`]+")
# What they are given is text, and runs nothing.
TELLING = ("echo", "printf", ":")


def judge_script(content: str) -> list[Placed]:
    found = []
    for words in _commands(content):
        if words[0][1] in TELLING:
            continue
        lines = {word.rpartition("/")[2].partition("=")[0]: line for line, word in words}
        for one in command_findings([word for _, word in words]):
            found.append(Placed(lines.get(one.key, words[0][0]), one))
    return found


def _commands(content: str) -> Iterator[list[tuple[int, str]]]:
    """The words of each command, with the line that each stands on."""
    here: list[tuple[int, str]] = []
    for number, line, goes_on in _lines(content):
        for word in WORD.findall(line):
            if word.startswith("#"):
                break
            if SEPARATOR.fullmatch(word):
                if here:
                    yield here
                here = []
            else:
                here.append((number, word.strip("\"'")))
        if here and not goes_on:
            yield here
            here = []
    if here:
        yield here


def _lines(content: str) -> Iterator[tuple[int, str, bool]]:
    """Without the texts of here-documents; and whether the next line goes on with this one."""
    ends: list[str] = []
    for number, line in enumerate(content.splitlines(), start=1):
        if ends:
            if line.strip() == ends[0]:
                ends.pop(0)
            continue
        ends += [found[1] for found in HERE_DOCUMENT.findall(line)]
        goes_on = line.endswith("\\") and not line.endswith("\\\\")
        yield number, line.removesuffix("\\") if goes_on else line, goes_on
