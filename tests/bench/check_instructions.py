#!/usr/bin/env python3
"""Counts by callgrind what whole commands execute on fixed inputs, and compares the counts with instructions.json.

Noise of the machine does not touch these counts; another compiler, standard library or processor does, so anything but
the build that was measured is skipped. --write puts today's counts into the file.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MARGIN = 0.3  # a command may get faster by any amount
SKIPPED = 77  # OPDEBUG_TEST_SKIPPED in tests/CMakeLists.txt
# Inputs lie in a tmpfs: other file systems list folders in an order of their own, and sorting then costs 5 % more or less.
MEMORY = pathlib.Path("/dev/shm")
# Nothing of the caller's environment reaches the counted processes: the loader and the C library look through it.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "TZ": "UTC", "LC_ALL": "C", "TMPDIR": str(MEMORY)}


def conditions(build):
    """What the counts depend on beside the sources."""
    release = {}
    for line in pathlib.Path("/etc/os-release").read_text().splitlines():
        key, _, value = line.partition("=")
        release[key] = value.strip('"')
    valgrind = subprocess.run(["valgrind", "--version"], check=True, capture_output=True, text=True).stdout.strip()
    # valgrind shows programs AVX2 where the processor has it, and both libraries choose other code then.
    has_avx2 = re.search(r"^flags.*\bavx2\b", pathlib.Path("/proc/cpuinfo").read_text(), re.M) is not None
    return {"build": " ".join(build.split()), "distribution": f"{release.get('ID')} {release.get('VERSION_ID')}",
            "valgrind": valgrind, "avx2": has_avx2}


def callgrind(arguments, folder):
    """Runs a command under callgrind and returns what callgrind printed."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=callgrind.out", *arguments]
    ran = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return ran.stderr


def make_inputs(generator, folder):
    for arguments in (["tree", "tree", "200"], ["bare-tree", "bare", "200"], ["folder", "folder", "200"],
                      ["log", "job.log", "2", "200"]):
        subprocess.run([generator, *arguments], cwd=folder, check=True)


def count_tool(tool, folder):
    """Whole processes with one thread, from the loader to the exit."""
    dump = sorted(path.relative_to(folder) for path in (folder / "bare").rglob("Opdebug.*"))[0]
    for shard in "0/2", "1/2":
        subprocess.run([tool, "scan", "tree", "-q", "--shard", shard, "--format", "jsonl", "-o", f"part-{shard[0]}.jsonl"],
                       cwd=folder, env=ENVIRONMENT, check=True)
    commands = {
        "tool.decode": ["decode", dump],
        "tool.convert": ["convert", "-d", "folder", "-out", "converted"],
        "tool.scan": ["scan", "tree", "-j", "1", "--format", "jsonl", "-o", "scan.jsonl"],
        "tool.scan_with_logs": ["scan", "bare", "-j", "1", "--logs", "job.log", "--format", "jsonl", "-o", "logs.jsonl"],
        "tool.merge": ["merge", "part-0.jsonl", "part-1.jsonl", "--format", "jsonl", "-o", "merged.jsonl"],
        "tool.index": ["index", "job.log", "-j", "1", "-o", "job.map"],
        "tool.locate_from_map": ["decode", dump, "--logs", "job.map"],
    }
    counts = {}
    for name, command in commands.items():
        counts[name] = int(re.search(r"Collected : (\d+)", callgrind([tool, *command], folder))[1])
    return counts


def differences(kept, counted):
    found = []
    for name in {**kept, **counted}:
        if name not in counted or name not in kept:
            found.append(f"{name}: {'not in the file' if name in counted else 'no longer counted'}")
            continue
        change = counted[name] / kept[name] - 1
        if change > MARGIN:
            found.append(f"{name}: {kept[name]:,} -> {counted[name]:,} instructions ({change:+.1%})")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="compiler, version, kind of build and flags")
    parser.add_argument("--generator", required=True, type=pathlib.Path)
    parser.add_argument("--tool", required=True, type=pathlib.Path)
    parser.add_argument("--counts", type=pathlib.Path, default=pathlib.Path(__file__).with_name("instructions.json"))
    parser.add_argument("--write", action="store_true", help="keep today's counts")
    options = parser.parse_args()

    if shutil.which("valgrind") is None:
        print("SKIPPED: valgrind is not installed (tools/install-packages.sh valgrind)")
        return SKIPPED
    if not MEMORY.is_dir():
        print(f"SKIPPED: there is no {MEMORY}")
        return SKIPPED
    kept = json.loads(options.counts.read_text()) if options.counts.exists() else {"conditions": {}, "instructions": {}}
    today = conditions(options.build)
    if not options.write and today != kept["conditions"]:
        print(f"SKIPPED: the counts are those of another build\n  counted: {kept['conditions']}\n  here:    {today}")
        return SKIPPED

    with tempfile.TemporaryDirectory(prefix="opdebug_", dir=MEMORY) as name:
        folder = pathlib.Path(name)
        make_inputs(options.generator, folder)
        counted = count_tool(options.tool, folder)
    for name, count in counted.items():
        before = kept["instructions"].get(name)
        print(f"{name:28}{count:15,}" + (f"  {count / before - 1:+.2%}" if before else ""))
    if options.write:
        options.counts.write_text(json.dumps({"conditions": today, "instructions": counted}, indent=4) + "\n")
        return 0
    found = differences(kept["instructions"], counted)
    if found:
        print(f"\nMore than {MARGIN:.0%} above {options.counts.name}:", *found, sep="\n  ")
        print("If that is meant, write the counts anew (docs/internals/testing.md, \"Instruction counts\") and say why in the commit.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
