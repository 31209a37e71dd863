#!/usr/bin/env bash
# Builds the Python wheel: the program and the module of tools/one-file.sh in one file for pip. Works from any directory; the
# same commit gives the same bytes.
# Usage: tools/wheel.sh [x86_64|aarch64]     (for this machine's processor unless given)
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

processor=${1:-$(uname -m)}
folder=build/one-file
[ "$processor" = "$(uname -m)" ] || folder+=-$processor

# shellcheck source=tools/source-date.sh
. tools/source-date.sh
tools/one-file.sh "$processor"
rm -f "$folder"/*.whl
python3 tools/python/make_wheel.py "$processor" "$folder"
