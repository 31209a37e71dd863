// Failures that log lines report without a task, and which lines belong to one such failure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
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

/// The times of a process's lines. Printed errors have no prefix with a time. Their blocks have one: in the line of
/// torch_npu, "[ERROR] 2026-03-01-10:05:09 (PID:9, ...)", and after the code, "EZ9999: [PID: 9]
/// 2026-03-01-10:05:09.586.187". The lines of a block after it have the same time.
class FailureTimes {
public:
    explicit FailureTimes(const logs::Process& process) : process_(process) {}
    /// Of the next line, in the order of the process's facts; empty: not known.
    std::optional<std::int64_t> of_next(const logs::StoredFact& stored);

private:
    struct Block {
        std::int64_t time_us = 0;
        std::uint64_t line = 0;
        Number process_id;
    };
    const logs::Process& process_;
    std::map<std::pair<std::uint32_t, std::int64_t>, Block> blocks_;  ///< by file and carrier
};

LoggedTaskIds ids_of(const logs::Process& process, const logs::StoredFact& stored, std::optional<std::int64_t> time_us);

/// Lines of failures that name no task, of one device or process.
struct UnnamedFailure {
    Source source;
    LoggedTaskIds ids;
    Number chip_id;
    std::vector<const logs::StoredFact*> lines;  ///< that state a code, a reason or a location
    std::uint64_t last_line = 0;                 ///< of the file

    /// Whether the device itself failed: a core, a unit that copies, or the memory.
    bool is_device_fault() const;
    /// Whether a line names a device or process.
    bool has_origin() const { return ids.device_id || ids.process_id || chip_id; }
};

/// The failure that a line belongs to; null: none. A line without device and process belongs to the failure that the
/// last such line of its source named.
UnnamedFailure* failure_of(const logs::Process& process, const logs::StoredFact& stored, const LoggedTaskIds& ids,
                           std::vector<UnnamedFailure>& failures);

/// Adds a line to its failure, or starts a new one.
void add_line(const logs::Process& process, const logs::StoredFact& stored, const LoggedTaskIds& ids,
              std::vector<UnnamedFailure>& failures);

}  // namespace opdebug::scan_stage
