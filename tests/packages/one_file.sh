#!/usr/bin/env bash
# Puts the tool that carries its libraries (tools/one-file.sh) to use: it needs no library, and the files for both processors give the
# same bytes. The one for 64-bit Arm is run by qemu on other machines.
# Usage: tests/packages/one_file.sh [FILE...]     (build/one-file*/opdebug-* unless given)
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

files=("$@")
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(compgen -G 'build/one-file*/opdebug-*64')
[ ${#files[@]} -gt 0 ] || fail "no file in build/one-file or build/one-file-aarch64: run tools/one-file.sh"

version=$(sed -n 's/^project(opdebug VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
demo=testdata/demo
dump=$demo/20261012093000/0/bert_train/3/12/Opdebug.Node_OpDebug.118.21.1791769287318452
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The demonstration's logs, compressed: debug as .gz, run as .zst.
mkdir "$work/logs"
cp -r "$demo/logs/." "$work/logs/"
find "$work/logs/debug" -type f -exec gzip -n {} +
find "$work/logs/run" -type f -exec zstd --quiet --rm {} +

# What the answers are held against is in testdata/README.md and in the dump itself.
expect() {
    grep -qF -- "$2" "$1" || fail "$1 does not hold: $2"
}

use() {
    local file=$1 results=$2 run=()
    if readelf -h "$file" | grep -q AArch64 && [ "$(uname -m)" != aarch64 ]; then
        run=(qemu-aarch64-static)
    fi
    run+=("$file")
    mkdir "$results"
    [[ "$("${run[@]}" --version)" = "opdebug $version"* ]] || fail "$file does not tell version $version"
    "${run[@]}" decode --logs "$demo/logs" "$dump" >"$results/decode.json"
    expect "$results/decode.json" '"name": "bert/encoder/layer_3/attention/softmax/Exp"'
    expect "$results/decode.json" '"ai_core.fp16_conversion_overflow"'
    # Compressed logs are the same logs.
    "${run[@]}" scan --format json --logs "$work/logs" -- "$demo/20261012093000" >"$results/scan.json"
    expect "$results/scan.json" '"bert/encoder/layer_3/attention/softmax/Exp"'
    expect "$results/scan.json" '"bert_train"'
    "${run[@]}" index "$work/logs" -o "$results/tasks.map"
    "${run[@]}" decode --logs "$results/tasks.map" "$dump" | sed "s|$results|RESULTS|g" >"$results/decode-by-map.json"
    expect "$results/decode-by-map.json" '"name": "bert/encoder/layer_3/attention/softmax/Exp"'
    "${run[@]}" tensors --npy "$results/arrays" "$dump" >"$results/tensors.json"
    expect "$results/tensors.json" '"elements": 2048'
    "${run[@]}" overflow -d "$demo/20261012093000" -out "$results/overflow" >"$results/overflow.txt"
    "${run[@]}" convert -d "$dump" -out "$results/converted" >"$results/convert.txt"
    # A local time zone, which is read from the system's files; an error, which is thrown and caught inside.
    TZ=Asia/Shanghai "${run[@]}" decode --lang zh --format text --logs "$demo/logs" "$dump" >"$results/decode.txt"
    expect "$results/decode.txt" "溢出"
    if "${run[@]}" decode --log-formats CMakeLists.txt --logs "$demo/logs" "$dump" >"$results/damaged.txt" 2>&1; then
        fail "$file takes a file for log formats that is none"
    fi
}

number=0
for file in "${files[@]}"; do
    needed=$(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^(libc|libm|ld-linux.*)\.so\.[0-9]+$' || true)
    [ -z "$needed" ] || fail "$file needs $needed"
    # Where it was built is not in it: every folder gives the same bytes.
    ! grep -qF "$PWD" "$file" || fail "$file contains the name of the folder where it was built"
    number=$((number + 1))
    use "$file" "$work/$number" 2>"$work/messages" || { cat "$work/messages" >&2; exit 1; }
    echo "$file: used"
done
# The Python module next to a file for this machine's processor.
for file in "${files[@]}"; do
    module="$(dirname "$file")/python"
    [ -f "$module/opdebug/_native.so" ] || continue
    needed=$(readelf -d "$module/opdebug/_native.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^(libc|libm|libpthread|ld-linux.*)\.so\.[0-9]+$' || true)
    [ -z "$needed" ] || fail "$module needs $needed"
    [ "$(readelf -h "$module/opdebug/_native.so" | grep Machine)" = "$(readelf -h /proc/self/exe | grep Machine)" ] || continue
    cp -r "$module" "$work/copied"
    PYTHONPATH="$work/copied" /usr/bin/python3 -c '
import json, sys, opdebug
assert opdebug.decode(sys.argv[1], logs=sys.argv[2]) == json.load(open(sys.argv[3])), "another document"
' "$dump" "$demo/logs" "$work/1/decode.json" || fail "$module does not give the document of the tool"
    echo "$module: used"
    rm -r "$work/copied"
done
# Names of summaries hold the time; all else is compared.
for ((other = 2; other <= number; other++)); do
    diff -r --exclude='overflow*' "$work/1" "$work/$other" || fail "${files[0]} and ${files[other - 1]} give different results"
    diff <(cat "$work/1"/overflow/*.txt) <(cat "$work/$other"/overflow/*.txt) || fail "the summaries differ"
done
echo "one_file: $number passed"
