#!/bin/sh
# Checks one rule of the source tree: check.sh RULE ROOT. Prints each violation; status 1 when there is one.
set -eu

rule=$1
root=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

# The include lines of the sources below the given folders.
includes() {
    for folder; do
        shift
        [ ! -d "$root/$folder" ] || set -- "$@" "$root/$folder"
    done
    [ $# -gt 0 ] || return 0
    find "$@" -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.h' \) \
        -exec awk -v rule="$rule" -v root="$root" -f "$here/includes.awk" "$here/floors.txt" {} +
}

# Top-level folders are exactly lib, tools, testdata, tests, docs (build/ holds what is built and is not committed).
top_level() {
    failed=0
    for path in "$root"/*; do
        case ${path##*/} in
        lib | tools | testdata | tests | docs | build) ;;
        CMakeLists.txt | CMakePresets.json | README*.md | CHANGELOG.md | LICENSE | NOTICE | CONTRIBUTING.md | SECURITY.md) ;;
        *)
            echo "${path##*/}: does not belong at the top level"
            failed=1
            ;;
        esac
    done
    return $failed
}

# Committed files speak of the project alone, not of the machine or the way it was written in. The brackets keep this file
# from being found.
own_words() {
    foreign='[.][.]/share[d]|(^|[^[:alnum:]_.~-])/wor[k]/|s[u]bagent|bash[_]jobs|[.]l[i]brary'
    set --
    for path in lib tools tests docs testdata CMakeLists.txt CMakePresets.json CHANGELOG.md CONTRIBUTING.md; do
        [ -e "$root/$path" ] && set -- "$@" "$root/$path"
    done
    for path in "$root"/README*.md; do
        [ -e "$path" ] && set -- "$@" "$path"
    done
    status=0
    grep -rnIE "$foreign" "$@" || status=$?
    [ $status = 1 ] # 1: nothing found; 0: found; 2: grep failed
}

# No program is started, so nothing from a file can become a part of its command line. Only what the user gives to
# 'watch --exec' is, in one file, which puts nothing from a file into it.
no_programs() {
    starts='(^|[^[:alnum:]_.>])(system|popen|fork|vfork|posix_spawnp?|exec[lv]p?e?|execvpe|wordexp|dlopen)[[:space:]]*[(]|os[.](system|popen|exec|spawn)|subprocess'
    set --
    for path in lib/src lib/include lib/python tools/opdebug; do
        [ -e "$root/$path" ] && set -- "$@" "$root/$path"
    done
    status=0
    grep -rnIE --exclude=started_command.cpp "$starts" "$@" || status=$?
    [ $status = 1 ] # 1: nothing found; 0: found; 2: grep failed
}

# Headers with a single user and very short files do not become more.
slivers() {
    find "$root/lib/src" "$root/tools/opdebug" -type f \( -name '*.cpp' -o -name '*.hpp' \) \
        -exec awk -v root="$root" -f "$here/slivers.awk" "$here/slivers.txt" {} +
}

case $rule in
stages) includes lib/src lib/include ;;
public_headers) includes lib/include ;;
tool) includes tools/opdebug ;;
top_level) top_level ;;
own_words) own_words ;;
no_programs) no_programs ;;
slivers) slivers ;;
*)
    echo "unknown rule '$rule'" >&2
    exit 2
    ;;
esac
