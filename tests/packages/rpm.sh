#!/usr/bin/env bash
# Installs the RPMs of tools/rpm.sh into a folder, uses the program there and removes it. The package for 64-bit Arm is used by
# qemu on other machines.
# Usage: tests/packages/rpm.sh [FILE...]     (build/one-file*/*.rpm unless given)
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

files=("$@")
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(compgen -G 'build/one-file*/*.rpm')
[ ${#files[@]} -gt 0 ] || fail "no package in build/one-file or build/one-file-aarch64: run tools/rpm.sh"
[ "$(id -u)" -eq 0 ] || { echo "SKIPPED: rpm installs as root only"; exit 0; }

version=$(sed -n 's/^project(opdebug VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
dump=testdata/demo/20261012093000/0/bert_train/3/12/Opdebug.Node_OpDebug.118.21.1791769287318452
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

for file in "${files[@]}"; do
    ! rpm -qpR "$file" | grep -qv '^rpmlib(' || fail "$file needs other packages: $(rpm -qpR "$file")"
    run=()
    processor=$(rpm -qp --queryformat '%{ARCH}' "$file")
    [ "$processor" = "$(uname -m)" ] || run=("qemu-$processor-static")
    # The database of packages is in the folder, too. Debian's rpm requires --force-debian.
    rpm --root "$root" --dbpath /database --force-debian --ignorearch --install "$file"
    program=("${run[@]}" "$root/usr/bin/opdebug")
    [[ "$("${program[@]}" --version)" = "opdebug $version"* ]] || fail "$file: another version"
    "${program[@]}" decode --logs testdata/demo/logs "$dump" >"$root/decode.json"
    grep -qF '"name": "bert/encoder/layer_3/attention/softmax/Exp"' "$root/decode.json" || fail "$file: another answer"
    for path in share/licenses/opdebug/NOTICE share/doc/opdebug/opdebug.spdx.json share/man/man1/opdebug.1 \
        share/bash-completion/completions/opdebug share/opdebug/schema/record.schema.json; do
        [ -s "$root/usr/$path" ] || fail "$file lacks $path"
    done
    rpm --root "$root" --dbpath /database --force-debian --erase opdebug
    [ -z "$(find "$root/usr" -name '*opdebug*')" ] || fail "$file leaves files behind"
    echo "$file: used"
done
echo "rpm: ${#files[@]} passed"
