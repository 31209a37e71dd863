#!/usr/bin/env bash
# Builds everything and runs all tests. Works from any directory; what is missing of the Debian packages is installed.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

run() {
    echo "+ $*"
    "$@"
}

run tools/install-packages.sh build test
run cmake --preset release
run cmake --build --preset release --parallel "$(nproc)"
run ctest --preset release
