#!/usr/bin/env bash
# Builds the tool as one file that needs only Linux on the machine it is copied to. Builds the Python module as a folder
# that needs Python and glibc 2.28 or newer. Adds their licenses (NOTICE) and the list of components (SPDX).
# Works from any directory; tools/wheel.sh and tools/rpm.sh pack what it builds.
# Usage: tools/one-file.sh [x86_64|aarch64]     (for this machine's processor unless given)
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

run() {
    echo "+ $*"
    "$@"
}

machine=$(uname -m)
processor=${1:-$machine}
strip="strip"
case $processor in
    "$machine")
        preset=one-file
        run tools/install-packages.sh build one-file
        ;;
    aarch64)
        preset=one-file-aarch64
        strip=aarch64-linux-gnu-strip
        run tools/install-packages.sh build one-file aarch64
        ;;
    *)
        echo "$0: built here for $machine and aarch64, not for '$processor'" >&2
        exit 2
        ;;
esac

# shellcheck source=tools/source-date.sh
. tools/source-date.sh
run cmake --preset "$preset"
run cmake --build --preset "$preset" --parallel "$(nproc)"
file="build/$preset/opdebug-$processor"
run "$strip" -o "$file" "build/$preset/tools/opdebug/opdebug"
module="build/$preset/python/opdebug"
"$strip" "$module/_native.so"
run tools/licenses/licenses.py program "$processor" "build/$preset"
echo "$module: the Python module, $(du -sb "$module" | cut -f1) bytes. Copy the folder to where Python looks."
echo "$file: $(stat -c %s "$file") bytes. Copy it as opdebug to any Linux machine with this processor."
