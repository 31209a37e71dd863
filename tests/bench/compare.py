"""Runs opdebug beside what users have today, on the made-up job, and prints how each ratio stands to its target.

Called by compare.sh, which builds what is needed. Warm cache; medians. Wall clock decides; processor time is told beside it,
because it is what remains comparable on a machine with other work.
"""
import argparse
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from measuring import Cost, median_of, read_from_disk, run_once, side_by_side

KEY = r"stream_id[=:] ?20,.*task_id[=:] ?52\b"  # a task that the log has, on a stream that few of its lines name
CAPTURES = r"stream_id=(\d+), task_id=(\d+),.*kernel_name=([^,]+)"
# msaccucmp, the official converter, is not run: no Debian package, and it needs an installed CANN toolkit. What it took on a machine
# like this one (2 cores, warm cache), in seconds:
CONVERTER_START = 0.150
CONVERTER_PER_FILE = 8.4 / 10_000  # convert of one flat folder on tmpfs
TENSORS = ("float16", "bfloat16", "float32")


class Comparison:
    def __init__(self, options):
        self.options = options
        self.rows = []
        sources = sorted(pathlib.Path(__file__).with_name("inputs").iterdir())
        self.sources = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()

    def inputs(self, name, *arguments, below=None):
        """Makes an input unless it is there from the last time: the generator writes the same bytes for the same arguments,
        as long as its sources are the same."""
        path = (below or self.options.folder) / name
        done = path.with_name(path.name + ".done")
        asked = " ".join(map(str, [*arguments, self.sources]))
        if not done.exists() or done.read_text() != asked:
            shutil.rmtree(path, ignore_errors=True)
            subprocess.run([self.options.generator, arguments[0], path, *map(str, arguments[1:])], check=True)
            done.write_text(asked)
        return path

    def tree(self, dumps):
        return self.inputs(f"tree_{dumps}", "tree", dumps)

    def first_dump(self):
        step = self.tree(self.options.dumps) / "rank_0/20260304100000/0/net/3/0"
        return min(step.glob("Opdebug.*"))

    @functools.cached_property
    def log(self):
        path = self.inputs("job.log", "log", self.options.log_megabytes, self.options.records)
        read_from_disk(path)
        return path

    def report(self):
        return self.options.folder / "out.jsonl"

    def row(self, job, ours, against, theirs, value, target, met):
        """`ours` and `theirs`: Cost, or text."""
        shown = [f"{side.wall * 1000:,.1f} ms ({side.cpu * 1000:,.1f} CPU)" if isinstance(side, Cost) else side
                 for side in (ours, theirs)]
        told = {"job": job, "opdebug": shown[0], "against": against, "other": shown[1], "ratio": value, "target": target,
                "met": "" if met is None else "yes" if met else "no"}
        print("|", " | ".join(told.values()), "|", flush=True)
        measured = {name: vars(side) for name, side in (("opdebug", ours), ("other", theirs)) if isinstance(side, Cost)}
        self.rows.append({**told, "measured": measured})

    def ratio_row(self, job, ours, against, theirs, most):
        ratio = ours.wall / theirs.wall
        self.row(job, ours, against, theirs, f"{ratio:.2f} (CPU {ours.cpu / theirs.cpu:.2f})", f"<= {most}", ratio <= most)

    def missing(self, job, ours, what, target):
        self.row(job, ours, what, "not installed", "", target, None)


def scan_command(comparison, path, *more):
    return [comparison.options.tool, "scan", path, "--format", "jsonl", "-o", comparison.report(), *more]


def compare_scan(comparison):
    tree = comparison.tree(comparison.options.dumps)
    read = "find {} -type f {} -print0 | xargs -0 cat >/dev/null"
    ours, everything, overflows = side_by_side(
        [scan_command(comparison, tree), ["sh", "-c", read.format(tree, "")],
         ["sh", "-c", read.format(tree, "-name 'Opdebug.*'")]], comparison.options.rounds, result=comparison.report())
    job = f"scan of {comparison.options.dumps:,} dumps with as many op dumps, jsonl to a file"
    comparison.ratio_row(job, ours, "find, xargs cat, all files", everything, 1.0)
    comparison.ratio_row("the same", ours, "find, xargs cat, overflow dumps only", overflows, 1.0)


