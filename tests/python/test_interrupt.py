"""Ctrl-C, and the end of the interpreter."""

import os
import signal
import subprocess
import sys
import time

import pytest
from conftest import DUMP, LOGS, endless_log, endless_measuring

# States that it begins, and afterwards which exception it met.
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


def test_ctrl_c_ends_a_scan(tmp_path):
    program = start("opdebug.scan(sys.argv[1], tensors=True)", endless_measuring(tmp_path))
    program.send_signal(signal.SIGINT)
    assert program.communicate(timeout=60) == (b"KeyboardInterrupt\n", b"")
    assert program.returncode == 0


def run(program, *arguments, expected_output=b""):
    ended = subprocess.run([sys.executable, "-c", program, *map(str, arguments)], capture_output=True, timeout=60)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, expected_output, b"")


def test_calls_work_where_no_thread_can_be_started():
    program = """
import atexit, sys, threading, opdebug
def work():
    print(opdebug.read_logs(sys.argv[2]).files > 0, opdebug.scan(sys.argv[1])["counts"]["dumps"])
def no_thread(self):
    raise RuntimeError("can't create new thread at interpreter shutdown")
atexit.register(work)
threading.Thread.start = no_thread  # as Python 3.12 does by then
"""
    run(program, DUMP, LOGS, expected_output=b"True 1\n")


def test_an_error_of_a_signal_handler_does_not_begin_the_work_again(tmp_path):
    program = """
import signal, sys, opdebug
def handle(number, frame):
    raise RuntimeError("from the handler")
signal.signal(signal.SIGALRM, handle)
signal.setitimer(signal.ITIMER_REAL, 0.2)
try:
    opdebug.read_logs(sys.argv[1])
except RuntimeError as error:
    print(error)
"""
    run(program, endless_log(tmp_path / "plog-4711_20261012092958123.log"), expected_output=b"from the handler\n")
