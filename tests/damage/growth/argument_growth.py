#!/usr/bin/env python3
"""Twice the arguments must not cost more than about twice the work: `find | xargs` gives as many as the system takes.

Callgrind counts the instructions of `opdebug status` with one name, with N and with 2 N; none of them is a unit. A parser that
takes one argument after the other from the front of a list moves all others each time: 2 N cost four times as many.
"""
import argparse
import pathlib
import sys

import callgrind

ARGUMENTS = 3000
MOST = 2.2  # as many instructions for 2 N as for N

# Before the names, and after them.
KINDS = {"names alone": ([], []), "names between options": (["--lang", "en"], ["-o", "-"]), "names behind --": (["--"], [])}


def instructions(tool, count, front, behind):
    names = [f"Opdebug.Node_OpDebug.{i}.1.1597922031178434" for i in range(count)]
    return callgrind.instructions([tool, "status", *front, *names, *behind], status=2)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, help="as of the other tests; nothing is written")
    arguments = parser.parse_args()
    callgrind.end_if_missing()
    grown = 0
    for kind, (front, behind) in KINDS.items():
        one, once, twice = (instructions(arguments.tool, count, front, behind) for count in (1, ARGUMENTS, 2 * ARGUMENTS))
        ratio = (twice - one) / (once - one)
        print(f"{kind}: {once - one} instructions for {ARGUMENTS}, {ratio:.2f} times as many for twice as many", flush=True)
        grown += ratio > MOST
    return 1 if grown else 0


sys.exit(main())
