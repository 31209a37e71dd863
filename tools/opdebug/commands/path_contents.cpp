// Files that no command reads: what they are, and what folders without a dump contain.
#include <fnmatch.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <opdebug/tree.hpp>

#include "commands/path_kinds.hpp"
#include "output/messages.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

namespace fs = std::filesystem;

/// `file`: the sentence on a single file; nullptr: reading the file reports what it is. `group`: the sentence on the
/// number of such files in a folder.
struct NamePattern {
    const char* name;
    const char* file;
    const char* group;
};

/// The first pattern that fits counts. Sources: msprobe overflow_check_instruct.md, monitor_instruct.md,
/// monitor_v2_instruct.md, accuracy_compare_instruct.md; CANN, msaccucmp overflow.
constexpr NamePattern kPatterns[] = {
    {"stack.json", "front.beside", "there.beside"},
    {"construct.json", "front.beside", "there.beside"},
    {"anomaly_analy[sz]e*.json", "front.result", "there.results"},
    {"compare_result_*", "front.result", "there.results"},
    {"overflow_summary*.txt", "front.result", "there.results"},
    {"actv*_[0-9]*-[0-9]*.csv", "front.result", "there.results"},
    {"exp_avg*_[0-9]*-[0-9]*.csv", "front.result", "there.results"},
    {"grad_*_[0-9]*-[0-9]*.csv", "front.result", "there.results"},
    {"param_*_[0-9]*-[0-9]*.csv", "front.result", "there.results"},
    {"*_step[0-9]*-[0-9]*.csv", "front.result", "there.results"},
    {"*.xls*", "front.unknown", "there.unknown"},
    {"trace_view.json", "front.trace", "there.traces"},
    {"*.pt", nullptr, "there.pt"},
    {"*.npy", nullptr, "there.npy"},
    {"*.gz", nullptr, "there.packed"},
    {"*.tgz", nullptr, "there.packed"},
    {"*.tar", nullptr, "there.packed"},
    {"*.zip", nullptr, "there.packed"},
    {"*.zst", nullptr, "there.packed"},
    {"*.bz2", nullptr, "there.packed"},
    {"*.xz", nullptr, "there.packed"},
    {"*.7z", nullptr, "there.packed"},
    {"*.rar", nullptr, "there.packed"},
};

const NamePattern* pattern_of(const std::string& name) {
    const auto* const found =
        std::find_if(std::begin(kPatterns), std::end(kPatterns),
                     [&name](const NamePattern& pattern) { return ::fnmatch(pattern.name, name.c_str(), 0) == 0; });
    return found == std::end(kPatterns) ? nullptr : found;
}

/// Id of a sentence, and the ending of the names, for "there.ending" only.
using Group = std::pair<std::string, std::string>;

Group group_of(const std::string& name) {
    if (const auto dump = parse_dump_name(name); dump && !dump->is_overflow_dump) {
        return {"there.op_dumps", ""};
    }
    if (const NamePattern* const pattern = pattern_of(name)) {
        return {pattern->group, ""};
    }
    constexpr std::size_t kLongestEnding = 6;
    const std::string ending = fs::path(name).extension().string();
    const bool is_ending = ending.size() > 1 && ending.size() <= kLongestEnding &&
                           std::all_of(ending.begin() + 1, ending.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    return is_ending ? Group("there.ending", ending) : Group("there.unknown", "");
}

}  // namespace

std::string what_is_there(const std::vector<std::string>& paths) {
    std::map<Group, std::uint64_t> groups;
    for (const std::string& path : paths) {
        std::error_code failed;
        if (!fs::is_directory(path, failed)) {
            ++groups[group_of(fs::path(path).filename().string())];
            continue;
        }
        for (fs::recursive_directory_iterator entry(path, fs::directory_options::skip_permission_denied, failed), end;
             !failed && entry != end && !interrupted(); entry.increment(failed)) {
            std::error_code unknown;
            if (!entry->is_directory(unknown)) {
                ++groups[group_of(entry->path().filename().string())];
            }
        }
    }
    constexpr std::size_t kShown = 5;
    const Group other_files("there.unknown", "");
    while (groups.size() > kShown) {  // the smallest groups become other files
        const auto smallest = std::min_element(groups.begin(), groups.end(), [&](const auto& a, const auto& b) {
            return std::pair(a.first == other_files, a.second) < std::pair(b.first == other_files, b.second);
        });
        groups[other_files] += smallest->second;
        groups.erase(smallest);
    }
    std::string list;
    for (const auto& [group, count] : groups) {
        list += (list.empty() ? std::string() : sentence("there.comma")) +
                sentence(group.first, {{"count", count}, {"ending", group.second}});
    }
    return list.empty() ? std::string() : sentence("there.found", {{"list", list}});
}

std::optional<std::string> hint_of_unread(const std::string& path) {
    const NamePattern* const pattern = pattern_of(std::string(file_name_of(path)));
    return pattern != nullptr && pattern->file != nullptr ? std::optional(sentence(pattern->file, {{"path", path}}))
                                                          : std::nullopt;
}

}  // namespace opdebug::tool
