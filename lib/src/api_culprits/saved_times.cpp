#include "api_culprits/saved_times.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <vector>

namespace opdebug::api_culprits {
namespace {

/// msprobe writes values there (source: its service.py); ptdbg_ascend's folders have the dump's own name.
constexpr const char* kFolder = "dump_tensor_data";

using Times = std::map<std::string, std::uint64_t, std::less<>>;  ///< by file name; microseconds of UTC

Times times_in(const std::filesystem::path& folder) {
    using std::chrono::file_clock;
    using std::chrono::microseconds;
    Times times;
    std::error_code failed;
    for (std::filesystem::directory_iterator file(folder, failed), end; !failed && file != end;
         file.increment(failed)) {
        std::error_code no_time;
        const auto written = file->last_write_time(no_time);
        const auto since = std::chrono::duration_cast<microseconds>(file_clock::to_sys(written).time_since_epoch());
        if (!no_time && since.count() >= 0) {
            times.emplace(file->path().filename().string(), static_cast<std::uint64_t>(since.count()));
        }
    }
    return times;
}

/// The newest file that is older than all of the call's own, and the newest of its own.
void add_window(Found& found, const Times& times, const std::vector<std::uint64_t>& sorted) {
    std::uint64_t first = UINT64_MAX, last = 0;
    for (const std::string& name : found.saved) {
        const auto time = times.find(name);
        if (time != times.end()) {
            first = std::min(first, time->second);
            last = std::max(last, time->second);
        }
    }
    if (last == 0) {
        return;
    }
    found.finding.saved_at_us = last;
    const auto own = std::lower_bound(sorted.begin(), sorted.end(), first);
    if (own != sorted.begin()) {
        found.finding.saved_after_us = *(own - 1);
    }
}

}  // namespace

void add_saved_times(FileFacts& facts) {
    const bool any =
        std::any_of(facts.found.begin(), facts.found.end(), [](const Found& found) { return !found.saved.empty(); });
    if (!any) {
        return;
    }
    const Times times = times_in(std::filesystem::path(facts.file.file).parent_path() / kFolder);
    std::vector<std::uint64_t> sorted;
    for (const auto& [name, time] : times) {
        sorted.push_back(time);
    }
    std::sort(sorted.begin(), sorted.end());
    for (Found& found : facts.found) {
        add_window(found, times, sorted);
        found.saved = {};
    }
}

}  // namespace opdebug::api_culprits
