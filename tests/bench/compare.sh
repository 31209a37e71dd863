#!/usr/bin/env bash
# opdebug next to what users have today: tests/bench/compare.sh [--dumps N] [--log-megabytes N] [JOB...], --help names all.
# A quick look: tests/bench/compare.sh --dumps 2000 --log-megabytes 80 --files 1000 --rounds 1
# Builds the preset release. The inputs (4 GB by default, most of it the tree of 200,000 dumps and its report) stay in build/bench for the next time.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."

tools/install-packages.sh build test bench >&2
cmake --preset release -DOPDEBUG_BUILD_BENCHMARKS=ON >/dev/null
cmake --build --preset release --parallel "$(nproc)" \
    --target opdebug_tool opdebug_make_benchmark_inputs opdebug_tensor_benchmark >/dev/null
exec python3 tests/bench/compare.py --build build/release "$@"
