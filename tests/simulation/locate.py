#!/usr/bin/env python3
"""How often `opdebug scan --logs` finds the operator that overflowed: made-up jobs with known truth, under six conditions.

Each seed is a job (job.py). For each condition its dumps and logs are written, scanned once, and each answer is compared
with the truth (truth.py). The table's columns:
"""
import argparse
import concurrent.futures
import functools
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile

from dump_files import DumpFiles
from job import Job
from log_files import CONDITIONS, Clocks, LogFiles
from truth import verdict

COLUMNS = (("n", "records"), ("right", "one answer, the truth"), ("first", "several answers, the truth first"),
           ("among", "several answers, the truth not first"), ("warned", "wrong or not among the answers, with a warning"),
           ("silent", "one wrong answer without a warning"), ("missed", "several answers without the truth, no warning"),
           ("null", "no answer"), ("model", "wrong model block"), ("exact", "wrong answer called exact"),
           ("doubt", "share of the right single answers that carry a warning"))


class Case:
    """A job under one condition, written below a folder: dumps/ and logs/."""

    def __init__(self, seed, condition, size, folder):
        self.folder = pathlib.Path(folder)
        self.job = Job(seed, size)
        clocks = Clocks(self.job, seed, condition)
        self.logs = LogFiles(self.job, seed, condition, clocks)
        dumps = DumpFiles(self.job, seed, clocks, self.logs.has_host_folder)
        for name in "dumps", "logs":
            (self.folder / name).mkdir()
        dumps.write(self.folder / "dumps")
        self.logs.write(self.folder / "logs")
        self.records = dumps.records
        zone = self.job.zone if random.Random(f"opdebug locate machine {seed}").random() < 0.5 else 0
        self.zone = f"<LOC>{'-' if zone >= 0 else ''}{abs(zone) // 60}:{abs(zone) % 60:02}"  # TZ counts to the west

    def scan(self, tool):
        """The record documents in the order of the records."""
        if not self.records:
            return []
        ran = subprocess.run([tool, "scan", "dumps", "--logs", "logs", "--format", "jsonl", "-q", "-j", "1", "--lang", "en"],
                             cwd=self.folder, env={"TZ": self.zone, "LC_ALL": "C", "PATH": "/usr/bin:/bin"},
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if ran.returncode not in (0, 1):
            raise RuntimeError(f"{tool}: exit status {ran.returncode}: {ran.stderr.decode()}")
        documents = {}
        for line in ran.stdout.decode().splitlines():
            document = json.loads(line)
            if document["schema"].startswith("opdebug.record/"):
                documents[document["file"]] = document
        return [documents[str(record.path)] for record in self.records]


def judge_case(tools, size, seed_and_condition):
    """For each program the verdicts of all records of one case."""
    seed, condition = seed_and_condition
    with tempfile.TemporaryDirectory(prefix="opdebug_simulation_") as folder:
        case = Case(seed, condition, size, folder)
        return [[verdict(document, record.overflow) for document, record in zip(case.scan(tool), case.records)]
                for tool in tools]


def run(options, tools, cases):
    judge_one = functools.partial(judge_case, tools, options.size)
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        results = list(zip(cases, pool.map(judge_one, cases)))
    rows = []
    for condition in [name for name in CONDITIONS if any(case[1] == name for case in cases)] + ["all"]:
        rows.append((condition, [count(each for case, judged in results if condition in (case[1], "all")
                                       for each in judged[index]) for index in range(len(tools))]))
    print_table(rows, tools)
    if options.list:
        list_cases(options.list, options.size, results)
    return rows[-1][1][0]


def list_cases(columns, size, results):
    """The records of some columns, and with two programs those whose column differs."""
    for (seed, condition), judged in results:
        for number, verdicts in enumerate(zip(*judged)):
            names = [[column, *sorted(marks)] for column, marks in verdicts]
            is_listed = "changed" in columns and len({each[0] for each in names}) > 1
            if is_listed or set(columns) & {name for each in names for name in each}:
                shown = " / ".join(",".join(each) for each in names)
                print(f"--show {seed} {number} --conditions {condition} --size {size}   {shown}")


def show(options, seed, number, condition):
    """Truth, answer and log lines of one record. Lines: those of its stream, and those of its process that have no stream."""
    with tempfile.TemporaryDirectory(prefix="opdebug_simulation_") as folder:
        case = Case(seed, condition, options.size, folder)
        record, document = case.records[number], case.scan(options.tool)[number]
        overflow, use = record.overflow, record.overflow.use
        operator, model, process = overflow.operator, use.model, use.process
        print(f"{record.path}\nera {case.job.era}, zone {case.job.zone} min, TZ {case.zone}, level {process.level}, "
              f"clock {(record.stamp - overflow.time) / 1e6:.6f} s")
        print(f"truth:  {operator.name} ({operator.type}), kernel {operator.kernel}, pid {process.pid} of {process.host}, device "
              f"{use.device}, model {model and (model.name, model.runtime_id, model.ge_id)}, context {overflow.context}")
        answer = document["operator"]
        for each in answer and (answer["candidates"] or [answer]) or []:
            print(f"answer: {each['name']} ({each['type']}), kernel {each['kernel']}, {each['confidence']}")
            for evidence in each["evidence"]:
                print(f"        {evidence['file']}:{evidence['line']}")
        block = document["model"]
        print(f"model:  {block and {key: block[key] for key in ('name', 'runtime_id', 'ge_id')}}")
        for remark in document["diagnostics"]:
            print(f"{remark['severity']}: {remark['code']}: {remark['message']}")
        print(f"verdict: {verdict(document, overflow)}\n")
        cited = {f"{each['file']}:{each['line']}" for each in (answer["evidence"] if answer else [])}
        show_lines(case, record, cited)


def show_lines(case, record, cited):
    """Lines on the record's stream without a task or with its task: of its process, and of those that the answer cites.

    "*": cited; "-": not in the files.
    """
    use, shown = record.overflow.use, []
    for process in case.job.processes:
        lines = [line for line in process.voice.lines
                 if line.stream in (None, use.stream) and line.task in (None, use.task)]
        if process is use.process or any(f"logs/{line.fate}" in cited for line in lines):
            shown += [(line.time, process.pid, process, line) for line in lines]
    is_later = False
    for time, _, process, line in sorted(shown, key=lambda entry: entry[:2]):
        if not is_later and time > record.overflow.time:
            is_later = True
            print("======== the overflow, by the hosts' clock")
        mark = "*" if f"logs/{line.fate}" in cited else " " if ":" in line.fate else "-"
        print(f"{mark} {case.logs.format(case.logs.shown_time(process, line), process, line)}   <{line.fate}>")


def count(judged):
    """`judged`: verdicts. Numbers by the names of COLUMNS; "doubt" counts records here."""
    counts = dict.fromkeys((name for name, _ in COLUMNS), 0)
    for column, marks in judged:
        counts["n"] += 1
        counts[column] += 1
        for mark in marks:
            counts[mark] += 1
    return counts


def shown_cell(name, counts):
    if name != "doubt":
        return str(counts[name])
    return f"{100 * counts['doubt'] / counts['right']:.1f}%" if counts["right"] else "-"


def print_table(rows, labels):
    """`rows`: name of a condition and its counts, one for each program."""
    width = max(8, *(len(name) for name, _ in rows)) + 2
    cells = [[" / ".join(dict.fromkeys([shown_cell(column, each) for each in counts])) if column == "n" else
              " / ".join(shown_cell(column, each) for each in counts) for column, _ in COLUMNS] for _, counts in rows]
    widths = [max(len(column), *(len(row[index]) for row in cells)) + 2 for index, (column, _) in enumerate(COLUMNS)]
    if len(labels) > 1:
        print(" / ".join(labels))
    print("".ljust(width) + "".join(column.rjust(size) for (column, _), size in zip(COLUMNS, widths)))
    for (name, _), row in zip(rows, cells):
        print(name.ljust(width) + "".join(cell.rjust(size) for cell, size in zip(row, widths)))


def worse_than(bounds, counts):
    """What got worse than the bounds, as texts."""
    here = bounded(counts)
    return [f"{name}: {here[name]}, the bound is {bounds[name]}" for name in bounds
            if (here[name] < bounds[name] if name == "right or first" else here[name] > bounds[name])]


def bounded(counts):
    return {"right or first": counts["right"] + counts["first"], "silent": counts["silent"], "missed": counts["missed"],
            "model": counts["model"], "exact": counts["exact"]}


def check_bounds(path, counts, is_written):
    bounds = json.loads(path.read_text()) if path.exists() else None
    worse = worse_than(bounds, counts) if bounds else []
    for text in worse:
        print(f"worse: {text}")
    if is_written and not worse:
        path.write_text(json.dumps(bounded(counts), indent=4) + "\n")
    elif not worse and bounded(counts) != bounds:
        print(f"better than {path.name}: write it with --write-bounds")
    return 1 if worse else 0


def seeds(text):
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def main():
    columns = "\n".join(f"  {name:8}{text}" for name, text in COLUMNS)
    parser = argparse.ArgumentParser(description=__doc__ + columns, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=seeds, default=seeds("1-12"), help="for example 1001-1060")
    parser.add_argument("--tool", default="build/release/tools/opdebug/opdebug", help="the program that is judged")
    parser.add_argument("--against", help="another program, judged on the same files; cells are TOOL / AGAINST")
    parser.add_argument("--conditions", default=",".join(CONDITIONS), help=f"some of {','.join(CONDITIONS)}")
    parser.add_argument("--in-turn", action="store_true", help="one condition for each seed, in turn, instead of all")
    parser.add_argument("--size", choices=("small", "full"), default="full")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--list", type=lambda text: text.split(","), help="list records of these columns, or 'changed'")
    parser.add_argument("--show", nargs=2, type=int, metavar=("SEED", "RECORD"), help="one record under --conditions")
    parser.add_argument("--keep", nargs=2, metavar=("SEED", "FOLDER"), help="write dumps and logs of one seed to a new folder")
    parser.add_argument("--bounds", type=pathlib.Path, help="fail where the sum is worse than this file")
    parser.add_argument("--write-bounds", action="store_true", help="write better counts to the file")
    options = parser.parse_args()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    conditions = options.conditions.split(",")
    options.tool = str(pathlib.Path(options.tool).resolve())
    if options.keep:
        pathlib.Path(options.keep[1]).mkdir()
        Case(int(options.keep[0]), conditions[0], options.size, options.keep[1])
        return 0
    if options.show:
        show(options, *options.show, conditions[0])
        return 0
    tools = [options.tool] + ([str(pathlib.Path(options.against).resolve())] if options.against else [])
    if options.in_turn:
        cases = [(seed, conditions[seed % len(conditions)]) for seed in options.seeds]
    else:
        cases = [(seed, condition) for seed in options.seeds for condition in conditions]
    counts = run(options, tools, cases)
    return check_bounds(options.bounds, counts, options.write_bounds) if options.bounds else 0


if __name__ == "__main__":
    sys.exit(main())
