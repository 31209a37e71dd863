#!/usr/bin/env python3
"""Twice as many definitions of log lines must not cost more than about twice the work.

Callgrind counts the instructions of `opdebug formats check` on a file of one definition, of N and of 2 N. Their samples hold the
beginning of all literals again and again: a check that looks for each literal in each sample takes four times as many for 2 N.
"""
import json
import sys

import callgrind

DEFINITIONS = 500
MOST = 2.2  # as many instructions for 2 N as for N


def definition(number):
    again = "launches number " * 30
    return {"id": f"toy.launch_{number}", "catalogue": "T", "states": "operator_of_task", "log": "ge_log", "modules": ["TOY"],
            "literal": f"launches number {number} now",
            "pattern": rf"^launches number {number} now, (?<stream_id>\d+)/(?<task_id>\d+) (?<operator_name>\w+), ",
            "versions": "none", "source": "made up",
            "samples": ["[INFO] TOY(1,t):2030-01-01-00:00:00.000 [t.c:1]1 F:"
                        f"launches number {number} now, 3/4 mul, {again}end"]}


def instructions(tool, count, folder):
    file = folder / f"{count}.json"
    file.write_text(json.dumps({"schema": "opdebug.log_formats/1", "formats": [definition(i) for i in range(count)]}),
                    encoding="utf-8")
    return callgrind.instructions([tool, "formats", "check", file], status=0)


def main():
    tool, folder = callgrind.tool_and_folder(__doc__)
    counted, ratio = callgrind.growth(lambda count: instructions(tool, count, folder), DEFINITIONS)
    print(f"{counted} instructions for {DEFINITIONS} definitions, {ratio:.2f} times as many for twice as many")
    return 1 if ratio > MOST else 0


sys.exit(main())
