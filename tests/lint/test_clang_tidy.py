#!/usr/bin/env python3
"""What clang_tidy.py tells of three small sources, two of which do not go together: test_clang_tidy.py FOLDER"""

import json
import os
import shutil
import subprocess
import sys

SKIPPED = 77  # OPDEBUG_TEST_SKIPPED in tests/CMakeLists.txt

SOUND = "namespace { int first(int value) { return value; } }\nint sound(int value) { return first(value); }\n"
# The same name with another type of result: no file can include both.
NULL_READ = ("namespace { long first(int value) { const int* place = nullptr; return *place + value; } }\n"
             "long null_read(int value) { return first(value); }\n")
# The second uses what both declare, and so do the last two.
ALIAS = "#include <filesystem>\nnamespace fs = std::filesystem;\nbool {0}(const char* path);\nbool {0}(const char* path) {{ return {1}; }}\n"
USING = "#include <vector>\nusing std::vector;\nint {0}(int size);\nint {0}(int size) {{ return {1}; }}  // a vector\n"
UNUSED = {"alias.cpp": ALIAS.format("alias", "*path != 0"), "alias_used.cpp": ALIAS.format("alias_used", "fs::exists(path)"),
          "using.cpp": USING.format("using_it", "size"), "using_used.cpp": USING.format("used", "vector<int>{size}.front()")}
SAME_SIDES = "bool same_sides(int value);\nbool same_sides(int value) { return value == value; }\n"


def run_on(folder, sources):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "lib/src"))
    entries = []
    for name, text in sources.items():
        place = os.path.join(folder, "lib/src", name)
        with open(place, "w", encoding="utf-8") as file:
            file.write(text)
        entries.append({"directory": folder, "file": place, "command": f"ccache clang++-14 -std=c++20 -o {name}.o -c {place}"})
    with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(entries, file)
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "clang_tidy.py")
    return subprocess.run([sys.executable, script, folder], capture_output=True, text=True, check=False)


def expect(what, holds, run):
    if not holds:
        sys.exit(f"{what}: exit status {run.returncode}\n{run.stdout}{run.stderr}")


def main():
    folder = os.path.abspath(sys.argv[1])
    if not shutil.which("clang-tidy-14") or not shutil.which("clang++-14"):
        print("SKIPPED: clang-tidy-14 or clang-14 is not installed")
        sys.exit(SKIPPED)

    run = run_on(folder, {"sound.cpp": SOUND, "also_sound.cpp": SOUND.replace("sound", "also_sound")})
    expect("sound sources", run.returncode == 0 and "2 sources, nothing found" in run.stdout, run)

    run = run_on(folder, {"null_read.cpp": NULL_READ, "same_sides.cpp": SAME_SIDES, "sound.cpp": SOUND})
    expect("findings", run.returncode == 1, run)
    expect("an analyzer's finding", "null_read.cpp:1:" in run.stdout and "core.NullDereference" in run.stdout, run)
    expect("a check's finding", "same_sides.cpp:2:" in run.stdout and "misc-redundant-expression" in run.stdout, run)
    expect("names that collide are no finding", "redefinition" not in run.stdout and "first" not in run.stderr, run)

    run = run_on(folder, UNUSED)
    expect("a declaration that another source uses", run.returncode == 1, run)
    expect("an alias", "alias.cpp:2: 'fs'" in run.stdout and "alias_used.cpp:" not in run.stdout, run)
    expect("a using declaration", "using.cpp:2: 'vector'" in run.stdout and "using_used.cpp:" not in run.stdout, run)

    run = run_on(folder, {"broken.cpp": "int broken(\n", "sound.cpp": SOUND})
    expect("a source that does not compile", run.returncode == 1 and "broken.cpp:" in run.stdout, run)

    run = run_on(folder, {})
    expect("no source", run.returncode == 1 and "names no source" in run.stderr, run)


if __name__ == "__main__":
    main()
