// What is requested: the ids of one overflowed record, without markers for "none".
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/locate.hpp>

#include "logs/facts/launch_lines.hpp"
#include "logs/lookup/map_index.hpp"
#include "remarks/diagnose.hpp"
#include "tree/name.hpp"

namespace opdebug::locate_stage {

using Diagnostics = std::vector<Diagnostic>;

struct TaskQuery {
    std::optional<std::uint64_t> stream_id, task_id;
    std::optional<std::uint64_t>
        model_id;                   ///< runtime model id (inferred: the record is written by the task scheduler)
    bool is_without_model = false;  ///< by the record
    std::optional<std::uint64_t> context_id, thread_id;
    std::optional<std::uint64_t> task_type;     ///< the runtime's
    std::optional<std::uint64_t> timestamp_us;  ///< of the dump that holds the record, UTC
    std::vector<std::uint64_t> addresses;       ///< pc_start and kernel_code: code of the kernel on the device
    bool is_hint = false;                       ///< the ids may be another task's: less is treated as the operator's
};

/// How task ids are compared. MindSpore's names of overflow dumps carry the lower 16 bits.
enum class TaskIds { whole_first, lower_half };

/// Task ids wrap at 16 bits: a name or record may carry the lower half where the other holds the wraps as well.
constexpr std::uint64_t lower_half(std::uint64_t task_id) noexcept {
    constexpr std::uint64_t kHardwareTaskIds = 65536;
    return task_id % kHardwareTaskIds;
}

inline std::optional<std::uint64_t> unless_none(std::optional<std::uint64_t> id) noexcept {
    return id && !tree::is_no_id(*id) ? id : std::nullopt;
}

/// All ones instead of the kernel's address is a mark of the compiler's; 0 is not set.
inline bool is_address(std::uint64_t value) noexcept {
    return value != 0 && value != std::numeric_limits<std::uint64_t>::max();
}

/// A type 0 is also that of records which have none set: then the unit shows what ran. Atomic additions are of tasks of
/// several types.
inline std::optional<std::uint64_t> task_type_of(const Record& record) noexcept {
    const std::uint64_t type = record.field(Field::task_type).value_or(0);
    switch (record.unit) {
        case Unit::dha_atomic:
        case Unit::l2_atomic: return type != 0 ? std::optional(type) : std::nullopt;
        case Unit::aicpu: return type != 0 ? type : logs::kAicpuKernel;
        case Unit::sdma: return type != 0 ? type : logs::kMemoryCopy;
        default: return type;
    }
}

inline TaskQuery query_of(const Record& record, std::optional<std::uint64_t> timestamp_us) {
    TaskQuery query;
    query.stream_id = unless_none(record.field(Field::stream_id));
    query.task_id = unless_none(record.field(Field::task_id));
    query.model_id = unless_none(record.field(Field::model_id));
    query.is_without_model = record.field(Field::model_id) && !query.model_id;
    query.context_id = unless_none(record.field(Field::context_id));
    query.thread_id = unless_none(record.field(Field::thread_id));
    query.task_type = task_type_of(record);
    query.timestamp_us = timestamp_us;
    for (const Field field : {Field::pc_start, Field::kernel_code}) {
        if (const auto address = record.field(field); address && is_address(*address)) {
            query.addresses.push_back(*address);
        }
    }
    return query;
}

/// A record that overflowed, with the time of the dump that holds it.
struct OverflowedRecord {
    const Record* record = nullptr;
    std::optional<std::uint64_t> timestamp_us;
};

/// Pointers lead into `dump`. The last of DHA, L2 and AI Core leads, as in the official converter's summary.
std::vector<OverflowedRecord> overflowed_records(const Dump& dump);

/// One question to the logs: a record of a dump, and all that can answer it.
struct Lookup {
    const Dump& dump;
    const TaskQuery& query;
    const TaskMap::Contents& map;
    const LocateOptions& options;

    const logs::MapIndex& index() const { return map.index(); }
    std::uint64_t stream() const { return *query.stream_id; }
    std::uint64_t task() const { return *query.task_id; }
    logs::TaskKey key() const { return {stream(), task()}; }

    /// Adds a remark, whose text may also contain the record's {stream} and {task}.
    void remark(Diagnostics& diagnostics, std::string_view id, std::vector<remarks::Field> fields = {}) const;

    /// "FILE:LINE", for remarks.
    std::string at(const logs::LogPlace& place) const;
    std::string at(const logs::StoredFact& fact) const { return at(fact.place); }

    /// A fact's line as evidence; the second form for another line that belongs to the fact.
    Evidence evidence(const logs::StoredFact& fact) const { return evidence(fact, fact.place); }
    Evidence evidence(const logs::StoredFact& fact, const logs::LogPlace& place) const;

    /// Adds the lines of a fact, each line once: one line may have the ids, the line before it the name.
    void prove(const logs::StoredFact& fact, std::vector<Evidence>& lines) const;
};

}  // namespace opdebug::locate_stage
