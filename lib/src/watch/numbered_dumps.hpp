// Overflow dumps that are called by numbers: the mapping.csv beside them says which they are.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include <opdebug/limits.hpp>

#include "tree/mapping.hpp"

namespace opdebug::watch {

/// Reads a list again only when it changed: the folders of a job are looked at every few moments.
class NumberedDumps {
public:
    explicit NumberedDumps(const Limits& limits) : limits_(limits) {}

    /// The numbers that the folder's mapping.csv gives to overflow dumps, with their real names. Whether the files are
    /// there is another question. Empty where there is no list, or none that can be read.
    const tree::NameMapping& of_folder(const std::string& folder);

private:
    /// Inode, size and time of change of a file.
    using Version = std::tuple<ino_t, off_t, std::int64_t, std::int64_t>;
    struct List {
        Version version;
        tree::NameMapping dumps;
    };

    const Limits& limits_;
    std::map<std::string, List> lists_;  ///< by folder
};

}  // namespace opdebug::watch
