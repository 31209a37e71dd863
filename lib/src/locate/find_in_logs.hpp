// One record's ids, looked up in the logs: operator, model, or the reason why there is none.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/query.hpp"

namespace opdebug::locate_stage {

/// What one record's ids lead to.
struct Found {
    std::vector<OperatorAnswer> operators;  ///< best first
    std::optional<LocatedOpDump> op_dump;
    std::optional<LocatedModel> model;
    bool is_model_open = false;    ///< the possible operators are of several models
    bool is_use_inferred = false;  ///< the lines on the operator may be of another use of the ids
    std::vector<ComparedUse> uses;
    std::vector<Diagnostic> diagnostics;
};

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

/// Adds what the logs of `options` say; they are not null.
void find_in_logs(const Dump& dump, const TaskQuery& query, const LocateOptions& options, Found& found);

}  // namespace opdebug::locate_stage
