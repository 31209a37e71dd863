#!/usr/bin/env python3
"""Runs the examples of documents: examples.py TOOL FOLDER DOCUMENT...

A line `$ opdebug ...` in a fenced block is run in FOLDER; the lines below it are what the program prints, in order.
`…` as a line means any lines, `…` at the end of a line the rest of the line. All other commands `opdebug ...` are not
run: their names and options must be those of --help. Status 1 if an example differs or a command is unknown.
"""

import os
import pty
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, Iterator, List, Set, Tuple

Example = Tuple[int, str, List[str]]  # line of the command, command, expected lines


def examples_of(document: Path) -> Iterator[Example]:
    block: List[Tuple[int, str]] = []
    inside = False
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("```"):
            starts = [i for i, (_, text) in enumerate(block) if text.startswith("$ opdebug ")] + [len(block)]
            for start, end in zip(starts, starts[1:]):
                yield block[start][0], block[start][1][2:], [text for _, text in block[start + 1 : end]]
            block, inside = [], not inside
        elif inside:
            block.append((number, line))


COMMAND = re.compile(r"(?:^|[|&(]) *opdebug ([a-z]+)\b([^|&)]*)")
OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")


def commands_of(document: Path) -> Iterator[Tuple[int, str, List[str]]]:
    """Each command in blocks and in `code`: its line, name and options."""
    inside = False
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), start=1):
        inside = inside != line.strip().startswith("```")
        for text in [line.strip()] if inside else re.findall(r"`([^`]*)`", line):
            for match in COMMAND.finditer(text):
                yield number, match.group(1), OPTION.findall(match.group(2).split("  ")[0])


def options_of_help(tool: Path) -> Dict[str, Set[str]]:
    """The commands of the program and their options."""

    def text(*arguments: str) -> str:
        environment = {"LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}
        return subprocess.run([str(tool), *arguments, "--help"], env=environment, stdout=subprocess.PIPE, check=True,
                              universal_newlines=True).stdout

    names = re.findall(r"^  ([a-z]+)  ", text(), re.MULTILINE)
    return {name: set(OPTION.findall(text(name))) for name in names}


def first_difference(expected: List[str], printed: List[str]) -> str:
    """The expected line that the program did not print at this point; empty if there is none."""
    position, gap = 0, False
    for line in expected:
        if line == "…":
            gap = True
            continue
        start = line[:-1] if line.endswith("…") else None
        candidates = range(position, len(printed) if gap else min(position + 1, len(printed)))
        match = next((i for i in candidates if printed[i] == line or (start is not None and printed[i].startswith(start))), None)
        if match is None:
            return line
        position, gap = match + 1, False
    return ""


def run(tool: Path, folder: Path, command: str) -> List[str]:
    with tempfile.TemporaryDirectory() as home:
        environment = {"PATH": os.environ.get("PATH", ""), "HOME": home, "LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "dumb"}
        arguments = [str(tool)] + shlex.split(command)[1:]
        screen, terminal = pty.openpty()  # documents show what a person sees
        process = subprocess.Popen(arguments, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=terminal,
                                   stderr=terminal)
        os.close(terminal)
        printed = b""
        while True:
            try:
                piece = os.read(screen, 65536)
            except OSError:  # the program ended
                break
            if not piece:
                break
            printed += piece
        os.close(screen)
        process.wait(timeout=60)
    return [line.rstrip() for line in printed.decode("utf-8", "replace").splitlines()]


def main(arguments: List[str]) -> int:
    tool, folder, documents = Path(arguments[0]).resolve(), Path(arguments[1]), [Path(name) for name in arguments[2:]]
    failed, count, known = 0, 0, options_of_help(tool)
    for document in documents:
        for number, name, options in commands_of(document):
            unknown = sorted(set(options) - known[name]) if name in known else ["no such command"]
            if unknown:
                failed += 1
                print(f"{document}:{number}: opdebug {name}: {', '.join(unknown)}")
        for number, command, expected in examples_of(document):
            count += 1
            printed = run(tool, folder, command)
            line = first_difference(expected, printed)
            if line:
                failed += 1
                print(f"{document}:{number}: {command}\n  not printed: {line}\n  printed:")
                print("\n".join("    " + text for text in printed[:40]))
    print(f"{count} examples, {failed} faults")
    return 1 if failed or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
