#!/usr/bin/env bash
# Builds the Debian packages into build/package. Works from any directory; the same sources give the same packages.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

run() {
    echo "+ $*"
    "$@"
}

# The time of the packages and of their files: that of the last change.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
    SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)
fi
export SOURCE_DATE_EPOCH

run tools/install-packages.sh build package
run cmake --preset package
run cmake --build --preset package --parallel "$(nproc)"
rm -f build/package/*.deb
run cpack --config build/package/CPackConfig.cmake
ls -l build/package/*.deb
