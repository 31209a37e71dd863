// Lines that name an operator or its type for a task → answers.
#pragma once

#include <cstdint>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/cut_names.hpp"
#include "locate/query.hpp"
#include "locate/statement_order.hpp"
#include "logs/facts/task_map.hpp"

namespace opdebug::locate_stage {

using Facts = std::vector<const logs::StoredFact*>;

/// Lines that name an operator for the record; those that name its context push out those that do not. Where it has
/// none, the node of the whole FFTS+ task comes first. Behind them the names in the list of dumps, as far as they are
/// not those of producers of its inputs.
Facts operator_facts(const Facts& facts, const TaskQuery& query);

/// Whether one of them names the node of an FFTS+ task as a whole.
bool is_of_contexts(const Facts& facts);

/// Of such lines of the host and of a device that are about one FFTS+ task: where those of the device name the record's
/// context, without the host's on the task as a whole; where the record has none, without the device's on contexts of
/// it, which are no other operators, as far as the host does not name these, too. Lines of the device that are older
/// than `since_us` may be of an ended load that had the ids.
void keep_fitting_contexts(Facts& host, Facts& device, const TaskQuery& query, std::int64_t since_us);

/// Those of the lines that make this statement.
Facts facts_of(const Facts& facts, Statement statement);

/// One answer per operator name, in the order in which the lines name them.
std::vector<OperatorAnswer> answers_by_name(const Facts& facts, const FullNames& names, const TaskMap::Contents& map);

/// Device logs name the producers of an operator's inputs under the operator's own ids, in lines without a type; where
/// other lines give a type, those names are not the operator's (seen in a real log of 2021: "data" beside a TransData).
std::vector<OperatorAnswer> device_answers(const Facts& facts, const FullNames& names, const TaskMap::Contents& map);

/// Of lines in which only the operator's type stands.
std::vector<OperatorAnswer> typed_answers(const Facts& facts, const TaskMap::Contents& map);

}  // namespace opdebug::locate_stage
