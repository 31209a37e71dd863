// Entries that one remark tells of.
#pragma once

#include <cstdint>
#include <string>

namespace opdebug::tree {

struct Noted {
    std::uint64_t count = 0;
    std::string first;

    void add(const std::string& path) {
        if (count++ == 0) {
            first = path;
        }
    }
};

}  // namespace opdebug::tree
