#include "api_dump/dump_files.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include <opdebug/tree.hpp>

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
std::optional<std::uint64_t> number_behind(std::string_view folder, std::string_view word) {
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
        if (const auto number = number_behind(folder, word)) {
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

void read_ptdbg_place(const std::vector<std::string>& folders, ApiFile& file) {
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
            if (const auto process = number_behind(folder, word)) {
                file.process = process;
                file.rank.reset();
                return;
            }
        }
        if (number_behind(folder, "rank") || folder == "rank") {
            return;
        }
    }
}

/// CANN writes files to {time}/{device}/ directly, or to {model}/{model id}/{iteration}/ below it. The time has 14
/// digits.
bool is_device_folder(const std::vector<std::string>& folders) {
    return folders.size() > 1 && folders[1].size() == 14 && tree::is_decimal(folders[1]);
}

/// Skips the model in CANN's {time}/{device}/{model}/…: a model "rank_5" or "step3" is no rank or step. MindSpore's
/// statistic.csv is below a rank.
void pass_over_model(const std::string& path, std::vector<std::string>& folders) {
    const PathIds ids = path_ids_of_file(path);
    if (!ids.time || !ids.model_name || file_name_of(path) == "statistic.csv") {
        return;
    }
    const auto time = std::find(folders.begin(), folders.end(), *ids.time);
    if (time != folders.end() && time - folders.begin() > 1) {
        folders.erase(time - 2);
    }
}

/// step{N}/rank{M}/dump.json, or rank, proc{pid}, pid{pid}.
bool is_where_msprobe_writes(const std::vector<std::string>& folders) {
    const std::string_view process = folders[0];
    return folders[1].starts_with("step") &&
           (process.starts_with("rank") || process.starts_with("proc") || process.starts_with("pid"));
}

/// {tag}_v{version}/[step{N}/]rank{M}/*.pkl; dump.pkl also in a copy of the folder of a rank. Other files with these
/// names are checkpoints.
bool is_where_ptdbg_writes(const std::vector<std::string>& folders, std::string_view name) {
    const std::size_t above = folders.size() > 1 && number_behind(folders[1], "step") ? 2 : 1;
    const bool has_version = above < folders.size() && !version_of({folders[above]}).empty();
    return number_behind(folders[0], "rank") && (has_version || name == "dump.pkl");
}

/// rank_{M}/{net}/{graph}/{iteration}/statistic.csv
bool is_where_mindspore_writes(const std::vector<std::string>& folders) {
    constexpr std::size_t kMostBetween = 3;
    const auto end = folders.begin() + static_cast<std::ptrdiff_t>(std::min(folders.size(), kMostBetween + 1));
    return std::any_of(folders.begin(), end, [](const std::string& folder) {
        return folder.starts_with("rank_") && number_behind(folder, "rank");
    });
}

void read_written_place(const std::string& path, ApiFile& file) {
    std::vector<std::string> folders = folders_above(path);
    if (file.source == ApiSource::statistic_csv) {
        pass_over_model(path, folders);
    }
    file.step = nearest(folders, "step");
    file.rank = nearest(folders, "rank");
    read_process(folders, file);
    switch (file.source) {
        case ApiSource::ptdbg: read_ptdbg_place(folders, file); break;
        case ApiSource::statistic_csv:  // {net}/{graph}/{iteration}/statistic.csv
            if (!file.step && !folders.empty() && !is_device_folder(folders)) {
                file.step = tree::parse_number(folders.front());
            }
            break;
        case ApiSource::msprobe: break;
    }
}

bool names_writer(const ApiFile& file) {
    return file.rank || file.process;
}

}  // namespace

bool is_where_tools_write(const std::string& path) {
    const std::string_view name = file_name_of(path);
    const bool is_ptdbg = name.ends_with(".pkl"), is_msprobe = name == "dump.json";
    if (!is_ptdbg && !is_msprobe && name != "statistic.csv") {
        return false;
    }
    const std::vector<std::string> folders = folders_above(path);
    if (folders.size() < 2) {
        return false;
    }
    return is_ptdbg     ? is_where_ptdbg_writes(folders, name)
           : is_msprobe ? is_where_msprobe_writes(folders)
                        : is_where_mindspore_writes(folders);
}

void read_location(const std::string& path, ApiFile& file) {
    read_written_place(path, file);
    const bool tells_all = file.step && names_writer(file);
    const std::string real = tells_all ? std::string() : tree::real_path(path);
    if (real.empty()) {
        return;
    }
    ApiFile behind_links = file;
    read_written_place(real, behind_links);
    file.step = file.step ? file.step : behind_links.step;
    if (!names_writer(file)) {
        file.rank = behind_links.rank;
        file.process = behind_links.process;
    }
    file.version = file.version.empty() ? behind_links.version : file.version;
}

}  // namespace opdebug::api_dump
