# What the project uses (Debian names: tools/packages.txt). Found at the top level, so that every folder sees the targets.

find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS regex)
find_package(fmt REQUIRED)
set(OPDEBUG_FMT fmt::fmt)
find_package(ZLIB REQUIRED)
find_package(zstd REQUIRED)
# Packages of libzstd have one of the two targets or both.
set(OPDEBUG_ZSTD "$<IF:$<TARGET_EXISTS:zstd::libzstd_shared>,zstd::libzstd_shared,zstd::libzstd_static>")
if(OPDEBUG_ONE_FILE)
    set(OPDEBUG_FMT "$<BUILD_INTERFACE:opdebug_fmt>")
    set(OPDEBUG_ZSTD zstd::libzstd_static)
endif()
find_package(nlohmann_json 3.11 REQUIRED)
if(OPDEBUG_BUILD_TESTS)
    find_package(doctest REQUIRED)
    find_path(OPDEBUG_RAPIDJSON_INCLUDE_DIR rapidjson/schema.h REQUIRED)
endif()
