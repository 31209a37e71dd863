#!/usr/bin/env python3
"""Twice the input must not cost more than about twice the work: inputs that once took the square or the cube of their size.

Callgrind counts the instructions of the tool on each input with one, N and 2 N parts. What N more parts execute must be about
what N executed beyond the start-up of the program. Noise of the machine does not touch these counts.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

MOST = 1.2  # what the second half costs, as many times the first: logarithms take some, the square makes 3
CLEAN = {"type": "torch.Tensor", "dtype": "torch.float16", "shape": [4, 8], "Max": 1.5, "Min": -1.5, "Mean": 0.1, "Norm": 3.25,
         "requires_grad": False}
INFINITE = {**CLEAN, "Max": float("inf")}
MASK = {**CLEAN, "Max": float("-inf"), "Min": float("-inf")}


def call(inputs, outputs, **keywords):
    return {"input_args": inputs, "input_kwargs": keywords, "output": outputs}


def step_of_ranks(*calls_of_ranks):
    """step0/rank{N}/dump.json for the calls of each rank."""
    return {f"step0/rank{rank}": calls for rank, calls in enumerate(calls_of_ranks)}


def collectives_of_clean_ranks(ranks):
    """All ranks get what is bad and gave what is clean: each asks who is missing."""
    return step_of_ranks(*[{"Distributed.all_reduce.0.forward": call([CLEAN], [INFINITE])}] * ranks)


def message(operation, peer, tag=0):
    return {"class_type": "torch.distributed.P2POp", "tensor": CLEAN, "op": operation, "peer": peer, "tag": tag, "group_id": "2a3070ce"}


def number(value):
    return {"type": "int", "value": value}


def given_limits(values):
    """Each result shows a limit that may be among the numbers the call was given."""
    limits = [{**CLEAN, "Max": 1.0, "Min": -65504.0}] * values
    return step_of_ranks({"Functional.where.0.forward": call([number(1)] * values + [number(-65504)], limits)})


def fillings(values):
    """Each number may be the one that is written into all results."""
    filled = [{**CLEAN, "Max": 1.0, "Min": float("-inf")}] * values
    return step_of_ranks({"Functional.mine.0.forward": call([CLEAN] + [{"type": "float", "value": float("-inf")}] * values, filled)})


def values_of_an_unknown_root(values):
    """Without the root of the broadcast, each value may be its input or its result."""
    return step_of_ranks({"Distributed.broadcast.0.forward": call([[CLEAN] * values], [[INFINITE] * values])})


def receives_in_one_batch(messages):
    """Rank 0 receives all of them in one call, from ranks that send in turn: it could go on, and has to wait, for each."""
    batch = {"Distributed.batch_isend_irecv.0.forward": call([[message("irecv", 1, i) for i in range(messages)]], [])}
    sender, other = {}, {}
    for i in range(messages):
        sender[f"Distributed.send.{2 * i}.forward"] = call([CLEAN, number(0)], [], tag=number(i))
        sender[f"Distributed.recv.{i}.forward"] = call([CLEAN], [CLEAN], src=number(2))
        sender[f"Distributed.send.{2 * i + 1}.forward"] = call([CLEAN, number(2)], [])
        other[f"Distributed.send.{i}.forward"] = call([CLEAN, number(1)], [])
        other[f"Distributed.recv.{i}.forward"] = call([CLEAN], [CLEAN], src=number(1))
    other["Functional.exp.0.forward"] = call([CLEAN], [INFINITE])
    return step_of_ranks(batch, sender, other)


def groups_of_one_file(groups):
    """Each call has a group of its own."""
    group = {"type": "torch.ProcessGroup", "group_ranks": [0, 1]}
    return step_of_ranks({f"Distributed.all_reduce.{i}.forward": call([CLEAN], [CLEAN], group={**group, "group_id": f"{i:08x}"})
                          for i in range(groups)})


def repeated_members(members):
    """Many members have one name: Python keeps the last. The call has as many results."""
    class Call(dict):
        def items(self):
            return [("output", [CLEAN] * members), *[("input_args", [CLEAN])] * members]
    return step_of_ranks({"Functional.linear.0.forward": Call(output=0)})


def steps_of_one_rank(steps):
    return {f"step{i}/rank0": {"Functional.linear.0.forward": call([CLEAN], [CLEAN])} for i in range(steps)}


def api_dumps_of(calls_of):
    def write(tool, folder, count):
        for place, calls in calls_of(count).items():
            (folder / place).mkdir(parents=True)
            head = {"task": "statistics", "level": "L1", "framework": "pytorch", "dump_data_dir": None}
            (folder / place / "dump.json").write_text(json.dumps({**head, "data": calls}), encoding="utf-8")
        return [tool, "api", "-j", "1", "--first", "1", folder]
    return write


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


def log_of(line_of):
    """Each line names another thread, model, stream or device."""
    def write(tool, folder, count):
        log = folder / "plog-5100_1.log"
        log.write_text("".join(line_of(i) for i in range(count)))
        return [tool, "index", log, "-j", "1", "-o", folder / "tasks.map"]
    return write


EXAMPLE = pathlib.Path(__file__).parents[2] / "testdata/demo"
DUMP = EXAMPLE / "20261012093000/0/bert_train/3/12/Opdebug.Node_OpDebug.118.21.1791769287318452"


def line_at(milliseconds, module, thread, text):
    """Within the ten minutes before the dump."""
    at = f"2026-10-12-09:{31 + milliseconds // 60000}:{milliseconds // 1000 % 60:02}.{milliseconds % 1000:03}.000"
    return f"[INFO] {module}(5100,train):{at} [a.cc:7]{thread} {text}\n"


def set_up(milliseconds, thread, stream, device):
    return line_at(milliseconds, "RUNTIME", thread, f"Setup:stream setup end, stream_id={stream}, IsTaskSink=0, sqId=8, cqId=9, "
                                                    f"deviceId={device}, streamResId=3")


def load(milliseconds, number, device):
    """GE's line and the end of the model."""
    return (line_at(milliseconds, "GE", 700, f"Init:model_metrics:name=other{number}, alloc_dev_mem=4 B, shared_dev_mem=0 B, "
                                          "device_id=7, rts_model_id=3") + end(milliseconds, 700, device))


