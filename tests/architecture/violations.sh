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
    mkdir -p "$scratch/lib/include/opdebug" "$scratch/lib/src/bytes" "$scratch/lib/src/logs/text" "$scratch/tools/opdebug" \
        "$scratch/tests" "$scratch/docs"
    echo '#include <string>' >"$scratch/lib/include/opdebug/result.hpp"
    echo '#include <opdebug/result.hpp>' >"$scratch/lib/include/opdebug/dump.hpp"
    echo '#include <opdebug/result.hpp>' >"$scratch/lib/src/bytes/cursor.hpp"
    echo '#include "bytes/cursor.hpp"' >"$scratch/lib/src/logs/text/line.cpp"
    echo '#include <opdebug/dump.hpp>' >"$scratch/tools/opdebug/main.cpp"
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

for rule in stages public_headers tool top_level own_words no_programs; do
    expect 0 $rule
done
expect 1 stages lib/src/bytes/up.cpp '#include "logs/text/line.hpp"' 'lib/src/bytes/up.cpp:1: bytes (floor 1) includes'
expect 1 stages lib/src/bytes/side.cpp '#include "status/engine.hpp"' 'of status (floor 3)'
expect 1 stages lib/src/logs/up.cpp '  #  include <opdebug/dump.hpp>' 'logs (floor 4.10) includes "opdebug/dump.hpp"'
expect 1 stages lib/include/opdebug/bytes.hpp '#include <opdebug/dump.hpp>' 'bytes (floor 1)'
expect 1 stages lib/src/logs/text/up.cpp '#include "logs/facts/fact.hpp"' 'of logs/facts (floor 4.03)'
expect 1 stages lib/src/logs/strange/x.cpp '#include "logs/text/line.hpp"' "stage 'logs/strange' has no floor"
expect 0 stages lib/src/logs/down.cpp '#include "logs/text/line.hpp"'
expect 1 stages lib/src/logs/text/sibling.cpp '#include "line.hpp"' 'by stage folder'
expect 1 stages lib/src/strange/x.cpp '#include "bytes/cursor.hpp"' "stage 'strange' has no floor"
expect 1 public_headers lib/include/opdebug/tree.hpp '#include <boost/regex.hpp>' 'includes <boost/regex.hpp>'
expect 1 public_headers lib/include/opdebug/tree.hpp '#include "bytes/cursor.hpp"' 'in quotes'
expect 1 public_headers lib/include/opdebug/tree.hpp '#include <opdebug/none.hpp>' 'no public header'
expect 1 tool tools/opdebug/other.cpp '#include "logs/text/line.hpp"' 'no file of tools/opdebug'
expect 1 tool tools/opdebug/other.cpp '#include "../../lib/src/logs/text/line.cpp"' 'no file of tools/opdebug'
expect 1 tool tools/opdebug/other.cpp '#include <opdebug/none.hpp>' 'no public header'
expect 1 top_level scripts/x.sh 'true' 'scripts: does not belong'
expect 1 top_level notes.txt 'note' 'notes.txt: does not belong'
expect 0 top_level build/release/x 'built'
expect 1 no_programs tools/opdebug/other.cpp 'std::system(("ls " + name).c_str());' 'tools/opdebug/other.cpp:1:'
expect 1 no_programs lib/src/logs/unpack.cpp 'FILE* pipe = popen(command, "r");' 'unpack.cpp:1:'
expect 1 no_programs lib/python/opdebug/open.py 'import subprocess' 'open.py:1:'
expect 0 no_programs tools/opdebug/system/started_command.cpp 'posix_spawn(&process, shell);'
expect 0 no_programs lib/src/logs/pattern.cpp 'regex.exec(line); file_system(path);'
expect 1 own_words docs/testing.md "see ..""/shared/data" 'docs/testing.md:1:'
expect 1 own_words README.md "in /wor""k/main" 'README.md:1:'
expect 0 own_words README.md 'in /home/user/work/dumps'
expect 1 own_words lib/src/logs/text/line.cpp "// by a suba""gent" 'line.cpp:1:'
expect 1 own_words tests/x.cpp "// bash_""jobs" 'x.cpp:1:'
expect 1 own_words tools/x.sh "# .lib""rary" 'x.sh:1:'

exit $failed
