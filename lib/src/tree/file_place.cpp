#include "tree/file_place.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <memory>

#include <opdebug/tree.hpp>

#include "tree/folder.hpp"

namespace opdebug::tree {

std::optional<FilePlace> place_in_folder(const std::string& path) {
    struct stat folder {};
    if (::stat(folder_of(path).c_str(), &folder) != 0) {
        return std::nullopt;
    }
    return FilePlace{{folder.st_dev, folder.st_ino}, std::string(file_name_of(path))};
}

std::optional<FilePlace> place_of(const std::string& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) {
        return std::nullopt;
    }
    if (!S_ISLNK(status.st_mode)) {
        return place_in_folder(path);
    }
    struct Free {
        void operator()(char* text) const noexcept { std::free(text); }
    };
    const std::unique_ptr<char, Free> target(::realpath(path.c_str(), nullptr));
    return target ? place_in_folder(target.get()) : std::nullopt;
}

}  // namespace opdebug::tree
