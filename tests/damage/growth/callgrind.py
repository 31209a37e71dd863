"""How many instructions a program executes, counted by callgrind: noise of the machine does not touch the count."""
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
