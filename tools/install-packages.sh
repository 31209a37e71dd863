#!/usr/bin/env bash
# Installs the Debian packages of the given groups (tools/packages.txt) that are not installed yet.
# Usage: tools/install-packages.sh GROUP...
set -euo pipefail

list="$(dirname "${BASH_SOURCE[0]}")/packages.txt"
[ $# -gt 0 ] || { echo "usage: $0 GROUP...   (groups: $(awk '!/^#/ && NF {print $1}' "$list" | sort -u | xargs))" >&2; exit 2; }

wanted=()
for group in "$@"; do
    mapfile -t packages < <(awk -v group="$group" '$1 == group {print $2}' "$list")
    [ ${#packages[@]} -gt 0 ] || { echo "$0: no group '$group' in $list" >&2; exit 2; }
    wanted+=("${packages[@]}")
done

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "This is not a Debian system; going on with what is installed. Needed (Debian names): ${wanted[*]}" >&2
    exit 0
fi

# One line "PACKAGE:ARCHITECTURE STATUS" for each package that dpkg knows. The fields are dpkg-query's, not the shell's.
# shellcheck disable=SC2016
known=$(dpkg-query -W -f='${Package}:${Architecture} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null || true)
native=$(dpkg --print-architecture)
is_installed() {
    local name
    for name in "$1" "$1:$native" "$1:all"; do
        [[ $'\n'"$known"$'\n' != *$'\n'"$name installed"$'\n'* ]] || return 0
    done
    return 1
}
missing=()
foreign=()
for package in "${wanted[@]}"; do
    is_installed "$package" && continue
    missing+=("$package")
    [[ $package != *:* ]] || foreign+=("${package#*:}")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
        echo "Missing packages, and neither root nor sudo to install them. Run as root: apt-get install ${missing[*]}" >&2
        exit 1
    }
    as_root=(sudo)
fi

# Packages of another architecture (PACKAGE:ARCHITECTURE) are found once dpkg knows of it.
for architecture in $(printf '%s\n' "${foreign[@]}" | sort -u); do
    [[ $'\n'"$native"$'\n'"$(dpkg --print-foreign-architectures)"$'\n' == *$'\n'"$architecture"$'\n'* ]] && continue
    echo "+ dpkg --add-architecture $architecture"
    "${as_root[@]}" dpkg --add-architecture "$architecture"
done

echo "+ apt-get install ${missing[*]}"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