def compare_decode(comparison):
    dump = comparison.first_dump()
    ours, nothing = side_by_side([[comparison.options.tool, "decode", dump], ["true"]], comparison.options.rounds, 21)
    comparison.row("decode of one file, whole process", ours, f"`true`; msaccucmp took {CONVERTER_START * 1000:.0f} ms",
                   nothing, "", "<= 5 ms", ours.wall <= 0.005)


def compare_convert(comparison):
    memory = comparison.options.memory_folder
    memory.mkdir(parents=True, exist_ok=True)
    files = comparison.options.files
    folder = comparison.inputs(f"folder_{files}", "folder", files, below=memory)
    costs = []
    for _ in range(comparison.options.rounds + 1):  # into a new folder each time, as the recorded figure
        shutil.rmtree(memory / "converted", ignore_errors=True)
        costs.append(run_once([comparison.options.tool, "convert", "-d", folder, "-out", memory / "converted"]))
    shutil.rmtree(memory)
    ours = median_of(costs[1:])
    recorded = CONVERTER_PER_FILE * files
    comparison.row(f"convert of {files:,} files of one folder on tmpfs", ours, "msaccucmp, recorded",
                   f"{recorded * 1000:,.0f} ms", f"{recorded / ours.wall:.0f} times faster", ">= 50 times",
                   recorded / ours.wall >= 50)


def compare_scan_with_logs(comparison):
    log, records = comparison.log, comparison.options.records
    command = scan_command(comparison, comparison.inputs(f"bare_tree_{records}", "bare-tree", records), "--logs", log)
    job = f"{records:,} records against a log of {log.stat().st_size / 1e9:.2f} GB (scan --logs)"
    if shutil.which("rg"):
        ours, theirs = side_by_side([command, ["rg", "-c", KEY, log]], comparison.options.rounds,
                                    result=comparison.report())
        comparison.ratio_row(job, ours, "`rg -c` for one key", theirs, 1.1)
    else:
        (ours,) = side_by_side([command], comparison.options.rounds, result=comparison.report())
        comparison.missing(job, ours, "ripgrep", "<= 1.1")
    comparison.row("peak memory of that", f"{ours.peak / 2**20:.0f} MB", "", "", "", "<= 64 MB", ours.peak <= 64 * 2**20)


def compare_index(comparison):
    log, saved = comparison.log, comparison.options.folder / "job.map"
    command = [comparison.options.tool, "index", log, "-o", saved]
    job = "index of every task of that log"
    if shutil.which("rg"):
        ours, theirs = side_by_side([command, ["rg", "-o", CAPTURES, "-r", "$1 $2 $3", log]], comparison.options.rounds,
                                    result=saved)
        comparison.ratio_row(job, ours, "`rg -o` with captures", theirs, 0.45)
    else:
        (ours,) = side_by_side([command], comparison.options.rounds, result=saved)
        comparison.missing(job, ours, "ripgrep", "<= 0.45")
    comparison.row("peak memory of that", f"{ours.peak / 2**20:.0f} MB", "", "", "", "", None)
    dump = comparison.first_dump()
    (located,) = side_by_side([[comparison.options.tool, "decode", dump, "--logs", saved]], comparison.options.rounds, 11)
    comparison.row(f"locate one record in the saved map ({saved.stat().st_size / 1e6:.1f} MB)", located, "", "", "",
                   "<= 20 ms", located.wall <= 0.020)


def compare_tensors(comparison):
    program = comparison.options.tensor_benchmark
    if not program.exists():
        comparison.missing("statistics of tensors", "", "Google Benchmark", "<= 2.0")
        return
    told = subprocess.run([program, "--benchmark_filter=^memcpy$|/ordinary$", "--benchmark_format=json",
                           f"--benchmark_repetitions={comparison.options.rounds}",
                           "--benchmark_enable_random_interleaving=true"], check=True, capture_output=True, text=True).stdout
    runs = [result for result in json.loads(told)["benchmarks"] if result["run_type"] == "iteration"]

    def median(name):  # of processor time: one thread that reads no files
        return median_of([Cost(run["cpu_time"] / 1e9, run["cpu_time"] / 1e9, 0) for run in runs if run["run_name"] == name])

    for dtype in TENSORS:
        comparison.ratio_row(f"{dtype} statistics of 128 MiB", median(f"{dtype}/ordinary"), "`memcpy`", median("memcpy"), 2.0)


