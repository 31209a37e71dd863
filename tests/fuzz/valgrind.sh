#!/usr/bin/env bash
# Replays the inputs of all fuzz targets under valgrind, which also sees uninitialised memory: tests/fuzz/valgrind.sh [PRESET]
# Builds the replay programs of the preset (release). Status 1: valgrind found an error or memory that nobody holds any more.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."

preset=${1:-release}
if ! command -v valgrind >/dev/null; then
    echo "valgrind is not installed: tools/install-packages.sh valgrind" >&2
    exit 2
fi
mapfile -t subjects < <(sed -n 's/^set(subjects \(.*\))$/\1/p' tests/fuzz/CMakeLists.txt | tr ' ' '\n')
[ -e "build/$preset/build.ninja" ] || cmake --preset "$preset"
cmake --build --preset "$preset" --target "${subjects[@]/#/opdebug_replay_}"

failed=0
for subject in "${subjects[@]}"; do
    log=build/$preset/valgrind_$subject.log
    if inputs=$(valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite --log-file="$log" \
        "build/$preset/tests/fuzz/opdebug_replay_$subject" "testdata/fuzz/$subject"); then
        echo "$subject: $(tail -1 <<<"$inputs"), no error"
    else
        echo "$subject: status $?, last input $(tail -1 <<<"$inputs"), $log"
        failed=1
    fi
done
exit "$failed"
