#!/usr/bin/env bash
# Builds the tool and shows its main job on the data in testdata/. Works from any directory.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

run() {
    echo "+ $*"
    "$@"
}

run tools/install-packages.sh build
# A build folder of its own, not optimised: the first answer comes soon. The release is built by tools/test.sh.
run cmake --preset demo
run cmake --build --preset demo --target opdebug_tool --parallel "$(nproc)"
run build/demo/tools/opdebug/opdebug decode --format text --logs testdata/demo/logs \
    testdata/demo/20261012093000/0/bert_train/3/12/Opdebug.Node_OpDebug.118.21.1791769287318452
