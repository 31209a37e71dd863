#!/usr/bin/env python3
"""Runs the tool with --lang zh and finds English sentences on standard output.

Usage: chinese.py TOOL ROOT

English stays where it is data: paths, names, codes, quoted log lines, commands, sources of facts.
"""
import pathlib
import re
import subprocess
import sys

ENGLISH = re.compile(r"[A-Za-z][A-Za-z'-]*(?:,? [A-Za-z][A-Za-z'-]*){3,}")
# Parts of a line that are no text of ours.
DATA = [
    re.compile(r"\[(?:INFO|WARNING|ERROR|EVENT|DEBUG)\].*"),  # a log line
    re.compile(r"(?:来源|出处)：.*"),
    re.compile(r"`[^`]*`|“[^”]*”|\"[^\"]*\""),
]
COMMANDS = ["decode", "index", "scan", "logs", "merge", "status", "explain", "convert", "tensors", "overflow", "watch",
            "doctor", "api", "train", "next", "formats", "completion", "manual"]


def run(tool, arguments, folder):
    done = subprocess.run([tool, *arguments], cwd=folder, capture_output=True, text=True, check=False,
                          env={"LANG": "zh_CN.UTF-8", "PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "TZ": "UTC"})
    return done.stdout


def is_example(line):
    return re.match(r"  (opdebug|source) |(用法：| {6,})opdebug ", line) is not None


def english_in(text):
    for line in text.splitlines():
        bare = "" if is_example(line) else line
        for data in DATA:
            bare = data.sub("", bare)
        found = ENGLISH.search(bare)
        if found:
            yield f"{found.group()}   in: {line}"


def cases(root):
    demo = root / "testdata/demo"
    dumps = sorted(str(path) for path in demo.rglob("Opdebug.Node_OpDebug.*"))
    logs = ["--logs", str(demo)]
    zh = ["--lang", "zh"]
    text = ["--format", "text"]
    yield ["--help"]
    for command in COMMANDS:
        yield [command, "--help"]
    for dump in dumps[:3]:
        yield ["decode", dump, *text, *zh]
        yield ["decode", dump, "-v", *text, *zh]
        yield ["decode", dump, "-v", *logs, *text, *zh]
    yield ["scan", str(demo), *logs, "--tensors", "--all", *text, *zh]
    yield ["logs", str(demo), *text, *zh]
    yield ["api", str(demo), *text, *zh]
    yield ["doctor", str(demo), "-v", *text, *zh]
    yield ["doctor", *text, *zh]
    yield ["explain", *text, *zh]
    for unit, value in ("ai-core", "0xffffffff"), ("l2-atomic", "0x70000"), ("dha-atomic", "0xff00"), ("aic", "1,2,3,4"), \
            ("aicpu", "7"), ("sdma", "9"), ("ai-core", "507015"):
        yield ["status", unit, value, *text, *zh]
    yield ["decode", "missing", *text, *zh]
    yield ["decode", __file__, *text, *zh]
    yield ["scan", "missing", *text, *zh]
    yield ["tensors", "missing", *text, *zh]


def main():
    tool, root = sys.argv[1], pathlib.Path(sys.argv[2])
    failed = False
    for arguments in cases(root):
        for english in english_in(run(tool, arguments, root)):
            print(f"opdebug {' '.join(arguments)}: {english}")
            failed = True
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
