#!/bin/bash -eu
# Puts the fuzz targets, their seeds and dictionaries into $OUT. ClusterFuzzLite sets CC, CXX, CXXFLAGS, SRC, WORK and OUT.
# Arguments go to cmake.

# Ubuntu's libraries are made for libstdc++. The targets find their copies in $OUT/lib, also those that a library needs (RPATH).
cmake -S "$SRC/opdebug" -B "$WORK/build" -G Ninja -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_CXX_FLAGS="${CXXFLAGS//-stdlib=libc++/}" \
    -DCMAKE_BUILD_RPATH="\$ORIGIN/lib" -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags \
    -DOPDEBUG_BUILD_FUZZERS=ON -DOPDEBUG_BUILD_PYTHON=OFF -DOPDEBUG_BUILD_TOOL=OFF "$@"
mapfile -t subjects < <(sed -n 's/^set(subjects \(.*\))$/\1/p' "$SRC/opdebug/tests/fuzz/CMakeLists.txt" | tr ' ' '\n')
cmake --build "$WORK/build" --target "${subjects[@]/#/opdebug_fuzz_}"

mkdir -p "$OUT/lib"
for subject in "${subjects[@]}"; do
    cp "$WORK/build/tests/fuzz/opdebug_fuzz_$subject" "$OUT/"
    (cd "$SRC/opdebug/testdata/fuzz/$subject" && zip -qr "$OUT/opdebug_fuzz_${subject}_seed_corpus.zip" .)
    dictionary=$SRC/opdebug/tests/fuzz/${subject/log_text/log_line}.dict
    [ ! -e "$dictionary" ] || cp "$dictionary" "$OUT/opdebug_fuzz_$subject.dict"
done
ldd "${subjects[@]/#/$OUT/opdebug_fuzz_}" | awk '/lib(boost_regex|fmt|icu.*|stdc\+\+|gcc_s|zstd|z)\.so/ {print $3}' |
    sort -u | xargs -r cp -t "$OUT/lib"
