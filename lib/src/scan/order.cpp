// The order of the dumps in a report: step, then time, then path, then host.
#include <opdebug/scan.hpp>

namespace opdebug {
inline namespace v0 {
namespace {

/// Negative, zero or positive; what is not known comes last.
int compare(const std::optional<std::uint64_t>& a, const std::optional<std::uint64_t>& b) {
    if (a && b) {
        return *a < *b ? -1 : *a > *b ? 1 : 0;
    }
    return a ? -1 : b ? 1 : 0;
}

}  // namespace

bool comes_before(const ScanItem& a, const ScanItem& b) {
    if (const int by_step = compare(a.path_ids.data_index, b.path_ids.data_index); by_step != 0) {
        return by_step < 0;
    }
    if (const int by_time = compare(a.timestamp_us, b.timestamp_us); by_time != 0) {
        return by_time < 0;
    }
    const int by_file = a.file.compare(b.file);
    return by_file != 0 ? by_file < 0 : a.host < b.host;
}

}  // namespace v0
}  // namespace opdebug
