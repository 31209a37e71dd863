// The dumps of a tree → what they ask the logs for.
#include <opdebug/scan.hpp>

namespace opdebug {
inline namespace v0 {

Result<WantedTasks> wanted_tasks(const DumpTree& tree, const ScanOptions& options) {
    ScanOptions decoding_only = options;
    decoding_only.locate_overflowed = false;
    decoding_only.tensors = false;
    decoding_only.api_dumps = false;
    WantedTasks wanted;
    const Scan scanned = scan(tree, decoding_only, [&wanted](ScannedDump&& dump) {
        if (dump.state == DumpState::overflowed) {
            add_wanted(*dump.dump, wanted);
        }
    });
    if (!scanned.complete) {
        return Error{ErrorCode::interrupted, "stopped before it was known what the dumps ask the logs for", {}, {}};
    }
    return wanted;
}

}  // namespace v0
}  // namespace opdebug
