# What the project uses (Debian names: tools/packages.txt). Found at the top level, so that every folder sees the targets.

find_package(Threads REQUIRED)
set(components iostreams regex)
if(OPDEBUG_BUILD_TOOL)
    list(APPEND components program_options)
endif()
find_package(Boost 1.74 REQUIRED COMPONENTS ${components})
find_package(fmt REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_path(OPDEBUG_PROTOZERO_INCLUDE_DIR protozero/pbf_reader.hpp REQUIRED)
if(OPDEBUG_BUILD_TESTS)
    find_package(doctest REQUIRED)
endif()
