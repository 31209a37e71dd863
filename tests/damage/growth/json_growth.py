#!/usr/bin/env python3
"""Twice the input must not cost more than about twice the work: inputs that were once quadratic, counted by callgrind.

Each input is written with N and 2 N of its parts and read by the tool; what N more parts execute must be about what N executed
beyond the start-up of the program. Noise of the machine does not touch these counts.
"""
import argparse
import pathlib
import sys

import callgrind

PARTS = 1000
MOST = 1.5  # of what the second half costs, as many times the first; a quadratic input comes to 3 and more
CONVERTED = "Opdebug.Node_OpDebug.1.1.1597922031178434.output.0.json"

# What the tool reads, by the number of parts.
INPUTS = {
    "lists beside one another in converted JSON": lambda parts: '{"a":[' + ",".join(["[]"] * parts) + "]}",
    "objects in a list of converted JSON": lambda parts: '{"a":[' + ",".join(["{}"] * parts) + "]}",
    "objects as members of converted JSON": lambda parts: "{" + ",".join(f'"{key}":{{}}' for key in range(parts)) + "}",
    "equal keys of converted JSON": lambda parts: "{" + ",".join(['"a":{}'] * parts) + "}",
    "texts in converted JSON": lambda parts: '{"a":[' + ",".join(['"a"'] * parts) + "]}",
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True, type=pathlib.Path)
    parser.add_argument("--folder", required=True, type=pathlib.Path, help="for the inputs")
    arguments = parser.parse_args()
    callgrind.end_if_missing()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    grown = 0
    for name, text_of in INPUTS.items():
        counts = []
        for parts in (0, PARTS, 2 * PARTS):
            file = arguments.folder / CONVERTED
            file.write_text(text_of(parts), encoding="utf-8")
            # None of the inputs is a dump.
            counts.append(callgrind.instructions([arguments.tool, "decode", file], status=1))
        nothing, once, twice = counts
        growth = (twice - once) / (once - nothing)
        print(f"{name}: {once - nothing} instructions for {PARTS}, {twice - once} for {PARTS} more: {growth:.2f} times",
              flush=True)
        grown += growth > MOST
    return 1 if grown else 0


sys.exit(main())
