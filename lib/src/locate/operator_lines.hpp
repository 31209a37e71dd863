// Lines that name an operator or its type for a task → answers: which lines count more, and names that were cut.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include <opdebug/locate.hpp>
#include <opdebug/result.hpp>

#include "locate/candidates.hpp"
#include "logs/facts/fact.hpp"
#include "logs/facts/task_map.hpp"

namespace opdebug::locate_stage {

/// What a line that names an operator is about, the best evidence first: GE's or MindSpore's own table of a model's
/// tasks; the device's copy of it; the trace of an execution of dynamic shape; GE's, adump's or MindSpore's report on a
/// task for the case that it fails; the dump of a single operator; the line of a failure, by the runtime or the device;
/// a line with only the type of the operator.
enum class Statement { graph_task, device_table, execution_trace, exception_info, single_operator, failure, only_type };

/// Of a fact of kind operator_of_task. Formats of users count as graph_task (ge_log), device_table (device_log) or
/// single_operator (runtime_log).
Statement statement_of(const logs::Fact& fact) noexcept;

/// Whether the line names the node of an FFTS+ task as a whole, which means all its contexts.
bool names_whole_task(const logs::Fact& fact) noexcept;

/// Built-in formats that count otherwise than their log states, by the begin of their ids (docs/internals/logs.md).
struct StatementRow {
    std::string_view id_begins_with;
    Statement statement;
};
std::span<const StatementRow> statement_rows() noexcept;

/// What the lines on one task name in full. Views lead into the facts.
class FullNames {
public:
    void add(const std::vector<const logs::StoredFact*>& facts);

    /// The operator that the line names; where it was cut inside the name, the one name that begins like that, or else
    /// the longest cut one.
    std::string_view operator_of(const logs::Fact& fact) const;

    /// Whether only lines that were cut inside the name give it.
    bool is_cut(std::string_view name) const { return cut_names_.count(name) != 0 && names_.count(name) == 0; }

    /// "name_truncated": one of the lines names an operator or kernel that was cut, and no other names it in full.
    void remark(const std::vector<const logs::StoredFact*>& facts, const Lookup& lookup,
                Diagnostics& diagnostics) const;

private:
    std::string_view longest_cut(std::string_view name) const;

    std::set<std::string_view> names_;
    std::set<std::string_view> cut_names_;
};

using Facts = std::vector<const logs::StoredFact*>;

/// Lines that name an operator for the record; those that name its context push out those that do not. Where it has
/// none, the node of the whole FFTS+ task comes first. After them the names in the list of dumps, as far as they are
/// not those of producers of its inputs.
Facts operator_facts(const Facts& facts, const TaskQuery& query);

/// Whether one of them names the node of an FFTS+ task as a whole.
bool is_of_contexts(const Facts& facts);

/// Of lines of the host and of a device about one FFTS+ task. Where the device names the record's context, the host's
/// lines on the task as a whole are dropped. Where the record has no context, the device's lines on contexts are
/// dropped: they are no other operators, unless the host names these, too.
void keep_fitting_contexts(Facts& host, Facts& device, const TaskQuery& query);

/// Those of the lines that make this statement.
Facts facts_of(const Facts& facts, Statement statement);

/// One answer per operator name, in the order in which the lines name them.
std::vector<OperatorAnswer> answers_by_name(const Facts& facts, const FullNames& names, const Lookup& lookup);

/// Device logs name the producers of an operator's inputs under the operator's own ids, in lines without a type; where
/// other lines give a type, those names are not the operator's (seen in a real log of 2021: "data" next to a
/// TransData).
std::vector<OperatorAnswer> device_answers(const Facts& facts, const FullNames& names, const Lookup& lookup);

/// Of lines that contain only the operator's type.
std::vector<OperatorAnswer> typed_answers(const Facts& facts, const Lookup& lookup);

// What candidates name (operator_from_logs.cpp), and kernels (kernels.cpp).

/// Whether what the log states can be of the operator that another source names: the nodes' names as files spell them,
/// or the node in the kernel's name, or else the types must not contradict.
bool may_be_one(const OperatorAnswer& log, const OperatorAnswer& other);

/// The operators that one candidate names: several when its lines name several. Empty when it names none; then
/// `diagnostics` may name what the task is instead (end-of-graph or overflow-debug task).
std::vector<OperatorAnswer> operators_of_candidate(const Candidate& candidate,
                                                   const std::vector<const logs::StoredFact*>& device,
                                                   const Lookup& lookup, Diagnostics& diagnostics);

/// The operators that device-side logs alone name.
std::vector<OperatorAnswer> operators_of_device(const std::vector<const logs::StoredFact*>& device,
                                                const Lookup& lookup, Diagnostics& diagnostics);

/// The line that names the task's kernel: the last launch line not after the time (a model's task can get another
/// kernel), else the first; the line of a failure when there is no other. Null: none.
const logs::StoredFact* kernel_fact(const Candidate& candidate);

/// Lines without a process id may be of several processes, as the texts of exceptions on the console of a job: each
/// kernel that they name on the task may be the one. Else it is `kernel`.
std::vector<const logs::StoredFact*> possible_kernels(const Candidate& candidate, const logs::StoredFact& kernel);

/// Whether the kernel is that of a node. Where the line was cut inside the kernel's name, it holds the begin of it.
bool is_kernel_of(const logs::StoredFact& kernel, const std::string& node);

/// Gives each answer the kernel; where several operators are named, the one whose kernel it is comes first.
void add_kernel(std::vector<OperatorAnswer>& answers, const logs::StoredFact& kernel, const Lookup& lookup);

/// "sources_disagree": the kernel's name holds a node that no line names, also as written in the names of files. A name
/// whose line was cut proves nothing.
void remark_kernel_of_other(const std::vector<OperatorAnswer>& answers, const logs::StoredFact& kernel,
                            const FullNames& names, const Lookup& lookup, Diagnostics& diagnostics);

/// The content of a launch line, or of the line of a failure: the kernel, and node or type where its name holds them.
OperatorAnswer answer_from_kernel(const logs::StoredFact& kernel, const Lookup& lookup, Diagnostics& diagnostics);

}  // namespace opdebug::locate_stage
