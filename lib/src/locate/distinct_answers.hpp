// A list of answers without repetitions.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <opdebug/locate.hpp>

namespace opdebug::locate_stage {

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

}  // namespace opdebug::locate_stage
