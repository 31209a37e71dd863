#!/usr/bin/env python3
"""Dumps of API calls of which some part once cost the square or the cube of its number: twice the parts, about twice the work.

Callgrind counts the instructions of `opdebug api` on each with one, N and 2 N parts; what N more parts execute must be about
what N executed beyond the start-up of the program.
"""
import argparse
import json
import pathlib
import shutil
import sys

import callgrind

MOST = 1.3  # of what the second half costs, as many times the first; what was mended came to 1.5 and more
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
    """Whether each is one depends on the root, which is not told."""
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
    """Python keeps the last of them, beside as many results."""
    class Call(dict):
        def items(self):
            return [("output", [CLEAN] * members), *[("input_args", [CLEAN])] * members]
    return step_of_ranks({"Functional.linear.0.forward": Call(output=0)})


def steps_of_one_rank(steps):
    return {f"step{i}/rank0": {"Functional.linear.0.forward": call([CLEAN], [CLEAN])} for i in range(steps)}


# What the tool reads, by the number of parts; how many parts.
INPUTS = {
    "ranks whose collectives are bad with clean inputs": (collectives_of_clean_ranks, 200),
    "messages that one call receives": (receives_in_one_batch, 1000),
    "groups of one file": (groups_of_one_file, 3000),
    "numbers that a call was given, and results": (given_limits, 2000),
    "numbers that may be written into results": (fillings, 1000),
    "values of a call whose root is not told": (values_of_an_unknown_root, 4000),
    "members of one name in a call": (repeated_members, 2000),
    "steps of one rank": (steps_of_one_rank, 2000),
}


def instructions(tool, folder, dumps):
    shutil.rmtree(folder, ignore_errors=True)
    for place, calls in dumps.items():
        (folder / place).mkdir(parents=True)
        head = {"task": "statistics", "level": "L1", "framework": "pytorch", "dump_data_dir": None}
        (folder / place / "dump.json").write_text(json.dumps({**head, "data": calls}), encoding="utf-8")
    return callgrind.instructions([tool, "api", "-j", "1", "--first", "1", folder], status=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", required=True, type=pathlib.Path)
    parser.add_argument("--folder", required=True, type=pathlib.Path, help="for the inputs; is emptied")
    arguments = parser.parse_args()
    callgrind.end_if_missing()
    grown = 0
    for name, (dumps_of, parts) in INPUTS.items():
        one, once, twice = (instructions(arguments.tool, arguments.folder, dumps_of(count)) for count in (1, parts, 2 * parts))
        growth = (twice - once) / (once - one)
        print(f"{name}: {once - one} instructions for {parts}, {twice - once} for {parts} more: {growth:.2f} times", flush=True)
        grown += growth > MOST
    shutil.rmtree(arguments.folder)
    return 1 if grown else 0


sys.exit(main())
