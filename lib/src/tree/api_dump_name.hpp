// Names that the tools which dump single API calls give to their files. What a file is, its content says
// (opdebug/api_dump.hpp): the walk only keeps the paths, so that nobody has to list the tree again.
#pragma once

#include <array>
#include <string_view>

#include "tree/number.hpp"

namespace opdebug::tree {

inline bool may_be_api_dump(std::string_view name) noexcept {
    // mapping.csv names dumps (tree/mapping.hpp): thousands of folders have one.
    return name == "dump.json" || name == "debug.json" || name.ends_with(".pkl") ||
           (name.ends_with(".csv") && name != "mapping.csv");
}

/// step0.tgz, rank_3.tar: a folder of a run of which somebody made an archive.
inline bool is_packed_part_of_run(std::string_view name) noexcept {
    constexpr std::array<std::string_view, 2> kFolders = {"step", "rank"};
    constexpr std::array<std::string_view, 5> kEndings = {".tar", ".tgz", ".tar.gz", ".tar.zst", ".zip"};
    for (const std::string_view folder : kFolders) {
        for (const std::string_view ending : kEndings) {
            if (name.starts_with(folder) && name.ends_with(ending) && name.size() > folder.size() + ending.size()) {
                std::string_view number = name.substr(folder.size(), name.size() - folder.size() - ending.size());
                number.remove_prefix(number.front() == '_' ? 1 : 0);
                return is_decimal(number);
            }
        }
    }
    return false;
}

}  // namespace opdebug::tree
