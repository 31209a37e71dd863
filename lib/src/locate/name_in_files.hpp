// How names of operators and models stand in the names of dumps and their folders.
#pragma once

#include <algorithm>
#include <string>

namespace opdebug::locate_stage {

/// The writers replace space . / \ by _, so a name read from a file or folder compares with a log's only in that form.
inline std::string name_in_files(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ' ' || c == '.' || c == '/' || c == '\\'; }, '_');
    return name;
}

}  // namespace opdebug::locate_stage
