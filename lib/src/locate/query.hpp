// What is asked for: the ids of one overflowed record, markers for "none" taken out.
#pragma once

#include <cstdint>
#include <optional>

#include <opdebug/record.hpp>

#include "tree/no_id.hpp"

namespace opdebug::locate_stage {

struct TaskQuery {
    std::optional<std::uint64_t> stream_id, task_id;
    std::optional<std::uint64_t>
        model_id;  ///< runtime model id (inferred: the record is written by the task scheduler)
    std::optional<std::uint64_t> context_id, thread_id;
    std::optional<std::uint64_t> timestamp_us;  ///< of the dump that holds the record, UTC
};

inline std::optional<std::uint64_t> unless_none(std::optional<std::uint64_t> id) noexcept {
    return id && !tree::is_no_id(*id) ? id : std::nullopt;
}

inline TaskQuery query_of(const Record& record, std::optional<std::uint64_t> timestamp_us) noexcept {
    TaskQuery query;
    query.stream_id = unless_none(record.field(Field::stream_id));
    query.task_id = unless_none(record.field(Field::task_id));
    query.model_id = unless_none(record.field(Field::model_id));
    query.context_id = unless_none(record.field(Field::context_id));
    query.thread_id = unless_none(record.field(Field::thread_id));
    query.timestamp_us = timestamp_us;
    return query;
}

}  // namespace opdebug::locate_stage
