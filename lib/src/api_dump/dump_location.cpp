#include "api_dump/dump_files.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include <opdebug/tree.hpp>

#include "tree/folder.hpp"
#include "tree/name.hpp"
#include "tree/path_ids.hpp"

namespace opdebug::api_dump {
namespace {

// ptdbg_ascend's placeholder for the rank before torch.distributed is initialized: process id + 100000; without the
// addition for overflow files.
constexpr std::uint64_t kPlaceholder = 100'000;

/// The folders above a file, nearest first.
std::vector<std::string> folders_above(const std::string& path) {
    std::error_code failed;
    const std::filesystem::path absolute = std::filesystem::absolute(path, failed);
    const std::filesystem::path whole = failed ? std::filesystem::path(path) : absolute;
    std::vector<std::string> folders;
    for (const std::filesystem::path& part : whole.lexically_normal().parent_path()) {
        folders.push_back(part.string());
    }
    std::reverse(folders.begin(), folders.end());
    return folders;
}

/// 3 of "step3" and of "step_3".
std::optional<std::uint64_t> number_after(std::string_view folder, std::string_view word) {
    if (!folder.starts_with(word)) {
        return std::nullopt;
    }
    folder.remove_prefix(word.size());
    folder.remove_prefix(folder.starts_with('_') ? 1 : 0);
    return tree::parse_number(folder);
}

/// The number of the nearest folder with that word.
std::optional<std::uint64_t> nearest(const std::vector<std::string>& folders, std::string_view word) {
    for (const std::string& folder : folders) {
        if (const auto number = number_after(folder, word)) {
            return number;
        }
    }
    return std::nullopt;
}

/// 4.0 of "ptdbg_dump_v4.0".
std::string version_of(const std::vector<std::string>& folders) {
    for (const std::string& folder : folders) {
        const std::size_t mark = folder.rfind("_v");
        if (mark != std::string::npos && mark + 2 < folder.size() && folder[mark + 2] >= '0' &&
            folder[mark + 2] <= '9') {
            return folder.substr(mark + 2);
        }
    }
    return {};
}

void read_ptdbg_location(const std::vector<std::string>& folders, ApiFile& file) {
    file.version = version_of(folders);
    if (file.rank && *file.rank >= kPlaceholder) {
        file.process = file.lists_overflows_only ? *file.rank : *file.rank - kPlaceholder;
        file.rank.reset();
    }
}

/// A process folder counts if it is nearer than a rank folder: a user's folder "rank" may be above.
void read_process(const std::vector<std::string>& folders, ApiFile& file) {
    for (const std::string& folder : folders) {
        for (const std::string_view word : {"proc", "pid"}) {
            if (const auto process = number_after(folder, word)) {
                file.process = process;
                file.rank.reset();
                return;
            }
        }
        if (number_after(folder, "rank") || folder == "rank") {
            return;
        }
    }
}

/// CANN writes files to {time}/{device}/ directly, or to {model}/{model id}/{iteration}/ below it. The time has 14
/// digits.
bool is_device_folder(const std::vector<std::string>& folders) {
    return folders.size() > 1 && folders[1].size() == 14 && tree::is_decimal(folders[1]);
}

void read_location_in(const std::string& path, ApiFile& file) {
    const std::vector<std::string> folders = folders_above(path);
    file.step = nearest(folders, "step");
    file.rank = nearest(folders, "rank");
    read_process(folders, file);
    if (file.source == ApiSource::ptdbg) {
        read_ptdbg_location(folders, file);
    } else if (file.source == ApiSource::statistic_csv && !file.step && !folders.empty() &&
               !is_device_folder(folders)) {
        file.step = tree::parse_number(folders.front());  // {net}/{graph}/{iteration}/statistic.csv
    }
}

bool names_writer(const ApiFile& file) {
    return file.rank || file.process;
}

}  // namespace

/// Their folders have the rank or process, and up to three folders below it: rank_{M}/{net}/{graph}/{iteration}.
/// ptdbg's files other than dump.pkl have the user's name in {tag}_v{version}/; elsewhere such names are those of
/// checkpoints.
bool is_where_tools_write(const std::string& path) {
    constexpr std::size_t kMostFolders = 4;
    const std::string_view name = file_name_of(path);
    std::vector<std::string> folders = folders_above(path);
    folders.resize(std::min(folders.size(), kMostFolders));
    const bool is_own_name = name == "dump.json" || name == "dump.pkl" || name == "statistic.csv" ||
                             (name.ends_with(".pkl") && !version_of(folders).empty());
    return is_own_name && std::any_of(folders.begin(), folders.end(), [](const std::string& folder) {
               return folder == "rank" || number_after(folder, "rank") || number_after(folder, "proc") ||
                      number_after(folder, "pid");
           });
}

void read_location(const std::string& path, ApiFile& file) {
    read_location_in(path, file);
    const bool tells_all = file.step && names_writer(file);
    const std::string real = tells_all ? std::string() : tree::real_path(path);
    if (real.empty()) {
        return;
    }
    ApiFile at_target = file;
    read_location_in(real, at_target);
    file.step = file.step ? file.step : at_target.step;
    if (!names_writer(file)) {
        file.rank = at_target.rank;
        file.process = at_target.process;
    }
    file.version = file.version.empty() ? at_target.version : file.version;
}

}  // namespace opdebug::api_dump
