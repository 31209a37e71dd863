// Failures that log lines report without a task, and which lines belong to one such failure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "logs/facts/task_map.hpp"
#include "scan/logged_tasks.hpp"

namespace opdebug::scan_stage {

/// Reports of one failure come together; the same ids can fail again later.
inline constexpr std::int64_t kSameReportUs = 10'000'000;

using Number = std::optional<std::uint64_t>;

bool are_far(const LoggedTaskIds& a, const LoggedTaskIds& b);

bool may_be_same(const Number& a, const Number& b);

/// What wrote a line: a thread of a process, or of printed errors, which name none, a carrier in a file.
struct Source {
    const logs::Process* process = nullptr;
    std::uint32_t file = 0;
    std::int64_t thread = -1;
    bool operator==(const Source&) const = default;
};

Source source_of(const logs::Process& process, const logs::StoredFact& stored);

LoggedTaskIds ids_of(const logs::Process& process, const logs::StoredFact& stored);

/// Lines of failures that name no task, of one device or process.
struct UnnamedFailure {
    Source source;
    LoggedTaskIds ids;
    Number chip_id;
    std::vector<const logs::StoredFact*> lines;  ///< that state a code, a reason or a location
    std::uint64_t last_line = 0;                 ///< of the file

    /// Whether a line names a device or process.
    bool has_origin() const { return ids.device_id || ids.process_id || chip_id; }
};

/// Adds a line to the failure that it belongs to, or starts a new one. A line without device and process belongs to
/// the failure that the last such line of its source named.
void add_line(const logs::Process& process, const logs::StoredFact& stored, std::vector<UnnamedFailure>& failures);

}  // namespace opdebug::scan_stage
