#!/usr/bin/env bash
# Builds the RPM of the static program (tools/one-file.sh) for openEuler, Kylin and others. Works from any directory; the same
# commit gives the same bytes.
# Usage: tools/rpm.sh [x86_64|aarch64]     (for this machine's processor unless given)
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

run() {
    echo "+ $*"
    "$@"
}

processor=${1:-$(uname -m)}
folder=$PWD/build/one-file
[ "$processor" = "$(uname -m)" ] || folder+=-$processor

# shellcheck source=tools/source-date.sh
. tools/source-date.sh
run tools/install-packages.sh package
run tools/one-file.sh "$processor"

# What the package installs. The linker kept the names of functions, which only the copy is without.
tree=$folder/rpm/tree
rm -rf "$folder/rpm" "$folder"/*.rpm
run cmake --install "$folder" --component tool --prefix "$tree/usr" >/dev/null
cp "$folder/opdebug-$processor" "$tree/usr/bin/opdebug"
mkdir -p "$tree/usr/share/licenses/opdebug" "$tree/usr/share/doc/opdebug"
cp LICENSE "$folder/NOTICE" "$tree/usr/share/licenses/opdebug/"
cp CHANGELOG.md "$folder/opdebug.spdx.json" "$tree/usr/share/doc/opdebug/"
find "$tree" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

version=$(sed -n 's/^project(opdebug VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
run rpmbuild --quiet -bb --target "$processor-linux" --define "_topdir $folder/rpm" --define "_dbpath $folder/rpm/database" \
    --define "version $version" --define "tree $tree" --define "_buildhost localhost" --define "_rpmdir $folder" \
    --define "_build_name_fmt %%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm" \
    --define "use_source_date_epoch_as_buildtime 1" --define "clamp_mtime_to_source_date_epoch 1" tools/rpm/opdebug.spec
ls -l "$folder"/*.rpm
