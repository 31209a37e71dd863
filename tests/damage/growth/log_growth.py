#!/usr/bin/env python3
"""Logs in which each line names another thread, model, stream or device: twice the lines take twice the steps.

Callgrind counts the instructions of `opdebug index` on a log of one line, of N and of 2 N. Steps that grow with the
square of the lines make it four times as many for 2 N.
"""
import argparse
import pathlib
import sys

import callgrind

MOST = 2.3  # logarithms take some; the square makes 4
TIME = "2026-03-04-{:02}:{:02}:{:02}.{:03}.000"


def time(number):
    return TIME.format(number // 3600000, number // 60000 % 60, number // 1000 % 60, number % 1000)


def runtime(number, text):
    return f"[INFO] RUNTIME(5100,train):{time(number)} [a.cc:7] 5100 {text}\n"


def operator_of_each_thread(i):
    return (f"[INFO] GE(5100,train):{time(i)} [data_dumper.cc:7]{i + 1} BuildTaskInfo:Op net/mul add task to "
            "op_mapping_info, stream_id: 46, task_id:33.\n")


def binding(i, model, stream):
    return runtime(i, f"ModelBindStream:model_id={model}, stream_id={stream}, model_name=net, flag=0, group_id=0.")


def models_of_a_stream(i):
    return binding(i, i, 7)


def ends_of_models(i):
    """A stream of each model, then the end of each."""
    return binding(i, i, i % 60000) + runtime(i, f"ModelDestroy: model_id={i + 1}.")


def devices_of_a_stream(i):
    return runtime(i, f"Setup:stream setup end, stream_id=7, IsTaskSink=0, sqId=8, cqId=9, deviceId={i}, streamResId=3")


LOGS = {"operator_of_each_thread": (operator_of_each_thread, 1500), "models_of_a_stream": (models_of_a_stream, 3000),
        "ends_of_models": (ends_of_models, 1500), "devices_of_a_stream": (devices_of_a_stream, 1500)}


def instructions(tool, line_of, lines, folder):
    log = folder / "plog-5100_1.log"
    log.write_text("".join(line_of(i) for i in range(lines)))
    return callgrind.instructions([tool, "index", log, "-j", "1", "-o", folder / "tasks.map"], status=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("kinds", nargs="*", help=", ".join(LOGS))
    options = parser.parse_args()
    callgrind.end_if_missing()
    options.folder.mkdir(parents=True, exist_ok=True)
    grows = []
    for kind in options.kinds or LOGS:
        line_of, lines = LOGS[kind]
        none, once, twice = (instructions(options.tool, line_of, count, options.folder) for count in (1, lines, 2 * lines))
        ratio = (twice - none) / (once - none)
        print(f"{kind}: {once - none} instructions for {lines} lines, {ratio:.2f} times as many for twice the lines")
        grows += [kind] if ratio > MOST else []
    if grows:
        sys.exit(f"more than {MOST} times: {', '.join(grows)}")


if __name__ == "__main__":
    main()
