// Names that the tools which dump single API calls give to their files. What a file is, its content says
// (opdebug/api_dump.hpp): the walk only keeps the paths, so that nobody has to list the tree again.
#pragma once

#include <string_view>

namespace opdebug::tree {

inline bool may_be_api_dump(std::string_view name) noexcept {
    const auto ends_with = [name](std::string_view end) {
        return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
    };
    return name == "dump.json" || name == "debug.json" || ends_with(".pkl") || ends_with(".csv");
}

}  // namespace opdebug::tree
