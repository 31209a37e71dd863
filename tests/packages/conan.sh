#!/usr/bin/env bash
# Builds the library with Conan 2 and the libraries of Debian 12, both as archive and as shared object.
# The test package of the recipe decodes a dump with each of them.
# Usage: tests/packages/conan.sh
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."

command -v conan >/dev/null || { echo "SKIPPED: conan is not installed"; exit 0; }
CONAN_HOME=$(mktemp -d)
export CONAN_HOME
trap 'rm -rf "$CONAN_HOME"' EXIT
conan profile detect
for shared in False True; do
    conan create tools/conan --no-remote --profile:host tools/conan/debian12.profile \
        --options "opdebug/*:shared=$shared" --conf "tools.cmake.cmake_layout:test_folder=$CONAN_HOME/test"
done
echo "conan: 2 passed"
