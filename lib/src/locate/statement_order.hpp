// Which lines count more when they name different operators for one task.
#pragma once

#include <span>
#include <string_view>

#include "logs/facts/fact.hpp"

namespace opdebug::locate_stage {

/// What a line that names an operator is about, the best proof first: GE's or MindSpore's own table of a model's tasks;
/// the device's copy of it; the trace of an execution of dynamic shape; GE's, adump's or MindSpore's report on a task
/// for the case that it fails; the dump of a single operator; the line of a failure, by the runtime or the
/// device. A line with only the
/// type of the operator comes last.
enum class Statement { graph_task, device_table, execution_trace, exception_info, single_operator, failure, only_type };

/// Of a fact of kind operator_of_task. Formats of users count as graph_task (ge_log), device_table (device_log) or
/// single_operator (runtime_log).
Statement statement_of(const logs::Fact& fact) noexcept;

/// Whether the line names the node of an FFTS+ task as a whole, which stands for all its contexts.
bool names_whole_task(const logs::Fact& fact) noexcept;

/// Built-in formats that count otherwise than their log says, by the begin of their ids (docs/log-formats.md).
struct StatementRow {
    std::string_view id_begins_with;
    Statement statement;
};
std::span<const StatementRow> statement_rows() noexcept;

}  // namespace opdebug::locate_stage
