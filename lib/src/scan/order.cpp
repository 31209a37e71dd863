// The order of the dumps in a report: step, then time, then path, then host.
#include <opdebug/scan_overview.hpp>

#include <tuple>

#include "bytes/unknown_last.hpp"

namespace opdebug {
inline namespace v0 {

bool comes_before(const ScanItem& a, const ScanItem& b) {
    using bytes::unknown_last;
    const auto step_a = unknown_last(a.path_ids.data_index), step_b = unknown_last(b.path_ids.data_index);
    const auto time_a = unknown_last(a.timestamp_us), time_b = unknown_last(b.timestamp_us);
    return std::tie(step_a, time_a, a.file, a.host) < std::tie(step_b, time_b, b.file, b.host);
}

}  // namespace v0
}  // namespace opdebug
