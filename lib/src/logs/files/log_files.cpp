#include "logs/files/log_files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "bytes/system_path.hpp"
#include "tree/folder.hpp"

namespace opdebug::logs {
namespace {

std::optional<struct stat> status_of(const std::string& path) noexcept {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? std::optional(status) : std::nullopt;
}

Error archive_error(const std::string& path) {
    return {ErrorCode::log_unreadable,
            "archives and packings other than .gz and .zst are not read: unpack it where its logs shall be found", path,
            std::nullopt};
}

struct FolderToRead {
    std::string path;
    std::uint64_t depth = 0;  ///< below the given one
};

void add_logs_below(const std::string& folder, const Limits& limits, LogFiles& files) {
    std::vector<FolderToRead> waiting{{folder}};
    while (!waiting.empty()) {
        const auto [current, depth] = std::move(waiting.back());
        waiting.pop_back();
        if (depth > limits.folder_depth) {
            files.failures.push_back(tree::folder_too_deep(current, limits));
            continue;
        }
        const tree::FolderListing listing = tree::list_folder(current);
        if (listing.failure) {
            files.failures.push_back(*listing.failure);
        }
        for (const tree::FolderEntry& entry : listing.entries) {
            const std::string path = tree::join_path(current, entry.name);
            const NameKind kind = read_log_name(entry.name).kind;
            // Links to folders are not followed: a log folder has no need of them.
            const bool unknown = entry.kind == tree::EntryKind::unknown;
            const auto examined = unknown ? tree::examine_entry(path, false) : Result<tree::EntryKind>(entry.kind);
            if (examined && *examined == tree::EntryKind::folder) {
                waiting.push_back({path, depth + 1});
            } else if (!examined && kind != NameKind::log) {
                files.failures.push_back(examined.error());
            } else if (kind == NameKind::log) {
                files.paths.push_back(path);
            } else if (kind == NameKind::archive) {
                files.failures.push_back(archive_error(path));
            }
        }
    }
}

void add_path(const std::string& path, const Limits& limits, LogFiles& files) {
    struct stat status {};
    if (::stat(bytes::system_path(path), &status) != 0) {
        files.failures.push_back({errno == EACCES ? ErrorCode::permission_denied : ErrorCode::file_not_found,
                                  std::string("cannot find the log file or folder: ") + std::strerror(errno), path,
                                  std::nullopt});
    } else if (S_ISDIR(status.st_mode)) {
        add_logs_below(path, limits, files);
    } else {
        files.paths.push_back(path);
    }
}

/// The path as it counts for the order. The run log of the host shows which streams capture others; the other logs of
/// the same root need that, so it comes first.
std::string with_run_log_first(std::string_view path) {
    constexpr std::string_view kRunLog = "/run/plog/";
    std::string ordered(path);
    if (const std::size_t place = ordered.rfind(kRunLog); place != std::string::npos) {
        ordered.insert(place + 1, 1, '\x01');
    }
    return ordered;
}

/// Two paths may lead to one file.
void drop_same_files(std::vector<std::string>& paths) {
    std::set<std::pair<dev_t, ino_t>> seen;
    const auto is_same = [&seen](const std::string& path) {
        const auto status = status_of(path);
        return status && !seen.insert({status->st_dev, status->st_ino}).second;
    };
    paths.erase(std::remove_if(paths.begin(), paths.end(), is_same), paths.end());
}

/// The size of a gzip file's content, modulo 2^32, from its last four bytes.
std::optional<std::uint32_t> unpacked_size(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::array<char, 4> bytes{};
    if (!file.seekg(-4, std::ios::end) || !file.read(bytes.data(), bytes.size())) {
        return std::nullopt;
    }
    std::uint32_t size = 0;
    for (std::size_t index = bytes.size(); index > 0; --index) {
        size = size << 8U | static_cast<unsigned char>(bytes.at(index - 1));
    }
    return size;
}

/// "x.log.gz" next to an "x.log" of just the size that it unpacks to is a copy. Copies that are not known so cheaply
/// (several members, .zst) are read; their lines count once all the same.
void drop_packed_copies(std::vector<std::string>& paths) {
    const std::set<std::string, std::less<>> all(paths.begin(), paths.end());
    const auto is_copy = [&all](const std::string& path) {
        if (!std::string_view(path).ends_with(".gz")) {
            return false;
        }
        const auto plain = all.find(std::string_view(path).substr(0, path.size() - 3));
        const auto packed_status = status_of(path);
        if (plain == all.end() || !packed_status || !S_ISREG(packed_status->st_mode)) {
            return false;
        }
        const auto plain_status = status_of(*plain);
        return plain_status && unpacked_size(path) == static_cast<std::uint32_t>(plain_status->st_size);
    };
    paths.erase(std::remove_if(paths.begin(), paths.end(), is_copy), paths.end());
}

}  // namespace

LogOrder log_order(const std::string& path) {
    const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
    const LogName parts = read_log_name(name);
    const std::size_t kept = path.size() - name.size() + (parts.stem.empty() ? name : parts.stem).size();
    return LogOrder(with_run_log_first(std::string_view(path).substr(0, kept)), ~parts.age, path);
}

LogFiles find_log_files(const std::vector<std::string>& paths, const Limits& limits) {
    LogFiles files;
    for (const std::string& path : paths) {
        add_path(path, limits, files);
    }
    std::sort(files.paths.begin(), files.paths.end(),
              [](const std::string& a, const std::string& b) { return log_order(a) < log_order(b); });
    drop_same_files(files.paths);
    drop_packed_copies(files.paths);
    return files;
}

}  // namespace opdebug::logs
