#!/bin/sh
# Runs in the clean root (../clean_root.sh): installs the packages one after the other and uses what each of them brings.
set -eu

dump=/testdata/demo/20261012093000/0/bert_train/3/12/Opdebug.Node_OpDebug.118.21.1791769287318452
logs=/testdata/demo/logs
operator=bert/encoder/layer_3/attention/softmax/Exp
cd /test || exit 1

step() {
    echo "--- $*"
}
fail() {
    echo "FAILED: $*" >&2
    exit 1
}
expect_file() {
    for file in "$@"; do
        [ -s "$file" ] || fail "$file is not there"
    done
}
install() {
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o APT::Keep-Downloaded-Packages=true \
        -o Dpkg::Use-Pty=0 "$@" >/test/apt.log 2>&1 || { cat /test/apt.log >&2; fail "apt-get install $*"; }
}

# Debian's containers leave documents and manual pages out; here they are looked for.
rm -f /etc/dpkg/dpkg.cfg.d/docker /etc/apt/apt.conf.d/docker-clean
apt-get update -qq
find / -xdev \( -path /proc -o -path /dev -o -path /packages -o -path /test -o -path /testdata \) -prune -o -iname '*opdebug*' -print >before

step "opdebug, with nothing else of the project"
install /packages/opdebug_*.deb
opdebug --version
opdebug decode --logs "$logs" "$dump" >from_tool.json
grep -q "\"$operator\"" from_tool.json || fail "decode names another operator"
opdebug scan --format text --logs "$logs" /testdata/demo >scan.txt
grep -q "$operator" scan.txt || fail "scan names another operator"
expect_file /usr/share/opdebug/schema/record.schema.json /usr/share/doc/opdebug/copyright /usr/share/doc/opdebug/changelog.gz
expect_file /usr/share/doc/opdebug/NOTICE /usr/share/doc/opdebug/opdebug.spdx.json
expect_file /usr/share/man/man1/opdebug.1.gz /usr/share/bash-completion/completions/opdebug

step "libopdebug0 and libopdebug-dev: programs in C++ and C, by CMake and by pkg-config"
install /packages/libopdebug0_*.deb /packages/libopdebug-dev_*.deb g++ cmake make pkg-config
for way in cmake pkg-config; do
    mkdir "$way"
    case $way in
        cmake)
            cmake -S programs -B cmake -DCMAKE_BUILD_TYPE=Release >cmake.log || fail "cmake: $(cat cmake.log)"
            cmake --build cmake >cmake.log 2>&1 || fail "cmake: $(cat cmake.log)"
            ;;
        pkg-config)
            # The flags are words.
            # shellcheck disable=SC2046
            c++ -std=c++17 programs/decode.cpp -o pkg-config/decode_cpp $(pkg-config --cflags --libs opdebug)
            # shellcheck disable=SC2046
            cc -std=c99 -pedantic -Wall -Werror programs/decode.c -o pkg-config/decode_c $(pkg-config --cflags --libs opdebug)
            ;;
    esac
    for program in decode_cpp decode_c; do
        "$way/$program" "$dump" >"$way/$program.json"
        ldd "$way/$program" | grep -q "libopdebug.so.0 => /lib/" || fail "$program is linked with another library"
    done
done
# The tool prints one document for people to read, and several as a line each, which is how the C interface gives it.
opdebug decode "$dump" >document.json
opdebug decode "$dump" "$dump" | head -n 1 >line.json
for way in cmake pkg-config; do
    cmp "$way/decode_cpp.json" document.json || fail "the C++ program ($way) does not say what the tool says"
    cmp "$way/decode_c.json" line.json || fail "the C program ($way) does not say what the tool says"
done

step "python3-opdebug"
install /packages/python3-opdebug_*.deb
python3 programs/decode.py "$dump" "$logs" "$operator"

step "purge"
DEBIAN_FRONTEND=noninteractive apt-get purge -y -qq opdebug libopdebug0 libopdebug-dev python3-opdebug >apt.log 2>&1 || { cat apt.log >&2; fail "purge"; }
find / -xdev \( -path /proc -o -path /dev -o -path /packages -o -path /test -o -path /testdata \) -prune -o -iname '*opdebug*' -print >after
diff before after || fail "something is left behind"
ldconfig -p | grep -q opdebug && fail "the list of shared objects still names the library"
echo "everything was used and purged"
