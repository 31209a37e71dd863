#!/usr/bin/env bash
# Puts the wheels of tools/wheel.sh to use. One for this machine's processor: pip installs it into a clean environment of
# Python 3.8 if there is one, and the tests of the module pass with it. Every one: it works in Debian 11, whose C library is
# older than the build machine's (2.31); the one for 64-bit Arm runs by qemu.
# The programs of Debian 11 are kept in build/old_glibc; remove it to load them again.
# Usage: tests/packages/wheel.sh [FILE...]     (build/one-file*/*.whl unless given)
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

files=("$@")
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(compgen -G 'build/one-file*/*.whl')
[ ${#files[@]} -gt 0 ] || fail "no wheel in build/one-file or build/one-file-aarch64: run tools/wheel.sh"

dump=$PWD/testdata/demo/20261012093000/0/bert_train/3/12/Opdebug.Node_OpDebug.118.21.1791769287318452
logs=$PWD/testdata/demo/logs
operator=bert/encoder/layer_3/attention/softmax/Exp
use=$PWD/tests/packages/inside/programs/decode.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The module and the program of an environment of Python give the same document.
in_environment() {
    local python=$1 file=$2
    "$python" -m venv "$work/clean"
    "$work/clean/bin/pip" --disable-pip-version-check --quiet install --no-index "$file"
    PATH="$work/clean/bin:$PATH" "$work/clean/bin/python" "$use" "$dump" "$logs" "$operator"
    "$work/clean/bin/python" -m opdebug --doctor
    "$work/clean/bin/pip" --disable-pip-version-check --quiet uninstall --yes opdebug
    [ -z "$(find "$work/clean" -name '*opdebug*')" ] || fail "files are left behind: $(find "$work/clean" -name '*opdebug*')"
    rm -r "$work/clean"
}

# The tests of the module, by Debian's Python, which has what they need.
test_module() {
    /usr/bin/python3 -m venv --system-site-packages "$work/tests"
    "$work/tests/bin/pip" --disable-pip-version-check --quiet install --no-index --no-deps "$1"
    OPDEBUG_SOURCE_DIR=$PWD OPDEBUG_TOOL=$work/tests/bin/opdebug PYTHONDONTWRITEBYTECODE=1 \
        "$work/tests/bin/python" -m pytest -q -p no:cacheprovider --rootdir tests/python \
        --ignore tests/python/test_reference_data.py tests/python || fail "tests of the module"
    rm -r "$work/tests"
}

# Runs Python and the program with the C library of Debian 11.
in_debian_11() {
    local file=$1 processor=$2 architecture root mirror run=()
    case $processor in
        x86_64) architecture=amd64 ;;
        aarch64) architecture=arm64 ;;
    esac
    root=$PWD/build/old_glibc/$architecture
    if [ ! -d "$root" ]; then
        command -v mmdebstrap >/dev/null || { echo "SKIPPED: $file in Debian 11: mmdebstrap is not installed"; return; }
        # shellcheck disable=SC2016,SC1091
        mirror=$(. /etc/os-release && apt-get indextargets --format '$(REPO_URI)' "Codename: $VERSION_CODENAME" | sed -n 1p)
        mkdir -p "$root.part"
        echo "+ mmdebstrap --architectures=$architecture bullseye $root"
        mmdebstrap --quiet --variant=extract --architectures="$architecture" --include=python3-minimal,libpython3-stdlib \
            --format=tar bullseye - "$mirror" | tar -x -C "$root.part" --exclude='./dev/*' ||
            { rm -r "$root.part"; echo "SKIPPED: $file in Debian 11: mmdebstrap loads nothing"; return; }
        mv "$root.part" "$root"
    fi
    # pip looks at the tag as on that machine.
    /usr/bin/python3 -m pip --disable-pip-version-check --quiet install --root-user-action=ignore --no-index --no-deps --only-binary=:all: \
        --platform "manylinux_2_28_$processor" --target "$work/$processor" "$file"
    [ "$processor" = "$(uname -m)" ] || run=("qemu-$processor-static")
    mkdir "$work/programs"
    printf '#!/bin/sh\nexec %s "$@"\n' "${run[*]} $work/$processor/bin/opdebug" >"$work/programs/opdebug"
    chmod +x "$work/programs/opdebug"
    run+=("$root/lib/$processor-linux-gnu/ld-2.31.so" --library-path "$root/lib/$processor-linux-gnu:$root/usr/lib/$processor-linux-gnu"
        "$root/usr/bin/python3.9")
    export PYTHONHOME=$root/usr PYTHONPATH=$work/$processor PYTHONDONTWRITEBYTECODE=1
    PATH="$work/programs:$PATH" "${run[@]}" "$use" "$dump" "$logs" "$operator"
    PATH="$work/programs:$PATH" "${run[@]}" -m opdebug --doctor
    unset PYTHONHOME PYTHONPATH PYTHONDONTWRITEBYTECODE
    rm -r "$work/programs"
}

oldest=/usr/bin/python3
for folder in ${PATH//:/ } "$HOME"/.pyenv/versions/3.8.*/bin; do
    "$folder/python3.8" -c 'import venv' 2>/dev/null && oldest=$folder/python3.8 && break
done
for file in "${files[@]}"; do
    processor=${file##*manylinux_2_28_}
    processor=${processor%.whl}
    if [ "$processor" = "$(uname -m)" ]; then
        in_environment "$oldest" "$file"
        test_module "$file"
    fi
    in_debian_11 "$file" "$processor"
    echo "$file: used"
done
echo "wheel: ${#files[@]} passed"
