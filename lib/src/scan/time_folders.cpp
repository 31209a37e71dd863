#include "scan/time_folders.hpp"

#include <algorithm>

#include "tree/dump_name.hpp"
#include "tree/path_ids.hpp"

namespace opdebug::scan_stage {

namespace {

/// Nothing where links to dumps lie in it: they may be of several.
std::optional<std::string> time_folder_of(const tree::WalkedFolder& folder) {
    const bool has_links = std::any_of(folder.dumps.begin(), folder.dumps.end(),
                                       [](const tree::WalkedDump& dump) { return dump.is_link; });
    if (folder.dumps.empty() || has_links) {
        return std::nullopt;
    }
    const tree::WalkedDump& dump = folder.dumps.front();
    return tree::time_folder_of_file(folder.prefix + dump.name, tree::real_path_of(folder, dump));
}

}  // namespace

bool asks_for_first_dumps(const ScanOptions& options) noexcept {
    return options.locate_overflowed && options.locate.task_map && !options.locate.utc_offset_minutes;
}

void FirstDumps::note(const std::string& time_folder, std::string_view name) {
    const std::optional<DumpName> dump = tree::parse_name_of_dump(name);
    if (dump && dump->timestamp_us) {
        FirstDump& first = by_folder_[time_folder];
        first = std::min(first.value_or(*dump->timestamp_us), *dump->timestamp_us);
    }
}

FirstDump FirstDumps::of(const std::string& time_folder) const {
    const auto found = by_folder_.find(time_folder);
    return found != by_folder_.end() ? found->second : std::nullopt;
}

std::vector<FirstDump> first_dumps_of(const std::vector<tree::WalkedFolder>& folders) {
    FirstDumps firsts;
    std::vector<std::optional<std::string>> time_folders;
    time_folders.reserve(folders.size());
    for (const tree::WalkedFolder& folder : folders) {
        time_folders.push_back(time_folder_of(folder));
        for (const tree::WalkedDump& dump : folder.dumps) {
            if (time_folders.back()) {
                firsts.note(*time_folders.back(), dump.name);
            }
        }
    }
    std::vector<FirstDump> of_folders;
    of_folders.reserve(folders.size());
    for (const std::optional<std::string>& time_folder : time_folders) {
        of_folders.push_back(time_folder ? firsts.of(*time_folder) : std::nullopt);
    }
    return of_folders;
}

}  // namespace opdebug::scan_stage
