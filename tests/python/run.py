"""Runs one file of tests: run.py [--sanitizer] FILE. Where what it needs is missing, one line says so and ctest calls it skipped."""

import importlib.util
import os
import sys

# What a file needs beside pytest: module and Debian package.
NEEDS = {"test_many_dumps.py": [("distributed", "python3-distributed")]}


def reason_to_skip(name, other_sanitizer):
    if other_sanitizer:
        return "Python is not instrumented"
    for module, package in [("pytest", "python3-pytest")] + NEEDS.get(name, []):
        if importlib.util.find_spec(module) is None:
            return f"{package} is not installed"
    if not os.environ.get("OPDEBUG_TOOL"):
        return "the program opdebug is not built"
    if name == "test_reference_data.py" and not os.environ.get("OPDEBUG_REFERENCE_DATA"):
        return "OPDEBUG_REFERENCE_DATA is not set"
    return None


def main(arguments):
    file = arguments[-1]
    reason = reason_to_skip(os.path.basename(file), "--sanitizer" in arguments)
    if reason is not None:
        print(f"SKIPPED: {reason}")
        return 0
    import pytest

    return pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", os.path.dirname(file), file])


if __name__ == "__main__":  # processes that tests spawn read this file, too
    sys.exit(main(sys.argv[1:]))
