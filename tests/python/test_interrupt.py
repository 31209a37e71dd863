"""Ctrl-C, and the end of the interpreter."""

import os
import signal
import subprocess
import sys
import time

import pytest
from conftest import DUMP, LOGS, endless_log, endless_measuring

# Says that it begins, and afterwards which exception it met.
PROGRAM = """
import sys, opdebug
try:
    print("begins", flush=True)
    {}
except KeyboardInterrupt:
    print("KeyboardInterrupt", flush=True)
"""


def start(work, *arguments):
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(work), *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert program.stdout.readline() == b"begins\n"
    while len(os.listdir(f"/proc/{program.pid}/task")) == 1:  # the work has threads
        time.sleep(0.01)
    return program


@pytest.mark.parametrize(
    "work",
    [
        "opdebug.read_logs(sys.argv[1])",
        "opdebug.decode(sys.argv[2], logs=sys.argv[1])",
        "opdebug.scan(sys.argv[2], logs=sys.argv[1])",
    ],
)
def test_ctrl_c_ends_the_reading_of_logs(tmp_path, work):
    # The log takes hours, so whenever the signal comes, it is read.
    program = start(work, endless_log(tmp_path / "plog-4711_20261012092958123.log"), DUMP)
    program.send_signal(signal.SIGINT)
    assert program.communicate(timeout=60) == (b"KeyboardInterrupt\n", b"")
    assert program.returncode == 0


def test_ctrl_c_ends_the_waiting_for_documents(tmp_path):
    for work in ("list(opdebug.scan(sys.argv[1], tensors=True))", "opdebug.scan(sys.argv[1], tensors=True).report()"):
        program = start(work, endless_measuring(tmp_path))
        program.send_signal(signal.SIGINT)
        assert program.communicate(timeout=60) == (b"KeyboardInterrupt\n", b"")
        assert program.returncode == 0


def test_a_scan_may_be_left_open_at_the_end(tmp_path):
    program = """
import sys, threading, opdebug
scans = [opdebug.scan(sys.argv[1]) for _ in range(20)]
logs = opdebug.read_logs(sys.argv[2])
def work():
    try:
        while True:
            opdebug.decode(sys.argv[1], logs=logs)
            list(opdebug.scan(sys.argv[1], logs=logs))
    except (ValueError, RuntimeError):
        pass  # scans end and no thread begins any more
for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
next(scans[0])
"""
    ended = subprocess.run([sys.executable, "-c", program, str(DUMP), str(LOGS)], capture_output=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, b"")
