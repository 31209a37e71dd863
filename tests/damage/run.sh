#!/usr/bin/env bash
# Puts very many damaged dumps and logs to the tool: tests/damage/run.sh [DUMPS [LOG_MEGABYTES [SEED [LONGEST_LINE]]]]
# Builds the preset release. The inputs (4 KB for each dump) and what is written are below FOLDER (build/damage), which is
# removed when everything holds. Prints the figures; status 1: something does not hold.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."

cmake --preset release >/dev/null
cmake --build --preset release --parallel "$(nproc)" --target opdebug_tool opdebug_make_damaged >/dev/null
exec python3 tests/damage/mass/check.py --tool build/release/tools/opdebug/opdebug \
    --generator build/release/tests/damage/opdebug_make_damaged --folder "${FOLDER:-build/damage}" \
    --dumps "${1:-100000}" --log-megabytes "${2:-1024}" --seed "${3:-1}" --longest-line "${4:-3900}"
