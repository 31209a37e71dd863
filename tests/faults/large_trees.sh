#!/usr/bin/env bash
# Scans trees as large as they get, and prints what it took: large_trees.sh TOOL FOLDER [FILES]
#
#   TOOL    the opdebug program, best of the release build
#   FOLDER  an empty folder on the file system to be tried; what is made there is removed again
#   FILES   how many files the large tree has (1000000): one of 100 is a dump, the others are operators' dumps by name
#
# Each line: what, files, seconds, peak memory. Exit status 1 when a count is wrong.
set -euo pipefail

[ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
tool=$(realpath "$1")
folder=$(realpath "$2")/opdebug-large-trees
files=${3:-1000000}
dump=$(find "$(dirname "$0")/../../testdata/demo" -name 'Opdebug.*' | head -1)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder"

# Makes hard links to one dump, for content does not count here: make_files FOLDER COUNT PER_FOLDER
make_files() {
    python3 - "$dump" "$@" <<'PYTHON'
import os, shutil, sys
dump, root, count, per_folder = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
target = ""
for i in range(count):
    folder = f"{root}/rank_{i // per_folder}"
    if i % per_folder == 0:
        os.makedirs(folder)
    if i % 30000 == 0:  # ext4 takes 65,000 links to one file
        target = f"{root}.file{i}"
        shutil.copy(dump, target)
    is_dump = i % 100 == 0
    os.link(target, f"{folder}/" + (f"Opdebug.Node_OpDebug.{i}.21.1791769287318452" if is_dump
                                    else f"Add.net_Add_{i}.{i}.21.1791769287318452"))
PYTHON
}

# scan_of WHAT FOLDER DUMPS OTHERS
scan_of() {
    local begin end
    begin=$(date +%s.%N)
    /usr/bin/python3 - "$tool" "$2" "$folder/report.json" > "$folder/memory" <<'PYTHON'
import resource, subprocess, sys
status = subprocess.run([sys.argv[1], "scan", sys.argv[2], "--format", "json", "--first", "10", "-o", sys.argv[3], "-q"]).returncode
print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
PYTHON
    end=$(date +%s.%N)
    read -r status memory < "$folder/memory"
    python3 - "$folder/report.json" "$3" "$4" <<'PYTHON'
import json, sys
counts = json.load(open(sys.argv[1]))["counts"]
assert counts["dumps"] == int(sys.argv[2]) == counts["overflowed"] + counts["clean"] + counts["failed"], counts
assert counts["op_dumps"] == int(sys.argv[3]) and counts["failed"] == 0, counts
PYTHON
    printf '%s: %d files, %d dumps, %.1f s, %d MB, exit status %d\n' "$1" $(($3 + $4)) "$3" \
        "$(echo "$end - $begin" | bc)" "$memory" "$status"
}

make_files "$folder/tree" "$files" 1000
scan_of "tree of folders with 1000 entries" "$folder/tree" $(((files + 99) / 100)) $((files - (files + 99) / 100))
rm -rf "$folder"/tree*

make_files "$folder/flat" 65535 65535
scan_of "one folder" "$folder/flat" 656 64879