def end(milliseconds, thread, device):
    return (line_at(milliseconds, "RUNTIME", thread, "ModelDestroy:model_id=3.") +
            line_at(milliseconds, "RUNTIME", thread, f"ModelIdFree:Succ, deviceId={device}, id=3, tsId=0."))


def log_text(loads):
    last = 1000 + loads * 10
    return (set_up(0, 501, 21, 0) + set_up(1, 502, 22, 1) +
            "".join(load(1000 + i * 10, i, 1) for i in range(loads)) + end(last, 701, 0) +
            line_at(last + 1, "RUNTIME", 501, "ModelBindStream:model_id=3, stream_id=21, model_name=, flag=0, group_id=0.") +
            line_at(last + 2, "GE", 501, "SaveDumpTask:Save dump task net/mul, task id: 118, stream id: 21, context id: "
                                      "4294967295, thread id: 4294967295, is_op_debug: 1.") +
            line_at(599999, "GE", 501, "Run:alive"))


def loads_of_models(tool, folder, count):
    """A process loads a model of equal id again and again on another device."""
    log = folder / "plog-5100_20261012093000000.log"
    log.write_text(log_text(count), encoding="utf-8")
    return [tool, "decode", DUMP, "--logs", log, "--utc-offset", "+08:00", "--format", "json", "-o", folder / "result.json"]


FILE = "/job/rank_0/debug_files/0/Opdebug.Node_OpDebug.57.5.1772618400000000"



