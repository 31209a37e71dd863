#!/usr/bin/env bash
# Builds everything and runs all tests. Works from any directory; what is missing of the Debian packages is installed.
# Usage: tools/test.sh [--long]     (with the tests that take some minutes each)
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

run() {
    echo "+ $*"
    "$@"
}

long=OFF
case ${1-} in
    --long) long=ON ;;
    "") ;;
    *)
        echo "usage: $0 [--long]" >&2
        exit 2
        ;;
esac

run tools/install-packages.sh build test
run cmake --preset release -DOPDEBUG_LONG_TESTS=$long -DOPDEBUG_PRECOMPILED_HEADERS=ON
run cmake --build --preset release --parallel "$(nproc)"
run ctest --preset release
