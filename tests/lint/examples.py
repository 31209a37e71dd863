#!/usr/bin/env python3
"""Runs the examples of documents: examples.py TOOL FOLDER DOCUMENT...

A line `$ opdebug ...` in a fenced block is run in FOLDER; the lines below it are what the program prints, in order.
`…` as a line stands for any lines, `…` at the end of a line for the rest of the line. Status 1 if an example differs.
"""

import os
import pty
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Iterator, List, Tuple

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
    failed, count = 0, 0
    for document in documents:
        for number, command, expected in examples_of(document):
            count += 1
            printed = run(tool, folder, command)
            line = first_difference(expected, printed)
            if line:
                failed += 1
                print(f"{document}:{number}: {command}\n  not printed: {line}\n  printed:")
                print("\n".join("    " + text for text in printed[:40]))
    print(f"{count} examples, {failed} differ")
    return 1 if failed or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