def part_text(members_of, dumps):
    """The lines of docs/guides/scripts.md, "The report as JSON lines"."""
    part = {"host": "", "inputs": ["/job"], "tree": {"dumps": dumps, "digest": "1"}}
    lines = [{"schema": "opdebug.report/1", "type": "begin", "generated_by": "a test", "inputs": ["/job"],
              "options": {"all": False, "tensors": False, "first": None}, "merge": {"version": 3, **part}}]
    lines += [{"type": "dump", "file": FILE, "timestamp_us": 1772618400000000, "path_ids": {"data_index": number},
               "item": {"state": "overflowed"}, **members_of(number)} for number in range(dumps)]
    facts = {"lines": dumps, "op_dumps": 0, "other_files": 0, "complete": True, "damage": {"damaged": 0, "first": [], "unmeasured": 0, "not_read": 0, "every_folder_searched": True}, "failures": [], "diagnostics": []}
    lines.append({"schema": "opdebug.report/1", "type": "summary", "counts": {"dumps": dumps},
                  "merge": facts})
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)


def merged_dumps(members_of):
    """Dumps that are all of one path and time. `members_of`: what distinguishes the n-th one, beyond its step."""
    def write(tool, folder, count):
        part = folder / "part.jsonl"
        part.write_text(part_text(members_of, count), encoding="utf-8")
        return [tool, "merge", part, "--format", "json", "-o", folder / "result.json"]
    return write


# By subject: what is written, the number of parts, the exit status, what the result must contain.
INPUTS = {
    "api_dumps": {
        "ranks whose collectives are bad with clean inputs": (api_dumps_of(collectives_of_clean_ranks), 200, 0, None),
        "messages that one call receives": (api_dumps_of(receives_in_one_batch), 1000, 0, None),
        "groups of one file": (api_dumps_of(groups_of_one_file), 3000, 0, None),
        "numbers that a call was given, and results": (api_dumps_of(given_limits), 2000, 0, None),
        "numbers that may be written into results": (api_dumps_of(fillings), 1000, 0, None),
        "values of a broadcast without its root": (api_dumps_of(values_of_an_unknown_root), 4000, 0, None),
        "members of one name in a call": (api_dumps_of(repeated_members), 2000, 0, None),
        "steps of one rank": (api_dumps_of(steps_of_one_rank), 2000, 0, None),
    },
    "logs": {
        "operator of each thread": (log_of(operator_of_each_thread), 1500, 0, None),
        "models of a stream": (log_of(models_of_a_stream), 3000, 0, None),
        "ends of models": (log_of(ends_of_models), 1500, 0, None),
        "devices of a stream": (log_of(devices_of_a_stream), 1500, 0, None),
        "loads of a model": (loads_of_models, 1000, 0, lambda result, n: result["operator"]["name"] == "net/mul"),
    },
    "merge": {
        "dumps without host": (merged_dumps(lambda n: {}), 2000, 0, lambda result, n: result["counts"]["dumps"] == n),
        "dumps of hosts": (merged_dumps(lambda n: {"host": f"host{n}"}), 2000, 0, lambda result, n: result["counts"]["dumps"] == n),
    },
}


def instructions(tool, folder, count, write, status, holds):
    """Of the command on an input of so many parts."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *map(str, write(tool, folder, count))]
    ran = subprocess.run(command, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"}, capture_output=True, text=True, check=False)
    if ran.returncode != status:
        sys.exit(f"{' '.join(command)[:500]}: exit status {ran.returncode}\n{ran.stdout}{ran.stderr}")
    if holds and not holds(json.loads((folder / "result.json").read_text(encoding="utf-8")), count):
        sys.exit(f"the result for {count} parts is wrong")
    return int(re.search(r"Collected : (\d+)", ran.stderr)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", required=True, type=pathlib.Path)
    parser.add_argument("--folder", required=True, type=pathlib.Path, help="for the inputs; is emptied")
    parser.add_argument("subject", choices=INPUTS)
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("SKIPPED: valgrind is not installed")
        sys.exit(77)  # OPDEBUG_TEST_SKIPPED in tests/CMakeLists.txt
    grown = 0
    for name, (write, parts, status, holds) in INPUTS[options.subject].items():
        one, once, twice = (instructions(options.tool, options.folder, count, write, status, holds)
                            for count in (1, parts, 2 * parts))
        growth = (twice - once) / (once - one)
        print(f"{name}: {once - one} instructions for {parts}, {twice - once} for {parts} more: {growth:.2f} times", flush=True)
        grown += growth > MOST
    shutil.rmtree(options.folder)
    return 1 if grown else 0


sys.exit(main())
