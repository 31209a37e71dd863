#!/usr/bin/env bash
# Builds what a release consists of and collects it in build/dist with SHA256SUMS. Works from any directory; the same commit
# gives the same bytes.
# Usage: tools/release.sh [x86_64|aarch64]...     (for both unless given)
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

run() {
    echo "+ $*"
    "$@"
}

version=$(sed -n 's/^project(opdebug VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
rm -rf build/dist
mkdir -p build/dist
run tools/package.sh
cp build/package/*.deb build/dist/
processors=("$@")
[ $# -gt 0 ] || mapfile -t processors < <(printf '%s\n' "$(uname -m)" aarch64 | sort -u)
for processor in "${processors[@]}"; do
    folder=build/one-file
    [ "$processor" = "$(uname -m)" ] || folder+=-$processor
    # Both pack the same one file, which is built once.
    run tools/wheel.sh "$processor"
    run tools/rpm.sh "$processor"
    cp "$folder"/*.whl "$folder"/*.rpm build/dist/
    cp "$folder/opdebug-$processor" "build/dist/opdebug-$version-$processor"
    cp "$folder/NOTICE" "build/dist/opdebug-$version-$processor.NOTICE"
    cp "$folder/opdebug.spdx.json" "build/dist/opdebug-$version-$processor.spdx.json"
done
(cd build/dist && sha256sum -- * >../SHA256SUMS && mv ../SHA256SUMS .)
ls -l build/dist
