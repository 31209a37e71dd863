#include "tree/file_place.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <memory>

#include <opdebug/tree.hpp>

#include "tree/folder.hpp"

namespace opdebug::tree {

std::optional<FilePlace> place_of(const std::string& path) {
    struct Free {
        void operator()(char* text) const noexcept { std::free(text); }
    };
    const std::unique_ptr<char, Free> target(::realpath(path.c_str(), nullptr));
    if (!target) {
        return std::nullopt;
    }
    struct stat status {};
    if (::stat(folder_of(target.get()).c_str(), &status) != 0) {
        return std::nullopt;
    }
    return FilePlace{{status.st_dev, status.st_ino}, std::string(file_name_of(target.get()))};
}

}  // namespace opdebug::tree
