#!/usr/bin/env python3
"""Saved maps of some kilobytes that ask for gigabytes: their tables, or frames and pages that the tables name.

Each is read by a process of its own, which must refuse it and take no more memory than `MOST_KIB`. A sound map of the same form
(docs/internals/logs.md) is read first.
"""
import argparse
import json
import os
import pathlib
import struct
import sys

MOST_KIB = 64 << 10  # the tool itself takes 10 MiB
ZEROS = 240 << 20
BLOCK = 128 << 10  # the largest of Zstandard
LINE = ("[INFO] GE(5100,train):2026-03-04-10:00:00.001.000 [a.cc:1]5100 SaveDumpTask:Save dump task net/a, task id: 1, stream "
        "id: 7, context id: 65535, thread id: 65535, is_op_debug: 1.\n")
LOG = "plog-1.log"
NAME = b"OPDEBUG-MAP\n"
HEADER = 8 + len(NAME) + 4 * 8
SKIPPABLE = 0x184D2A5D


def frame(start, more=0, byte=b"\0"):
    """A Zstandard frame (RFC 8878), and the size of its content: `start`, then blocks of one repeated byte."""
    def block(kind, size, last=0):
        return (size << 3 | kind << 1 | last).to_bytes(3, "little")
    blocks = more // BLOCK
    size = len(start) + blocks * BLOCK
    repeated = b"".join(block(1, BLOCK, number == blocks - 1) + byte for number in range(blocks))
    return b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", size) + block(0, len(start), blocks == 0) + start + repeated, size


def map_of(frames, pages=(), tables=None):
    """A map of one log, whose frames have a line each; each frame, page and table is a pair of bytes and content size."""
    content = b"\0" * HEADER

    def part(packed, size):
        nonlocal content
        content += packed
        return {"offset": len(content) - len(packed), "size": len(packed), "content_size": size}
    named = {
        "log_formats": [], "files": [{"path": LOG, "writers": [], "special_lines": []}],
        "task_frames": [], "general_frames": [{"part": part(*one), "first_line": 1, "files": [{"file": 0, "count": 1}]} for one in frames],
        "task_pages": [{"part": part(*one), "first": [0, 0]} for one in pages], "address_pages": [], "open_launches": [],
    }
    packed, size = tables or frame(json.dumps(named).encode())
    content += struct.pack("<II", SKIPPABLE, len(packed)) + packed
    header = struct.pack("<II", SKIPPABLE, HEADER - 8) + NAME
    header += struct.pack("<QQQQ", len(content) - len(packed), len(packed), size, len(content))
    return header + content[HEADER:]


def run(*command):
    """Exit status and most memory in KiB."""
    child = os.spawnv(os.P_NOWAIT, command[0], [str(word) for word in command])
    _, status, usage = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    file, other = options.folder / "tasks.map", options.folder / "other.map"
    line = frame(f"{LOG}:1:{LINE}".encode())
    file.write_bytes(map_of([line]))
    if run(options.tool, "index", file, "-o", other)[0] != 0:
        sys.exit("the sound map is not read")
    hostile = {
        "tables": map_of([line], tables=frame(b"", ZEROS)),
        "tables of brackets": map_of([line], tables=frame(b"", 16 << 20, b"[")),
        "a frame": map_of([frame(f"{LOG}:1:".encode(), ZEROS)]),
        "many frames": map_of([frame(f"{LOG}:1:".encode(), 8 << 20)] * 30),
        "a page": map_of([line], [frame(b"", ZEROS)]),
    }
    wrong = 0
    for name, content in hostile.items():
        file.write_bytes(content)
        status, kib = run(options.tool, "index", file, "-o", other)
        print(f"{name}: {len(content)} bytes, exit status {status}, {kib} KiB", flush=True)
        wrong += status != 1 or kib > MOST_KIB
    sys.exit(f"{wrong} of {len(hostile)} were read, or took more than {MOST_KIB} KiB" if wrong else 0)


if __name__ == "__main__":
    main()
