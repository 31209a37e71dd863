#!/usr/bin/env bash
# Builds the one file, the wheel and the RPM again in another folder, without the compiler cache.
# Compares them with those of tools/wheel.sh and tools/rpm.sh. Takes as long as the build.
# Usage: tests/packages/reproducible.sh [x86_64|aarch64]     (for this machine's processor unless given)
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."

processor=${1:-$(uname -m)}
folder=build/one-file
[ "$processor" = "$(uname -m)" ] || folder+=-$processor
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git archive --prefix=elsewhere/ HEAD | tar -x -C "$work"
# shellcheck source=tools/source-date.sh
. tools/source-date.sh
export CCACHE_DISABLE=1
"$work/elsewhere/tools/wheel.sh" "$processor"
"$work/elsewhere/tools/rpm.sh" "$processor"
for file in "$folder"/opdebug-* "$folder"/NOTICE "$folder"/opdebug.spdx.json; do
    cmp "$file" "$work/elsewhere/$file"
    echo "$file: the same bytes"
done
