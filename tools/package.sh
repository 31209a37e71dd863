#!/usr/bin/env bash
# Builds the Debian packages into build/package. Works from any directory; the same sources give the same packages.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

run() {
    echo "+ $*"
    "$@"
}

# shellcheck source=tools/source-date.sh
. tools/source-date.sh

run tools/install-packages.sh build package
run cmake --preset package
run cmake --build --preset package --parallel "$(nproc)"
rm -f build/package/*.deb
run cpack --config build/package/CPackConfig.cmake
ls -l build/package/*.deb
