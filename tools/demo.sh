#!/usr/bin/env bash
# Builds the tool and shows its main job on the data in testdata/. Works from any directory.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

run() {
    echo "+ $*"
    "$@"
}

run tools/install-packages.sh build
# The tool alone needs no test packages. A folder that is configured already (tools/test.sh) stays as it is.
[ -f build/release/build.ninja ] || run cmake --preset release -DOPDEBUG_BUILD_TESTS=OFF
run cmake --build --preset release --target opdebug_tool --parallel "$(nproc)"
run build/release/tools/opdebug/opdebug decode --format text --logs testdata/demo/logs \
    testdata/demo/20261012093000/0/bert_train/3/12/Opdebug.Node_OpDebug.118.21.1791769287318452