def compare_growth(comparison):
    sizes = [comparison.options.dumps // 10, comparison.options.dumps, comparison.options.dumps * 10]
    costs = side_by_side([scan_command(comparison, comparison.tree(size)) for size in sizes], comparison.options.rounds,
                         result=comparison.report())
    for (fewer, less), (more, longer) in zip(zip(sizes, costs), list(zip(sizes, costs))[1:]):
        grown = longer.wall / less.wall
        comparison.row(f"scan of {more:,} dumps", longer, f"scan of {fewer:,} dumps", less,
                       f"{grown:.1f} (CPU {longer.cpu / less.cpu:.1f})", "<= 11", grown <= 11)


def compare_cores(comparison):
    first = sorted(os.sched_getaffinity(0))[0]
    saved = comparison.options.folder / "job.map"
    for job, command, result in (
            (f"scan of {comparison.options.dumps:,} dumps", scan_command(comparison, comparison.tree(comparison.options.dumps)),
             comparison.report()),
            ("index of the log", [comparison.options.tool, "index", comparison.log, "-o", saved], saved)):
        both, one = side_by_side([command, ["taskset", "-c", first, *command]], comparison.options.rounds, result=result)
        comparison.row(job, both, "the same on one core", one, f"{one.wall / both.wall:.2f} times faster", ">= 1.7 times",
                       one.wall / both.wall >= 1.7)


COMPARISONS = {"scan": compare_scan, "decode": compare_decode, "convert": compare_convert, "logs": compare_scan_with_logs,
               "index": compare_index, "tensors": compare_tensors, "growth": compare_growth, "cores": compare_cores}


def machine():
    processor = re.search(r"^model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    busy, _, _ = os.getloadavg()
    return f"{len(os.sched_getaffinity(0))} cores, {processor[1] if processor else 'unknown processor'}, load {busy:.1f}"


def main():
    parser = argparse.ArgumentParser(prog="compare.sh", description=__doc__)
    parser.add_argument("jobs", nargs="*", metavar="JOB", help=f"some of: {' '.join(COMPARISONS)} (default: all)")
    parser.add_argument("--build", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("build/bench"), help="of the inputs, on disk")
    parser.add_argument("--memory-folder", type=pathlib.Path, default=pathlib.Path("/dev/shm/opdebug_bench"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dumps", type=int, default=20_000, help="also a tenth and ten times as many, for the growth")
    parser.add_argument("--records", type=int, default=2_000)
    parser.add_argument("--log-megabytes", type=int, default=810)
    parser.add_argument("--files", type=int, default=10_000, help="of the folder that is converted")
    parser.add_argument("--json", type=pathlib.Path, help="writes the rows there, too")
    options = parser.parse_args()
    unknown = set(options.jobs) - set(COMPARISONS)
    if unknown:
        parser.error(f"no such job: {' '.join(sorted(unknown))}")
    options.folder = options.folder.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    options.tool = (options.build / "tools/opdebug/opdebug").resolve()
    options.generator = (options.build / "tests/bench/opdebug_make_benchmark_inputs").resolve()
    options.tensor_benchmark = (options.build / "tests/bench/opdebug_tensor_benchmark").resolve()

    print(f"{machine()}; {options.rounds} rounds, medians\n")
    print("| job | opdebug | against | that | ratio | target | met |\n|---|---|---|---|---|---|---|", flush=True)
    comparison = Comparison(options)
    for name in options.jobs or COMPARISONS:
        COMPARISONS[name](comparison)
    if options.json:
        options.json.write_text(json.dumps({"machine": machine(), "rounds": options.rounds, "rows": comparison.rows},
                                           indent=4) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
