#!/usr/bin/env python3
"""What hostile input may ask of memory: the largest resident size of the tool for each input that a limit bounds.

Each input is as large as its limit lets it be, or larger; the bound is what docs/internals/testing.md says, with some room for other
libraries. Of `scan` all files are given. The exit status tells that the input was met as expected.
"""
import argparse
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys

MEBI = 1 << 20
NAME = "Opdebug.Node_OpDebug.59.563.1597922031178434"
CONVERTED = NAME + ".output.0.json"


def varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out) + bytes([number])


def field(number, value):
    """A field of a protobuf message: a varint, or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def dump(header, payload=b""):
    """DumpData version 2 (docs/internals/formats.md)."""
    return len(header).to_bytes(8, "little") + header + payload


def sound_dump(number):
    # One output of 2048 bytes with the AI Core record at 1536: model, stream, task, type, pc, para, then the status.
    output = field(1, 4) + field(3, field(1, varint(2048))) + field(6, 2048)
    return dump(field(1, b"2.0") + field(2, 1597922031178434) + field(3, output) + field(6, b"Node_OpDebug"),
                number.to_bytes(8, "little") + bytes(range(255)) * 8)


def header_of(number, length):
    """A header of that many bytes, full of declarations of the field that are empty."""
    begin = field(1, b"2.0")
    return dump(begin + field(number, b"") * ((length - len(begin)) // 2))


def processes(count):
    """A log line of each of so many processes."""
    return b"".join(b"[INFO] GE(%d,python3):2026-03-04-10:00:04.000.000 [model.cc:12]%d SaveDumpTask:Save dump task net/a, "
                    b"task id: 57, stream id: 563, context id: 65535, thread id: 65535, is_op_debug: 1.\n" % (pid, pid)
                    for pid in range(1, count + 1))


def launches(count):
    """A kernel launched and submitted by each of so many threads."""
    return b"".join(b"[INFO] RUNTIME(1,a):2026-03-04-10:00:04.000.000 [l.cc:1] %d StreamLaunchKernelV1: stream_id=3, task_id=0, "
                    b"kernel_name=K, kernelAttrType=AICORE, arg_size=64\n[INFO] RUNTIME(1,a):2026-03-04-10:00:04.000.001 "
                    b"[l.cc:1] %d SubmitTask: stream_id=3, task_id=5, task_type=0 (KERNEL_AICORE)\n" % (thread, thread)
                    for thread in range(1, count + 1))


def shape_of(numbers):
    """An output with a shape of so many numbers, each 1."""
    output = field(1, 4) + field(3, field(1, b"\1" * numbers)) + field(6, 2048)
    return dump(field(1, b"2.0") + field(3, output), bytes(2048))


def cut_dumps(length):
    """Dumps one after the other, each declaring more bytes than stand before the next."""
    one = sound_dump(0)[:-100]
    return one * (length // len(one))


def mapping(length):
    """Long names for numbers, none of them the dump's."""
    line = "{:020d},Add." + "n" * 230 + ".57.563.1597922031178434\n"
    size = len(line.format(0))
    return "".join(map(line.format, range(1, length // size + 1))).encode()


def api_dump():
    tensor = {"type": "torch.Tensor", "dtype": "torch.float16", "shape": [4, 8], "Max": 1.5, "Min": -1.5, "Norm": 3.25}
    call = {"input_args": [tensor], "input_kwargs": {}, "output": [{**tensor, "Max": float("nan")}]}
    dump = {"task": "statistics", "level": "L1", "framework": "pytorch", "data": {"Functional.linear.0.forward": call}}
    return json.dumps(dump).encode()


def trace(event, count):
    """A profiler's trace of so many events, each with the number in place of 'N'."""
    begin, *parts = event.split("N")
    numbered = "".join([begin, *("%(n)d" + part for part in parts)])
    return gzip.compress(b"[" + ",\n".join(numbered % {"n": number} for number in range(count)).encode() + b"]", 1)


def beside_trace(event, count):
    return {NAME: lambda: sound_dump(0), "dump.json": api_dump, "trace_view.json.gz": lambda: trace(event, count)}


# name: the files, of which the first is given to the command; the command, its exit status, MiB
INPUTS = {
    "converted_bytes: lists in place of a dump": ({CONVERTED: lambda: b'{"a":[' + b"[]," * (MEBI // 3 - 9) + b"[]]}"}, "decode", 1, 64),
    "converted_bytes: objects in place of a dump": ({CONVERTED: lambda: b'{"a":[' + b"{}," * (MEBI // 3 - 9) + b"{}]}"}, "decode", 1, 96),
    "header_bytes, tensors: outputs": ({NAME: lambda: header_of(3, 16 * MEBI)}, "decode", 1, 64),
    "header_bytes, tensors: inputs": ({NAME: lambda: header_of(4, 16 * MEBI)}, "decode", 1, 64),
    "header_bytes: attributes": ({NAME: lambda: header_of(7, 16 * MEBI)}, "decode", 1, 64),
    "file_bytes, records: dumps one after the other": (
        {NAME: lambda: b"".join(map(sound_dump, range(60 * MEBI // len(sound_dump(0)))))}, "decode", 1, 180),
    "file_bytes: a file beyond it": ({NAME: lambda: bytes(65 * MEBI)}, "decode", 1, 32),
    "line_bytes: one line": ({"plog-1_1.log": lambda: processes(1) + b"x" * (128 * MEBI)}, "index", 0, 64),
    "line_bytes: one line, packed": ({"plog-1_1.log.gz": lambda: gzip.compress(processes(1) + bytes(128 * MEBI), 1)}, "index", 0, 64),
    "processes: 300,000": ({"plog-1_1.log": lambda: processes(300_000)}, "index", 0, 450),
    "a log of 200,000 threads that launch a kernel each": (
        {NAME: lambda: sound_dump(0), "plog-1_1.log": lambda: launches(200_000)}, "decode", 0, 48),
    "file_bytes, records: dumps one after the other, all cut": ({NAME: lambda: cut_dumps(60 * MEBI)}, "decode", 1, 140),
    "dimensions: a shape": ({NAME: lambda: shape_of(16 * MEBI - 100)}, "decode", 1, 64),
    "name_bytes: a name": ({NAME: lambda: dump(field(1, b"2.0") + field(6, b"n" * (16 * MEBI - 100)))}, "decode", 1, 64),
    "mapping_bytes: names of files called by numbers": (
        {"1": lambda: sound_dump(0), "mapping.csv": lambda: mapping(32 * MEBI)}, "decode", 0, 96),
    "mapping_bytes: a mapping.csv beyond it": (
        {"1": lambda: sound_dump(0), "mapping.csv": lambda: mapping(33 * MEBI)}, "decode", 0, 32),
    "definition_bytes: a file of definitions": (
        {"formats.json": lambda: b'{"formats":[' + b"{}," * (5 * MEBI) + b"{}]}"}, "formats check", 1, 800),
    "a trace of 20,000 events that nobody asks for, with threads of 6 KB": (
        beside_trace('{"ph":"X","name":"a","pid":1,"tid":"N' + "x" * 6000 + '","ts":"1.0","dur":1,"cat":"other"}', 20_000),
        "scan", 0, 64),
    "a trace of 2.5 million operations, each with names of its own": (
        beside_trace('{"ph":"X","name":"nN","pid":"pN","tid":"tN","ts":"N.0","dur":1,"cat":"cpu_op"}', 2_500_000),
        "scan", 0, 700),
    "definition_bytes: a file beyond it": ({"formats.json": lambda: b" " * (17 * MEBI)}, "formats check", 1, 32),
}


def measure(command):
    """Exit status and the largest resident size in MiB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_maxrss / 1024


def write(file, content):
    """In a process of its own: a child begins with the resident size of its parent."""
    child = os.fork()
    if child == 0:
        file.write_bytes(content())
        os._exit(0)
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(f"{file} cannot be written")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--folder", required=True, type=pathlib.Path, help="for inputs; is emptied")
    arguments = parser.parse_args()
    wrong = 0
    for name, (files, command, wanted, most) in INPUTS.items():
        shutil.rmtree(arguments.folder, ignore_errors=True)
        arguments.folder.mkdir(parents=True)
        for file, content in files.items():
            write(arguments.folder / file, content)
        output = ["-o", arguments.folder / "map"] if command == "index" else []
        logs = ["--logs", arguments.folder / "plog-1_1.log"] if command == "decode" and "plog-1_1.log" in files else []
        of_scan = ["--trace", arguments.folder / "trace_view.json.gz"] if command == "scan" else []
        path = arguments.folder if command == "scan" else arguments.folder / next(iter(files))
        status, mebibytes = measure([arguments.tool, *command.split(), path, *output, *logs, *of_scan])
        holds = status == wanted and mebibytes <= most
        wrong += not holds
        print(f"{name}: exit status {status}, {mebibytes:.0f} MiB of at most {most}{'' if holds else ': DOES NOT HOLD'}", flush=True)
    shutil.rmtree(arguments.folder)
    return 1 if wrong else 0


sys.exit(main())
