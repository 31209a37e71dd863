#!/usr/bin/env python3
"""Saved maps of some kilobytes that ask for gigabytes: each section in turn holds 240 MiB of zeros, well packed.

Each is read by a process of its own, which must refuse it and take no more memory than `MOST_KIB`.
"""
import argparse
import os
import pathlib
import struct
import sys
import zlib

MOST_KIB = 64 << 10  # the tool itself takes 10 MiB
ZEROS = 240 << 20
BLOCK = 128 << 10  # the largest of Zstandard
LINE = ("[INFO] GE(5100,train):2026-03-04-10:00:00.001.000 [a.cc:1]5100 SaveDumpTask:Save dump task net/a, task id: 1, stream "
        "id: 7, context id: 65535, thread id: 65535, is_op_debug: 1.\n")
HEADER = 32  # also the size of an entry of the section table (docs/task-map.md)


def number(value):
    """Seven bits a byte, low ones first."""
    low = bytes()
    while value > 127:
        low += bytes([value & 127 | 128])
        value >>= 7
    return low + bytes([value])


def frame_of_zeros(start):
    """A Zstandard frame (RFC 8878): `start`, then ZEROS zeros as blocks of one repeated byte."""
    def block(kind, size, last=0):
        return (size << 3 | kind << 1 | last).to_bytes(3, "little")
    repeated = block(1, BLOCK) + b"\0"
    last = block(1, BLOCK, 1) + b"\0"
    size = len(start) + ZEROS
    return (b"\x28\xb5\x2f\xfd\x80\x38" + struct.pack("<I", size) + block(0, len(start)) + start +
            repeated * (ZEROS // BLOCK - 1) + last), size


def with_section(sound, section, packed, size):
    """The map with another section under right checksums."""
    changed = bytearray(sound)
    kind = struct.unpack_from("<I", changed, HEADER * (section + 1))[0]
    struct.pack_into("<IIQQQ", changed, HEADER * (section + 1), kind, zlib.crc32(packed), len(sound), len(packed), size)
    changed += packed
    struct.pack_into("<Q", changed, 16, len(changed))
    struct.pack_into("<I", changed, 24, 0)
    sections = struct.unpack_from("<I", changed, 12)[0]
    struct.pack_into("<I", changed, 24, zlib.crc32(bytes(changed[:HEADER * (sections + 1)])))
    return bytes(changed), sections


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
    log, sound, hostile, other = (options.folder / name for name in ("plog-1.log", "sound.map", "hostile.map", "other.map"))
    log.write_text(LINE)
    if run(options.tool, "index", log, "-o", sound)[0] != 0 or run(options.tool, "index", sound, "-o", other)[0] != 0:
        sys.exit("the sound map is not read")
    wrong = 0
    sections = 1
    section = 0
    while section < sections:
        packed, size = frame_of_zeros(number(ZEROS))
        changed, sections = with_section(sound.read_bytes(), section, packed, size)
        hostile.write_bytes(changed)
        status, kib = run(options.tool, "index", hostile, "-o", other)
        print(f"section {section + 1}: {len(changed)} bytes, exit status {status}, {kib} KiB", flush=True)
        wrong += status != 1 or kib > MOST_KIB
        section += 1
    sys.exit(f"{wrong} of {sections} were read, or took more than {MOST_KIB} KiB" if wrong else 0)


if __name__ == "__main__":
    main()
