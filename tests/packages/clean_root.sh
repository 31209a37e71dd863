#!/usr/bin/env bash
# Installs the packages of build/package (tools/package.sh) with apt into a fresh Debian that has only them and their
# dependencies. Uses each of them there and purges them. Needs root, mmdebstrap and apt's sources of this machine.
# The fresh Debian and the archives that apt loads are kept in build/clean_root; remove it to begin again.
# Usage: tests/packages/clean_root.sh
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cd "$here/../.."
packages=build/package
kept=build/clean_root

skip() {
    echo "SKIPPED: $*"
    exit 0
}
fail() {
    echo "FAILED: $*" >&2
    exit 1
}

compgen -G "$packages/*.deb" >/dev/null || fail "no packages in $packages: run tools/package.sh"
[ "$(id -u)" -eq 0 ] || skip "a clean root is made by root only"
command -v mmdebstrap >/dev/null || skip "mmdebstrap is not installed (tools/install-packages.sh package)"
unshare --mount --pid --fork true 2>/dev/null || skip "this system allows no mount namespaces"

# The release and the mirrors that this machine uses for Debian itself.
# The fields are apt's, not the shell's.
# shellcheck disable=SC2016
sources=$(apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' \
          "Architecture: $(dpkg --print-architecture)" | sort -u)
[ -n "$sources" ] || skip "apt has no sources of Debian here"
# shellcheck source=/dev/null
. /etc/os-release

mkdir -p "$kept/archives/partial"
if [ ! -f "$kept/root.tar" ]; then
    echo "+ mmdebstrap --variant=minbase $VERSION_CODENAME $kept/root.tar"
    mmdebstrap --quiet --format=tar --variant=minbase "$VERSION_CODENAME" "$kept/root.tar.part" - <<<"$sources" ||
        skip "mmdebstrap made no root"
    mv "$kept/root.tar.part" "$kept/root.tar"
fi

root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root"' EXIT
tar -xf "$kept/root.tar" -C "$root" --exclude='./dev/*'
mkdir -p "$root/packages" "$root/testdata" "$root/test" "$root/var/cache/apt/archives"
cp "$packages"/*.deb "$root/packages/"
cp -r testdata/demo "$root/testdata/"
cp -r "$here/inside/." "$root/test/"
cp /etc/resolv.conf "$root/etc/resolv.conf"

# The mounts end with the namespace. The arguments are the inner shell's.
# shellcheck disable=SC2016
unshare --mount --pid --fork --kill-child sh -euc '
    mount -t proc proc "$0/proc"
    mount --rbind /dev "$0/dev"
    mount --bind "$1" "$0/var/cache/apt/archives"
    exec chroot "$0" /usr/bin/env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin /test/use_packages.sh
' "$root" "$PWD/$kept/archives"
echo "clean_root: passed"
