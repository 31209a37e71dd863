"""Runs tests by pytest: run.py [--sanitizer] FILE_OR_FOLDER [OPTION]... Where what they need is missing, one line says so and ctest
calls them skipped."""

import importlib.util
import os
import sys

SKIPPED = 77  # OPDEBUG_TEST_SKIPPED in tests/CMakeLists.txt

# What some need next to pytest: module and Debian package.
DASK = [("distributed", "python3-distributed")]
NEEDS = {"test_many_dumps.py": DASK, "consumer": DASK}


def reason_to_skip(name, other_sanitizer):
    if other_sanitizer:
        return "Python is not instrumented"
    for module, package in [("pytest", "python3-pytest")] + NEEDS.get(name, []):
        if importlib.util.find_spec(module) is None:
            return f"{package} is not installed"
    if os.environ.get("OPDEBUG_TOOL") == "":
        return "the program opdebug is not built"
    if name == "test_reference_data.py" and not os.environ.get("OPDEBUG_REFERENCE_DATA"):
        return "OPDEBUG_REFERENCE_DATA is not set"
    return None


def main(arguments):
    other_sanitizer = "--sanitizer" in arguments
    place, *options = [argument for argument in arguments if argument != "--sanitizer"]
    reason = reason_to_skip(os.path.basename(place), other_sanitizer)
    if reason is not None:
        print(f"SKIPPED: {reason}")
        return SKIPPED
    import pytest

    root = place if os.path.isdir(place) else os.path.dirname(place)
    return pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", root, place, *options])


if __name__ == "__main__":  # processes that tests spawn read this file, too
    sys.exit(main(sys.argv[1:]))
