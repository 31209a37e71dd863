#include "watch/op_dumps_seen.hpp"

#include <opdebug/tree.hpp>

#include "locate/find_by_name_ids.hpp"
#include "locate/op_dump_folders.hpp"
#include "locate/query.hpp"
#include "tree/folder.hpp"
#include "watch/file_version.hpp"

namespace opdebug::watch {
namespace {

/// The clock of files goes on in steps of some milliseconds.
constexpr std::int64_t kClockStepNs = 20'000'000;
constexpr std::uint64_t kHardwareTaskIds = 65536;

/// That of the record, and that of the name where it may answer.
OpDumpsSeen::Tasks tasks_of(const ScannedDump& scanned) {
    const Record* const record = scanned.dump ? located_record(*scanned.dump) : nullptr;
    if (record == nullptr) {
        return {};
    }
    const locate_stage::TaskQuery query = locate_stage::query_of(*record, std::nullopt);
    const auto by_name = locate_stage::query_of_name(*scanned.dump, query);
    return {query.task_id, by_name ? by_name->task_id : std::nullopt};
}

std::uint64_t count_of(const locate_stage::OpDumpFolder::Range& range) {
    return static_cast<std::uint64_t>(range.second - range.first);
}

/// Names carry the whole id, or its lower half.
std::uint64_t count_of_task(const locate_stage::OpDumpFolder& folder, std::uint64_t task_id) {
    return count_of(folder.of_task(task_id)) +
           (task_id >= kHardwareTaskIds ? count_of(folder.of_task(task_id % kHardwareTaskIds)) : 0);
}

std::uint64_t count_of_tasks(const locate_stage::OpDumpFolder& folder, const OpDumpsSeen::Tasks& tasks) {
    std::uint64_t count = 0;
    for (const std::optional<std::uint64_t>& task_id : tasks) {
        count += task_id ? count_of_task(folder, *task_id) : 0;
    }
    return count;
}

bool is_any(const OpDumpsSeen::Tasks& tasks) {
    return tasks.front() || tasks.back();
}

}  // namespace

OpDumpsSeen OpDumpsSeen::of(const ScannedDump& scanned, std::int64_t began_ns, OpDumpFolders& op_dumps,
                            const Limits& limits) {
    OpDumpsSeen seen;
    seen.tasks = tasks_of(scanned);
    if (!is_any(seen.tasks)) {
        return seen;
    }
    const auto folder = op_dumps.contents().index_of(tree::folder_of(scanned.file), limits);
    seen.of_tasks = count_of_tasks(*folder, seen.tasks);
    seen.is_unsure = folder->unread() || folder->names_unread() || scanned.tensors.interrupted;
    if (const auto& op_dump = scanned.location.op_dump) {
        const std::optional<FileVersion> version = version_of(op_dump->file);
        seen.taken = file_name_of(op_dump->file);
        seen.is_unsure =
            seen.is_unsure || op_dump->equally_good != 0 || !version || version->changed_ns >= began_ns - kClockStepNs;
        seen.size = version ? version->size : -1;
        seen.changed_ns = version ? version->changed_ns : 0;
    }
    return seen;
}

bool OpDumpsSeen::may_differ(const std::string& file, OpDumpFolders& op_dumps, const Limits& limits) const {
    if (is_unsure || !is_any(tasks)) {
        return is_unsure;
    }
    const std::string folder = tree::folder_of(file);
    if (count_of_tasks(*op_dumps.contents().index_of(folder, limits), tasks) != of_tasks) {
        return true;
    }
    if (taken.empty()) {
        return false;
    }
    const std::optional<FileVersion> version = version_of(tree::join_path(folder, taken));
    return !version || version->size != size || version->changed_ns != changed_ns;
}

}  // namespace opdebug::watch
