# Unity builds (CMAKE_UNITY_BUILD): the sources of a folder are compiled as one unit, because most of the time of a small source goes
# into the same headers. Sources of a folder therefore have distinct file-local names.

# The units of the library and the tool: a name, then the folders that are compiled together. A folder that is not listed is a unit.
set(opdebug_units
    "base:bytes json remarks results tree"
    "dump:container dump record status"
    "tensor:origin tensor"
    "logs_formats:logs/formats logs/reading"
    "logs_lines:logs/facts logs/files logs/lines"
    "logs_map:logs logs/saved_map"
    "logs_tasks:logs/lookup logs/processes"
    "scan:merge scan watch"
    "settings:difference next"
    "report_parts:report/json report/parts"
    "report_pages:report/pages report/text"
    "front:c_interface doctor"
    "tool_front:command_line output system")

# Groups the sources of a target into units: `folder` is what their paths start with.
function(opdebug_unity target folder)
    get_target_property(sources ${target} SOURCES)
    foreach(source IN LISTS sources)
        cmake_path(GET source PARENT_PATH room)
        string(REGEX REPLACE "^${folder}/?" "" room "${room}")
        string(REPLACE "/" "_" unit "${room}")
        foreach(line IN LISTS opdebug_units)
            string(REGEX REPLACE ":.*" "" name "${line}")
            string(REGEX REPLACE ".*:" "" rooms "${line}")
            string(REPLACE " " ";" rooms "${rooms}")
            if(room IN_LIST rooms)
                set(unit ${name})
            endif()
        endforeach()
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${unit}")
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()

# What most units include; OPDEBUG_PRECOMPILED_HEADERS parses it once.
set(OPDEBUG_COMMON_HEADERS
    <algorithm> <charconv> <chrono> <filesystem> <functional> <map> <memory> <optional> <set> <string> <string_view>
    <unordered_map> <utility> <variant> <vector> <fmt/format.h> <nlohmann/json.hpp>)
