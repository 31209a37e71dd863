// What one record's ids lead to: the answers of operator dumps and of each possible use in the logs, and how they are
// put in order.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/candidates.hpp"

namespace opdebug::locate_stage {

struct Found {
    std::vector<OperatorAnswer> operators;  ///< best first
    std::optional<LocatedOpDump> op_dump;
    std::optional<LocatedModel> model;
    bool is_model_open = false;             ///< the possible operators are of several models
    bool has_exact_dump = false;            ///< a dump next to the overflow dump names the operator
    bool is_use_inferred = false;           ///< the lines on the operator may be of another use of the ids
    std::optional<int> utc_offset_minutes;  ///< zone of the logs, where it is sure
    std::vector<ComparedUse> uses;
    std::vector<Diagnostic> diagnostics;
};

inline bool has_remark(const Diagnostics& diagnostics, std::string_view code) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [code](const Diagnostic& remark) { return remark.code == code; });
}

/// Adds answers that are not there yet. One task can have a hundred thousand operators (contexts of FFTS+), and as many
/// processes may have launched something: an index finds those that are known. Nearly every task has one, which no
/// index is made for.
class DistinctAnswers {
public:
    explicit DistinctAnswers(std::vector<OperatorAnswer>& answers) : answers_(answers) {}

    void add(OperatorAnswer answer) {
        if (!answers_.empty() && known_.empty()) {
            for (const OperatorAnswer& known : answers_) {
                known_.insert(names_of(known));
            }
        }
        if (answers_.empty() || known_.insert(names_of(answer)).second) {
            answers_.push_back(std::move(answer));
        }
    }

private:
    using Names = std::tuple<std::optional<std::string>, std::optional<std::string>, std::optional<std::string>>;

    static Names names_of(const OperatorAnswer& answer) { return {answer.name, answer.type, answer.kernel}; }

    std::vector<OperatorAnswer>& answers_;
    std::set<Names> known_;
};

/// Adds what the logs state of a record that has both ids.
void find_in_logs(const Lookup& lookup, Found& found);

// The address of the kernel's code (kernels.cpp): the last resort, and a check.

/// Adds the kernels that have an address of the record, in every process: when nothing else shows it.
void find_by_address(const Lookup& lookup, Found& found);

/// Compares the kernel that the ids gave with the one that the address gives, in the same process. `found` has an
/// operator.
void check_address(const Candidate& candidate, const Lookup& lookup, Found& found);

// The operator's own files next to the overflow dump (op_dump.cpp): its dump, its tensors as .npy, a list of
// statistics. They are the best evidence of its name.

/// The operators whose dumps were found, and the dumps; several when they are equally near.
struct FoundOpDumps {
    std::vector<OperatorAnswer> answers;  ///< their evidence names the files
    std::vector<LocatedOpDump> files;
    /// One dump was written within half a second of its own overflow dump: it names the operator, whatever logs state.
    bool decides = false;
};

/// The operators of the same folder, and of MindSpore's folders of the same iteration, whose files carry the query's
/// stream and task: of each folder those nearest in time, of ids that are a hint those within a minute. Of `options`,
/// `folders` (not null) and `limits` are used.
FoundOpDumps find_op_dumps(const Dump& dump, const TaskQuery& query, const LocateOptions& options,
                           Diagnostics& diagnostics);

/// The dump of this answer: that of its first evidence of kind op_dump.
std::optional<LocatedOpDump> op_dump_of(const OperatorAnswer& answer, std::vector<LocatedOpDump> files);

/// Whether the dump is in another folder than the operator dumps, as MindSpore writes them: it joins both by the dump's
/// name.
bool joins_by_name(const Dump& dump, const LocateOptions& options);

/// Adds, before the others, the operators whose dumps carry the ids of the name. The remark "name_ids_used" states how
/// sure that is.
void find_by_name_ids(const Dump& dump, const TaskQuery& record, const LocateOptions& options, Found& found);

}  // namespace opdebug::locate_stage
