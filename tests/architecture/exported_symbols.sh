#!/bin/sh
# What a shared library gives to programs: the documented interface and nothing else. exported_symbols.sh LIBRARY ALLOWED
# ALLOWED: a pattern (grep -E) for the names as they are in the source.
set -eu

library=$1
allowed=$2

symbols=$(nm -DC --defined-only "$library" | sed 's|^[0-9a-f]* . ||; s|@@.*||')
[ -n "$symbols" ] || {
    echo "$library exports nothing"
    exit 1
}
if printf '%s\n' "$symbols" | grep -vE "$allowed"; then
    echo "the symbols above are not part of the interface"
    exit 1
fi
