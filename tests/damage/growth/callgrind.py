"""How many instructions a program executes, counted by callgrind: noise of the machine does not touch the count."""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys


def end_if_missing():
    """Ends the script, and says why: ctest reports the test as skipped."""
    if shutil.which("valgrind") is None:
        print("SKIPPED: valgrind is not installed")
        sys.exit(77)  # OPDEBUG_TEST_SKIPPED in tests/CMakeLists.txt


def instructions(command, status):
    """Of a command that is expected to end with the status."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *map(str, command)]
    ran = subprocess.run(command, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"}, capture_output=True, text=True, check=False)
    if ran.returncode != status:
        sys.exit(f"{' '.join(command)}: exit status {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return int(re.search(r"Collected : (\d+)", ran.stderr)[1])


def tool_and_folder(description):
    """The arguments of a script: the tool, and a folder for its inputs, which is made."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--tool", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="for the inputs")
    arguments = parser.parse_args()
    end_if_missing()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    return arguments.tool, arguments.folder


def growth(instructions_of, count):
    """What an input of that count takes beyond one of 1, and how many times as much one of twice the count takes."""
    one, once, twice = (instructions_of(parts) for parts in (1, count, 2 * count))
    return once - one, (twice - one) / (once - one)
