#!/bin/sh
# Shows that check.sh finds what it is there for: builds a small tree for each violation and expects the check to fail.
# violations.sh SCRATCH_DIR
set -eu

scratch=$1
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
failed=0

# A tree without violations; each test adds one file to it.
clean_tree() {
    rm -rf "$scratch"
    mkdir -p "$scratch/lib/include/opdebug" "$scratch/lib/src/bytes" "$scratch/lib/src/scan" "$scratch/lib/src/logs/lines" "$scratch/tools/opdebug" \
        "$scratch/tests" "$scratch/docs"
    echo '#include <string>' >"$scratch/lib/include/opdebug/result.hpp"
    echo '#include <opdebug/result.hpp>' >"$scratch/lib/include/opdebug/dump.hpp"
    echo '#include <opdebug/result.hpp>' >"$scratch/lib/src/bytes/cursor.hpp"
    echo '#include "bytes/cursor.hpp"' >"$scratch/lib/src/logs/lines/line.cpp"
    echo '#include "bytes/cursor.hpp"' >"$scratch/lib/src/scan/order.hpp"
    printf '%s\n' '#include <opdebug/dump.hpp>' '#include "scan/order.hpp"' >"$scratch/tools/opdebug/main.cpp"
}

# expect STATUS RULE [FILE LINE EXPECTED_TEXT]: the rule on the clean tree, with LINE written to FILE if given.
expect() {
    clean_tree
    if [ $# -gt 2 ]; then
        mkdir -p "$(dirname "$scratch/$3")"
        printf '%s\n' "$4" >"$scratch/$3"
    fi
    status=0
    output=$(sh "$here/check.sh" "$2" "$scratch" 2>&1) || status=1
    found=yes
    [ $# -gt 4 ] && case $output in *"$5"*) ;; *) found=no ;; esac
    if [ $status != "$1" ] || [ $found = no ]; then
        echo "rule $2, ${3:-clean tree} with '${4:-}': expected status $1 and '${5:-}', got $status: $output"
        failed=1
    fi
}

for rule in stages public_headers tool top_level own_words no_programs slivers; do
    expect 0 $rule
done
expect 1 stages lib/src/bytes/up.cpp '#include "logs/lines/line.hpp"' 'lib/src/bytes/up.cpp:1: bytes (floor 2, base) includes'
expect 1 stages lib/src/container/side.cpp '#include "logs/lines/line.hpp"' '(floor 4, logs)'
expect 0 stages lib/src/json/right.cpp '#include "bytes/cursor.hpp"'
expect 1 stages lib/src/bytes/right.cpp '#include "json/cursor.hpp"' 'bytes (floor 2, base) includes "json/cursor.hpp"'
expect 1 stages lib/src/logs/up.cpp '  #  include <opdebug/scan.hpp>' 'logs (floor 4, logs) includes "opdebug/scan.hpp"'
expect 1 stages lib/include/opdebug/tree.hpp '#include <opdebug/dump.hpp>' '<tree> (floor 3, tree)'
expect 1 stages lib/src/logs/lines/up.cpp '#include "logs/facts/fact.hpp"' 'includes "logs/facts/fact.hpp"'
expect 1 stages lib/src/logs/strange/x.cpp '#include "logs/lines/line.hpp"' "'logs/strange' has no floor"
expect 0 stages lib/src/logs/down.cpp '#include "logs/lines/line.hpp"'
expect 1 stages lib/src/logs/lines/sibling.cpp '#include "line.hpp"' 'by folder'
expect 1 stages lib/src/strange/x.cpp '#include "bytes/cursor.hpp"' "'strange' has no floor"
expect 1 public_headers lib/include/opdebug/tree.hpp '#include <boost/regex.hpp>' 'includes <boost/regex.hpp>'
expect 1 public_headers lib/include/opdebug/tree.hpp '#include "bytes/cursor.hpp"' 'in quotes'
expect 1 public_headers lib/include/opdebug/tree.hpp '#include <opdebug/none.hpp>' 'no public header'
expect 1 tool tools/opdebug/other.cpp '#include "logs/lines/line.hpp"' 'no file of tools/opdebug'
expect 1 tool tools/opdebug/other.cpp '#include "scan/none.hpp"' 'no file of tools/opdebug'
expect 1 tool tools/opdebug/other.cpp '#include "../../lib/src/logs/lines/line.cpp"' 'no file of tools/opdebug'
expect 1 tool tools/opdebug/other.cpp '#include <opdebug/none.hpp>' 'no public header'
expect 1 top_level scripts/x.sh 'true' 'scripts: does not belong'
expect 1 top_level notes.txt 'note' 'notes.txt: does not belong'
expect 0 top_level build/release/x 'built'
expect 1 no_programs tools/opdebug/other.cpp 'std::system(("ls " + name).c_str());' 'tools/opdebug/other.cpp:1:'
expect 1 no_programs lib/src/logs/unpack.cpp 'FILE* pipe = popen(command, "r");' 'unpack.cpp:1:'
expect 1 no_programs lib/python/opdebug/open.py 'import subprocess' 'open.py:1:'
expect 0 no_programs tools/opdebug/system/started_command.cpp 'posix_spawn(&process, shell);'
expect 0 no_programs lib/src/logs/pattern.cpp 'regex.exec(line); file_system(path);'
expect 1 own_words docs/internals/testing.md "see ..""/shared/data" 'docs/internals/testing.md:1:'
expect 1 own_words README.md "in /wor""k/main" 'README.md:1:'
expect 0 own_words README.md 'in /home/user/work/dumps'
expect 1 own_words lib/src/logs/lines/line.cpp "// by a suba""gent" 'line.cpp:1:'
expect 1 own_words tests/x.cpp "// bash_""jobs" 'x.cpp:1:'
expect 1 own_words tools/x.sh "# .lib""rary" 'x.sh:1:'

# Limits of zero: the clean tree has a header without users and short files.
clean_tree
printf 'single_user_headers 0\nshort_files 0\n' >"$scratch/limits.txt"
output=$(find "$scratch/lib/src" -type f -exec awk -v root="$scratch" -f "$here/slivers.awk" "$scratch/limits.txt" {} +) && {
    echo "slivers: expected status 1"
    failed=1
}
case $output in
*'single_user_headers: 1, allowed are 0:'*'  bytes/cursor.hpp'*) ;;
*)
    echo "slivers: single-user header not found: $output"
    failed=1
    ;;
esac
exit $failed
