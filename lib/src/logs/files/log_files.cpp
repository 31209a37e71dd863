#include "logs/files/log_files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "bytes/file.hpp"
#include "bytes/little_endian.hpp"
#include "bytes/system_path.hpp"
#include "logs/lines/lexer.hpp"
#include "tree/folder.hpp"
#include "tree/name.hpp"

namespace opdebug::logs {
namespace {

constexpr std::array<std::string_view, 3> kLogEndings{".log", ".txt", ".out"};
constexpr std::array<std::string_view, 2> kPackedEndings{".gz", ".zst"};
constexpr std::array<std::string_view, 7> kArchiveEndings{".tar", ".tgz", ".tbz2", ".txz", ".zip", ".7z", ".rar"};
constexpr std::array<std::string_view, 4> kOtherPackings{".bz2", ".xz", ".lz4", ".Z"};

/// Takes the first of the endings that fits off a name.
bool take_ending(std::string_view& name, std::span<const std::string_view> endings) noexcept {
    const auto found = std::find_if(endings.begin(), endings.end(), [name](std::string_view ending) {
        return name.size() > ending.size() && name.ends_with(ending);
    });
    if (found == endings.end()) {
        return false;
    }
    name.remove_suffix(found->size());
    return true;
}

bool is_log(std::string_view name) noexcept {
    return take_ending(name, kLogEndings);
}

/// The number after `mark` at the end of a name; both are removed from the name.
std::optional<std::uint64_t> take_number(std::string_view& name, char mark) noexcept {
    const std::size_t start = name.rfind(mark);
    if (start == std::string_view::npos || start + 1 == name.size()) {
        return std::nullopt;
    }
    const std::optional<std::uint64_t> number = tree::parse_number(name.substr(start + 1));
    if (!number || !is_log(name.substr(0, start))) {
        return std::nullopt;
    }
    name = name.substr(0, start);
    return number;
}

/// "mindspore.HOST.USER.log.WARNING.20230110-091546.4100": what glog calls its files, with the process at the end.
bool is_of_glog(std::string_view name) noexcept {
    const auto take_last = [&name](char mark, bool (*test)(char) noexcept) {
        const std::size_t start = name.rfind(mark);
        if (start == std::string_view::npos || start + 1 == name.size() ||
            !std::all_of(name.begin() + static_cast<std::ptrdiff_t>(start) + 1, name.end(), test)) {
            return false;
        }
        name = name.substr(0, start);
        return true;
    };
    return take_last('.', is_digit) && take_last('-', is_digit) && take_last('.', is_digit) &&
           take_last('.', is_upper) && is_log(name);
}

/// Of a path, which loses it.
std::string_view take_last_part(std::string_view& path) noexcept {
    const std::size_t slash = path.rfind('/');
    const std::string_view last = slash == std::string_view::npos ? path : path.substr(slash + 1);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
    return last;
}

Error archive_error(const std::string& path) {
    return {ErrorCode::log_unreadable,
            "archives and compressed files other than .gz and .zst are not read: unpack it into the log folder", path,
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
    std::erase_if(paths, [&seen](const std::string& path) {
        struct stat status {};
        return ::stat(path.c_str(), &status) == 0 && !seen.insert({status.st_dev, status.st_ino}).second;
    });
}

/// Whether a gzip file unpacks to as many bytes as the other file has: its last four bytes are their number.
bool is_packed_copy(const std::string& packed, const std::string& plain) {
    const auto file = bytes::FileReader::open(packed), original = bytes::FileReader::open(plain);
    if (!file || !original || file->size() < sizeof(std::uint32_t)) {
        return false;
    }
    const auto end = file->read_at(file->size() - sizeof(std::uint32_t), sizeof(std::uint32_t));
    return end && bytes::read_u32(Bytes(*end), 0) == static_cast<std::uint32_t>(original->size());
}

/// The files and lines of "x.log.gz" next to an equal "x.log" would count twice. Copies of several members and .zst
/// files are read: their facts count once.
void drop_packed_copies(std::vector<std::string>& paths) {
    const std::set<std::string, std::less<>> all(paths.begin(), paths.end());
    std::erase_if(paths, [&all](std::string_view path) {
        const auto plain = path.ends_with(".gz") ? all.find(path.substr(0, path.size() - 3)) : all.end();
        return plain != all.end() && is_packed_copy(std::string(path), *plain);
    });
}

}  // namespace

LogName read_log_name(std::string_view name) noexcept {
    LogName result;
    const bool packed = take_ending(name, kPackedEndings);
    const bool packed_otherwise = !packed && take_ending(name, kOtherPackings);
    if (const auto generation = take_number(name, '.')) {
        result.age = *generation + 1;
    } else if (const auto date = take_number(name, '-')) {
        result.age = std::numeric_limits<std::uint64_t>::max() - *date;
    }
    if (is_log(name) || is_of_glog(name)) {
        result.kind = packed_otherwise ? NameKind::archive : NameKind::log;
        result.stem = name;
    } else if (take_ending(name, kArchiveEndings)) {
        result.kind = NameKind::archive;
    }
    return result;
}

std::optional<std::int64_t> process_of_log_path(std::string_view path) noexcept {
    constexpr std::size_t kDigitsOfTime = 14;  // and mostly three of milliseconds
    const std::string_view name = take_last_part(path);
    take_last_part(path);  // "plog"
    const std::string_view kind = take_last_part(path);
    if (kind != "debug" && kind != "run" && kind != "security") {
        return std::nullopt;
    }
    std::string_view stem = read_log_name(name).stem;
    const std::size_t time = stem.rfind('_');
    if (!take_ending(stem, kLogEndings) || time == std::string_view::npos || stem.size() < time + 1 + kDigitsOfTime ||
        !std::all_of(stem.begin() + static_cast<std::ptrdiff_t>(time) + 1, stem.end(), is_digit)) {
        return std::nullopt;
    }
    stem = stem.substr(0, time);
    const std::size_t dash = stem.rfind('-');
    const auto process = dash != std::string_view::npos ? tree::parse_number(stem.substr(dash + 1)) : std::nullopt;
    return process && std::in_range<std::int64_t>(*process) ? std::optional(static_cast<std::int64_t>(*process))
                                                            : std::nullopt;
}

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
