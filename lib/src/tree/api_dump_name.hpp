// Names that the tools which dump single API calls give to their files. What a file is, its content says
// (opdebug/api_dump.hpp): the walk only keeps the paths, so that nobody has to list the tree again.
#pragma once

#include <string_view>

namespace opdebug::tree {

inline bool may_be_api_dump(std::string_view name) noexcept {
    // mapping.csv names dumps (tree/mapping.hpp): thousands of folders have one.
    return name == "dump.json" || name == "debug.json" || name.ends_with(".pkl") ||
           (name.ends_with(".csv") && name != "mapping.csv");
}

}  // namespace opdebug::tree
