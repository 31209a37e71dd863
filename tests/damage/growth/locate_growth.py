#!/usr/bin/env python3
"""Logs in which a process loads a model of equal id again and again on another device: twice the loads take twice the steps.

Callgrind counts the instructions of `opdebug decode` on a dump of the example with such a log of one load, of N and of 2 N.
Where each line on the model asks anew which end of a model is whose, it takes four times as many for 2 N.
"""
import pathlib
import sys

import callgrind

MOST = 2.3  # logarithms take some; the square makes 4
LOADS = 1000
EXAMPLE = pathlib.Path(__file__).parents[3] / "testdata/demo"
DUMP = EXAMPLE / "20261012093000/0/bert_train/3/12/Opdebug.Node_OpDebug.118.21.1791769287318452"


def line(milliseconds, module, thread, text):
    """Within the ten minutes before the dump."""
    time = f"2026-10-12-09:{31 + milliseconds // 60000}:{milliseconds // 1000 % 60:02}.{milliseconds % 1000:03}.000"
    return f"[INFO] {module}(5100,train):{time} [a.cc:7]{thread} {text}\n"


def set_up(milliseconds, thread, stream, device):
    return line(milliseconds, "RUNTIME", thread, f"Setup:stream setup end, stream_id={stream}, IsTaskSink=0, sqId=8, cqId=9, "
                                                 f"deviceId={device}, streamResId=3")


def load(milliseconds, number, device):
    """GE's line and the end of the model."""
    return (line(milliseconds, "GE", 700, f"Init:model_metrics:name=other{number}, alloc_dev_mem=4 B, shared_dev_mem=0 B, "
                                          "device_id=7, rts_model_id=3") + end(milliseconds, 700, device))


def end(milliseconds, thread, device):
    return (line(milliseconds, "RUNTIME", thread, "ModelDestroy:model_id=3.") +
            line(milliseconds, "RUNTIME", thread, f"ModelIdFree:Succ, deviceId={device}, id=3, tsId=0."))


def log_text(loads):
    last = 1000 + loads * 10
    return (set_up(0, 501, 21, 0) + set_up(1, 502, 22, 1) +
            "".join(load(1000 + i * 10, i, 1) for i in range(loads)) + end(last, 701, 0) +
            line(last + 1, "RUNTIME", 501, "ModelBindStream:model_id=3, stream_id=21, model_name=, flag=0, group_id=0.") +
            line(last + 2, "GE", 501, "SaveDumpTask:Save dump task net/mul, task id: 118, stream id: 21, context id: "
                                      "4294967295, thread id: 4294967295, is_op_debug: 1.") +
            line(599999, "GE", 501, "Run:alive"))


def instructions(tool, loads, folder):
    log, record = folder / "plog-5100_20261012093000000.log", folder / "record.json"
    log.write_text(log_text(loads), encoding="utf-8")
    counted = callgrind.instructions([tool, "decode", DUMP, "--logs", log, "--utc-offset", "+08:00", "--format", "json", "-o",
                                      record], status=0)
    if '"name": "net/mul"' not in record.read_text(encoding="utf-8"):
        sys.exit(f"the operator was not found behind {loads} loads")
    return counted


def main():
    tool, folder = callgrind.tool_and_folder(__doc__)
    counted, ratio = callgrind.growth(lambda loads: instructions(tool, loads, folder), LOADS)
    print(f"{counted} instructions for {LOADS} loads, {ratio:.2f} times as many for twice the loads")
    if ratio > MOST:
        sys.exit(f"more than {MOST} times")


if __name__ == "__main__":
    main()
