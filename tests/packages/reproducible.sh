#!/usr/bin/env bash
# Builds the one file a second time, in another folder and without the compiler cache, and compares it with that of
# tools/one-file.sh. Takes as long as the build.
# Usage: tests/packages/reproducible.sh [x86_64|aarch64]     (for this machine's processor unless told)
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
CCACHE_DISABLE=1 "$work/elsewhere/tools/one-file.sh" "$processor"
for file in "opdebug-$processor" python/opdebug/_native.so NOTICE opdebug.spdx.json; do
    cmp "$folder/$file" "$work/elsewhere/$folder/$file"
done
echo "reproducible: 4 passed"
