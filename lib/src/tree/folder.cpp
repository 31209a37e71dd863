// Listing folders.
#include "tree/folder.hpp"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <opdebug/tree.hpp>

#include "bytes/counted.hpp"
#include "bytes/passed_limit.hpp"
#include "bytes/system_path.hpp"

namespace opdebug::tree {
namespace {

struct CloseFolder {
    void operator()(DIR* folder) const noexcept { ::closedir(folder); }
};

// Repeats calls that a signal interrupted: network and user-space file systems interrupt these calls too.
std::unique_ptr<DIR, CloseFolder> open_folder(const std::string& path) noexcept {
    DIR* folder = nullptr;
    do {
        folder = ::opendir(bytes::system_path(path));
    } while (folder == nullptr && errno == EINTR);
    return std::unique_ptr<DIR, CloseFolder>(folder);
}

/// Null at the end. Also null, with errno set, if the rest cannot be read.
const dirent* next_entry(DIR* folder) noexcept {
    const dirent* entry = nullptr;
    do {
        errno = 0;  // readdir reports errors only through errno
        entry = ::readdir(folder);
    } while (entry == nullptr && errno == EINTR);
    return entry;
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
        number == ENAMETOOLONG ? "the path is too long: start from a deeper folder" : std::strerror(number);
    return {code, fmt::format("cannot {}: {}", action, reason), path, std::nullopt};
}

Error folder_too_deep(const std::string& path, const Limits& limits) {
    Error error = bytes::limit_error(ErrorCode::folder_too_deep,
                                     fmt::format("the folder is not read: it is more than {} below the given path",
                                                 bytes::counted(limits.folder_depth, "folder")),
                                     limits, &Limits::folder_depth);
    error.file = path;
    return error;
}

FolderListing list_folder(const std::string& path) {
    FolderListing listing;
    const std::unique_ptr<DIR, CloseFolder> folder = open_folder(path);
    if (!folder) {
        listing.failure = path_error(path, "list the folder", errno);
        return listing;
    }
    while (const dirent* entry = next_entry(folder.get())) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") {
            const EntryKind kind = kind_of(entry->d_type);
            const bool may_be_folder =
                kind == EntryKind::folder || kind == EntryKind::link || kind == EntryKind::unknown;
            listing.entries.push_back({std::string(name), may_be_folder, kind});
        }
    }
    const int number = errno;
    if (number != 0) {
        const std::size_t count = listing.entries.size();
        const std::string beyond =
            count == 0 ? std::string() : fmt::format(" beyond {} entr{}", count, count == 1 ? "y" : "ies");
        listing.failure = path_error(path, "list the folder" + beyond, number);
    }
    std::sort(listing.entries.begin(), listing.entries.end(),
              [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
    return listing;
}

Result<EntryKind> examine_entry(const std::string& path, bool follow) {
    struct stat status {};
    if ((follow ? ::stat(path.c_str(), &status) : ::lstat(path.c_str(), &status)) != 0) {
        if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP) {
            return EntryKind::nothing;
        }
        return path_error(path, "get the file type", errno);
    }
    return S_ISREG(status.st_mode)   ? EntryKind::file
           : S_ISDIR(status.st_mode) ? EntryKind::folder
           : S_ISLNK(status.st_mode) ? EntryKind::link
                                     : EntryKind::other;
}

std::string join_path(std::string_view folder, std::string_view name) {
    std::string path;
    path.reserve(folder.size() + 1 + name.size());
    path = folder;
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

std::string real_path(const std::string& path) {
    std::error_code failed;
    return std::filesystem::canonical(path, failed).string();
}

std::optional<FileIdentity> file_identity(const std::string& path) {
    struct stat folder {};
    if (::stat(folder_of(path).c_str(), &folder) != 0) {
        return std::nullopt;
    }
    return FileIdentity{{folder.st_dev, folder.st_ino}, std::string(file_name_of(path))};
}

std::optional<FileIdentity> target_identity(const std::string& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) {
        return std::nullopt;
    }
    const std::string target = S_ISLNK(status.st_mode) ? real_path(path) : path;
    return target.empty() ? std::nullopt : file_identity(target);
}

std::vector<std::string> outermost(const std::vector<std::string>& paths, const Limits& limits) {
    namespace fs = std::filesystem;
    std::vector<fs::path> real;  // empty: no folder
    std::set<fs::path> folders;
    for (const std::string& path : paths) {
        std::error_code failed;
        fs::path folder = fs::is_directory(path, failed) ? fs::canonical(path, failed) : fs::path();
        folders.insert(folder);
        real.push_back(std::move(folder));
    }
    std::vector<std::string> outer;
    std::set<fs::path> seen;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        bool is_inside = !real[i].empty() && !seen.insert(real[i]).second;
        fs::path above = real[i];
        for (std::uint64_t depth = 0; depth < limits.folder_depth && !is_inside && above.has_relative_path(); ++depth) {
            above = above.parent_path();
            is_inside = folders.count(above) != 0;
        }
        if (!is_inside) {
            outer.push_back(paths[i]);
        }
    }
    return outer;
}

}  // namespace opdebug::tree
