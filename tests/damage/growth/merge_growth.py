#!/usr/bin/env python3
"""Reports whose dumps are all of one path and time: twice the dumps take twice the steps of `merge`.

No two of them are the same, so each must be told from all before it. Callgrind counts the instructions for one dump, N and
2 N. Steps that grow with the square of the dumps make it four times as many for 2 N.
"""
import json
import sys

import callgrind

MOST = 2.3  # logarithms take some; the square makes 4
DUMPS = 200
FILE = "/job/rank_0/debug_files/0/Opdebug.Node_OpDebug.57.5.1772618400000000"

# What distinguishes the n-th dump from the others, beyond its step.
PARTS = {"dumps_without_host": lambda number: {}, "dumps_of_hosts": lambda number: {"host": f"host{number}"}}


def part_text(members_of, dumps):
    """The lines of docs/guides/scripts.md, "The report as JSON lines"."""
    part = {"id": "1", "host": "", "inputs": ["/job"], "tree": {"dumps": dumps, "digest": "1"}}
    lines = [{"schema": "opdebug.report/1", "type": "begin", "generated_by": "a test", "inputs": ["/job"],
              "options": {"all": False, "tensors": False, "first": None}, "merge": {"version": 1, "parts": [part]}}]
    lines += [{"type": "dump", "file": FILE, "timestamp_us": 1772618400000000, "path_ids": {"data_index": number},
               "item": {"state": "overflowed"}, **members_of(number)} for number in range(dumps)]
    facts = {"op_dumps": 0, "other_files": 0, "complete": True, "failures": [], "diagnostics": []}
    lines.append({"schema": "opdebug.report/1", "type": "summary", "counts": {"dumps": dumps},
                  "merge": {"parts": [facts]}})
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)


def instructions(tool, members_of, dumps, folder):
    part, report = folder / "part.jsonl", folder / "report.json"
    part.write_text(part_text(members_of, dumps), encoding="utf-8")
    counted = callgrind.instructions([tool, "merge", part, "--format", "json", "-o", report], status=0)
    merged = json.loads(report.read_text(encoding="utf-8"))
    if merged["counts"]["dumps"] != dumps:
        sys.exit(f"{merged['counts']['dumps']} of {dumps} dumps were merged: {merged['diagnostics']}")
    return counted


def main():
    tool, folder = callgrind.tool_and_folder(__doc__)
    grows = []
    for kind, members_of in PARTS.items():
        counted, ratio = callgrind.growth(lambda dumps, members=members_of: instructions(tool, members, dumps, folder), DUMPS)
        print(f"{kind}: {counted} instructions for {DUMPS} dumps, {ratio:.2f} times as many for twice the dumps")
        grows += [kind] if ratio > MOST else []
    if grows:
        sys.exit(f"more than {MOST} times: {', '.join(grows)}")


if __name__ == "__main__":
    main()
