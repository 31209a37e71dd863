// A folder that is still to be read.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>

#include "tree/walk.hpp"

namespace opdebug::tree {

inline FolderIdentity identity_of(const struct stat& status) {
    return {status.st_dev, status.st_ino};
}

struct FolderToRead {
    std::string path;
    FolderIdentity identity;
    std::uint64_t depth = 0;  ///< below the given path
};

}  // namespace opdebug::tree
