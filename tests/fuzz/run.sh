#!/usr/bin/env bash
# Builds and runs fuzz targets: tests/fuzz/run.sh TARGET|all SECONDS. The seconds are of processor time, so that other work
# on the machine makes a run longer, not smaller.
# JOBS=N runs that many targets at a time. What covers new code is collected in build/fuzz/corpus/TARGET for the next run. A
# finding is made small and put into testdata/fuzz/TARGET, where fuzz.TARGET fails on it until it is mended: rename it to what
# it shows, and commit it with the mending. Status 1: there are findings.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."

usage() {
    sed -n '2,6s/^# //p' "tests/fuzz/run.sh" >&2
    exit 2
}

targets() {
    sed -n 's/^set(subjects \(.*\))$/\1/p' tests/fuzz/CMakeLists.txt | tr ' ' '\n'
}

# Bytes that an input of the target may have: enough for several of what it reads, and no more.
longest_input() {
    case $1 in
    container) echo 16384 ;;
    op_dump | log_text | task_map | status_catalogue) echo 8192 ;;
    file_name) echo 512 ;;
    *) echo 4096 ;;
    esac
}

limits=(-rss_limit_mb=2048 -malloc_limit_mb=1024 -timeout=20)

# Makes the input small, as long as it still ends the target, and keeps it.
keep_finding() {
    local target=$1 artifact=$2 kept
    kept=testdata/fuzz/$target/finding_$(basename "$artifact" | cut -c1-16)
    build/fuzz/tests/fuzz/opdebug_fuzz_"$target" "${limits[@]}" -minimize_crash=1 -max_total_time=60 \
        -exact_artifact_path="$kept" "$artifact" >"$artifact.log" 2>&1 || true
    [ -e "$kept" ] || cp "$artifact" "$kept"
    echo "FINDING $target: $kept (stack: $artifact.log)"
}

# Processor seconds, of user and system, in the last line of bash's `times`: "0m1.234s 0m0.056s".
seconds_in() {
    tail -1 "$1" | awk '{ for (i = 1; i <= 2; ++i) { split($i, part, /[ms]/); sum += part[1] * 60 + part[2] } printf "%d\n", sum }'
}

# In rounds: libFuzzer's own limit is one of the clock.
run_target() {
    local target=$1 seconds=$2 status=0 used=0 executions=0
    local corpus=build/fuzz/corpus/$target findings=build/fuzz/findings/$target log=build/fuzz/$target.log
    mkdir -p "$corpus" "$findings"
    rm -f "$findings"/*
    local options=("${limits[@]}" -max_len="$(longest_input "$target")" -print_final_stats=1)
    dictionary=tests/fuzz/${target/log_text/log_line}.dict
    [ ! -e "$dictionary" ] || options+=("-dict=$dictionary")
    while [ "$status" -eq 0 ] && [ "$used" -lt "$seconds" ]; do
        # The library writes nothing, so what the target writes is libFuzzer's.
        build/fuzz/tests/fuzz/opdebug_fuzz_"$target" "${options[@]}" -max_total_time=$((seconds - used)) \
            -artifact_prefix="$findings/" "$corpus" "testdata/fuzz/$target" >"$log" 2>&1 || status=$?
        executions=$((executions + $(awk '/number_of_executed_units/ {print $2}' "$log")))
        times >"$log.times" # a subshell would report its own children
        used=$(seconds_in "$log.times")
    done
    echo "$target: $used processor seconds, $executions executions," \
        "$(grep -o 'cov: [0-9]*' "$log" | tail -1), $(grep -o 'ft: [0-9]*' "$log" | tail -1), status $status ($log)"
    for artifact in "$findings"/*; do
        [ ! -e "$artifact" ] || keep_finding "$target" "$artifact"
    done
    return "$status"
}

# bash reads a script while it runs: only a function may be edited meanwhile.
main() {
    [ $# -ge 1 ] || usage
    if [ ! -e build/fuzz/build.ninja ]; then
        cmake --preset fuzz
    fi
    [ $# -eq 2 ] || usage
    if [ "$1" = all ]; then
        mapfile -t chosen < <(targets)
        cmake --build --preset fuzz --target "${chosen[@]/#/opdebug_fuzz_}"
        printf '%s\n' "${chosen[@]}" | BUILT=yes xargs -P "${JOBS:-1}" -I{} tests/fuzz/run.sh {} "$2"
    else
        targets | grep -qx -- "$1" || usage
        [ "${BUILT:-no}" = yes ] || cmake --build --preset fuzz --target "opdebug_fuzz_$1"
        run_target "$1" "$2"
    fi
}

main "$@"
exit
