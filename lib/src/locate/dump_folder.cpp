#include "locate/dump_folder.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "locate/clock.hpp"
#include "tree/name.hpp"

namespace opdebug::locate_stage {

using logs::Process;

bool writes_into_folder(const Process& process, const Dump& dump) {
    const auto folder = dump.path_ids.time ? tree::parse_number(*dump.path_ids.time) : std::nullopt;
    return folder && std::binary_search(process.dump_folders.begin(), process.dump_folders.end(), *folder);
}

bool writes_into_other_folders(const Process& process, const Dump& dump) {
    return !process.dump_folders.empty() && !writes_into_folder(process, dump);
}

bool logged_near_folder(const Process& process, const Dump& dump) {
    if (!dump.path_ids.time || process.last_time_us == 0) {
        return false;
    }
    const logs::Span logged{process.first_time_us, process.last_time_us};
    return writes_into_folder(process, dump) ||
           (process.dump_folders.empty() && covers(logged, folder_time_us(*dump.path_ids.time)));
}

bool may_have_made_folder(const Process& process, const Dump& dump) {
    return logged_near_folder(process, dump) &&
           (writes_into_folder(process, dump) || folder_time_us(*dump.path_ids.time) <= process.last_time_us);
}

bool begins_behind_folder(const Process& process, const Dump& dump) {
    if (!dump.path_ids.time || process.last_time_us == 0 || writes_into_folder(process, dump)) {
        return false;
    }
    const std::int64_t folder_us = folder_time_us(*dump.path_ids.time);
    return folder_us < process.first_time_us && !covers({process.first_time_us, process.last_time_us}, folder_us);
}

}  // namespace opdebug::locate_stage
