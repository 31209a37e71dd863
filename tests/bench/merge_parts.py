#!/usr/bin/env python3
"""Parts of a made-up job, to measure opdebug merge with.

    merge_parts.py SEED_PART FOLDER PARTS DUMPS

SEED_PART is a report with at least one overflowed dump (opdebug scan --host a --format jsonl). Its
smallest overflow is written DUMPS times into each of PARTS files, with ranks, steps and times of its own: part p holds the dumps
of rank p, each step has 16 dumps, and steps lie two seconds apart.
"""
import json
import os
import re
import sys

BEGIN_US = 1772618400000000
DUMPS_OF_A_STEP = 16
OPERATORS = 40


def seed_of(path):
    """The begin line, the summary, and the line of the smallest overflow."""
    with open(path, encoding="utf-8") as part:
        lines = [json.loads(line) for line in part]
    return lines[0], lines[-1], min((line for line in lines if "records" in line), key=lambda line: len(text_of(line)))


def text_of(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def write_part(folder, seed, number, dumps):
    begin, summary, document = json.loads(json.dumps(seed))
    begin["merge"].update(host=f"node-{number // 8}", tree={"dumps": dumps, "digest": f"{number:016x}"})
    file = "/local/dump/rank_{0}/20260304100000/{1}/Net/11/{2}/Opdebug.Node_OpDebug.57.563.{3}"
    document.update(host=f"node-{number // 8}", file="@FILE@", timestamp_us=-1, rank=number)
    document["path_ids"].update(time="20260304100000", data_index=-2, rank=number, device_id=number % 8)
    item = document["item"]
    item.update(operator="@OP@", operator_type="MatMul", model="Net")
    lines = text_of(document) + "\n"
    # What differs from dump to dump is between the pieces.
    lines = re.split("(@FILE@|@OP@|(?<=:)-1|(?<=:)-2)", lines)
    summary["merge"].update(lines=dumps, op_dumps=dumps, other_files=0, failures=[])
    summary["counts"].update(dumps=dumps, overflowed=dumps, clean=0, failed=0, op_dumps=dumps, other_files=0)
    with open(os.path.join(folder, f"part-{number}.jsonl"), "w", encoding="utf-8") as part:
        part.write(text_of(begin) + "\n")
        for i in range(dumps):
            step = i // DUMPS_OF_A_STEP
            time = BEGIN_US + step * 2_000_000 + i % DUMPS_OF_A_STEP * 20_000 + number
            path = file.format(number, number % 8, step, time)
            operator = f"net/layer_{i % OPERATORS}/MatMul"
            values = {"@FILE@": path, "@OP@": operator, "-1": str(time), "-2": str(step)}
            part.write("".join(values.get(piece, piece) for piece in lines))
        part.write(text_of(summary) + "\n")


def main():
    seed_part, folder, parts, dumps = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    os.makedirs(folder, exist_ok=True)
    seed = seed_of(seed_part)
    for number in range(parts):
        write_part(folder, seed, number, dumps)


if __name__ == "__main__":
    main()
