#include "tree/folder.hpp"

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "bytes/passed_limit.hpp"

namespace opdebug::tree {
namespace {

Error folder_error(const std::string& path, int number) {
    return path_error(path, "list the folder", number);
}

EntryKind kind_of(unsigned char type) noexcept {
    switch (type) {
        case DT_REG: return EntryKind::file;
        case DT_DIR: return EntryKind::folder;
        case DT_LNK: return EntryKind::link;
        case DT_UNKNOWN: return EntryKind::unknown;
        default: return EntryKind::other;
    }
}

}  // namespace

Error path_error(const std::string& path, std::string_view action, int number) {
    const ErrorCode code = number == ENOENT || number == ENOTDIR ? ErrorCode::file_not_found
                           : number == EACCES || number == EPERM ? ErrorCode::permission_denied
                                                                 : ErrorCode::read_failed;
    const char* const reason =
        number == ENAMETOOLONG ? "the path is too long: read it from a folder further down" : std::strerror(number);
    return {code, fmt::format("cannot {}: {}", action, reason), path, std::nullopt};
}

Error folder_too_deep(const std::string& path, const Limits& limits) {
    Error error = bytes::limit_error(
        ErrorCode::folder_too_deep,
        fmt::format("the folder lies more than {} folders below the given path and is not read", limits.folder_depth),
        limits, &Limits::folder_depth);
    error.file = path;
    return error;
}

Result<std::vector<FolderEntry>> list_folder(const std::string& path) {
    struct CloseFolder {
        void operator()(DIR* folder) const noexcept { ::closedir(folder); }
    };
    const std::unique_ptr<DIR, CloseFolder> folder(::opendir(path.c_str()));
    if (!folder) {
        return folder_error(path, errno);
    }
    std::vector<FolderEntry> entries;
    while (true) {
        errno = 0;  // readdir tells an error from the end only through errno
        const dirent* entry = ::readdir(folder.get());
        if (entry == nullptr) {
            break;
        }
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") {
            const EntryKind kind = kind_of(entry->d_type);
            const bool may_be_folder =
                kind == EntryKind::folder || kind == EntryKind::link || kind == EntryKind::unknown;
            entries.push_back({std::string(name), may_be_folder, kind});
        }
    }
    if (errno != 0) {
        return folder_error(path, errno);
    }
    std::sort(entries.begin(), entries.end(),
              [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
    return entries;
}

std::string join_path(std::string_view folder, std::string_view name) {
    std::string path(folder);
    if (!path.empty() && path.back() != '/') {
        path += '/';
    }
    path += name;
    return path;
}

std::string folder_of(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string_view::npos) {
        return ".";
    }
    return slash == 0 ? "/" : std::string(path.substr(0, slash));
}

}  // namespace opdebug::tree
