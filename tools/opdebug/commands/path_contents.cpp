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
    {"*.csv", nullptr, "there.csv"},
    {"*.json", nullptr, "there.json"},
};

const NamePattern* pattern_of(const std::string& name) {
    const auto* const found =
        std::find_if(std::begin(kPatterns), std::end(kPatterns),
                     [&name](const NamePattern& pattern) { return ::fnmatch(pattern.name, name.c_str(), 0) == 0; });
    return found == std::end(kPatterns) ? nullptr : found;
}

/// Id of the sentence on the number of such files.
const char* group_of(const std::string& name) {
    const std::optional<DumpName> dump = parse_dump_name(name);
    const NamePattern* const pattern = pattern_of(name);
    return dump && !dump->is_overflow_dump ? "there.op_dumps" : pattern != nullptr ? pattern->group : "there.unknown";
}

}  // namespace

std::string what_is_there(const std::vector<std::string>& paths) {
    std::map<std::string, std::uint64_t> groups;
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
    std::string list;
    for (const auto& [group, count] : groups) {
        list += (list.empty() ? std::string() : sentence("there.comma")) + sentence(group, {{"count", count}});
    }
    return list.empty() ? std::string() : sentence("there.found", {{"list", list}});
}

std::optional<std::string> hint_of_unread(const std::string& path) {
    const NamePattern* const pattern = pattern_of(std::string(file_name_of(path)));
    return pattern != nullptr && pattern->file != nullptr ? std::optional(sentence(pattern->file, {{"path", path}}))
                                                          : std::nullopt;
}

}  // namespace opdebug::tool
