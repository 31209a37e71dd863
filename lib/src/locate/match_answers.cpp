#include "locate/match_answers.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "locate/device_lines.hpp"
#include "locate/match_fit.hpp"
#include "locate/match_remarks.hpp"
#include "locate/model_folder.hpp"
#include "locate/model_from_logs.hpp"
#include "locate/operator_from_logs.hpp"
#include "locate/overflow_lines.hpp"

namespace opdebug::locate_stage {
namespace {

/// A line under an id that was never confirmed counts only when nothing else tells what the task is.
void drop_unconfirmed(std::vector<MatchAnswer>& answers) {
    const bool is_told = std::any_of(answers.begin(), answers.end(), [](const MatchAnswer& answer) {
        return !answer.is_unconfirmed() && (!answer.operators.empty() || answer.is_explained);
    });
    if (is_told) {
        answers.erase(std::remove_if(answers.begin(), answers.end(),
                                     [](const MatchAnswer& answer) { return answer.is_unconfirmed(); }),
                      answers.end());
    }
}

/// Lines without a time, as consoles show them, count only when no others tell the task: nobody knows which use of the
/// ids they are about.
void drop_timeless(std::vector<MatchAnswer>& answers) {
    const auto is_timeless = [](const MatchAnswer& answer) { return answer.match->process->last_time_us == 0; };
    const bool is_told = std::any_of(answers.begin(), answers.end(), [&](const MatchAnswer& answer) {
        return !is_timeless(answer) && (!answer.operators.empty() || answer.is_explained);
    });
    if (is_told) {
        answers.erase(std::remove_if(answers.begin(), answers.end(), is_timeless), answers.end());
    }
}

std::vector<DeviceFact> device_facts_of(const std::vector<DeviceFact>& device, const TaskMatch& match) {
    std::vector<DeviceFact> facts;
    std::copy_if(device.begin(), device.end(), std::back_inserter(facts),
                 [&match](const DeviceFact& said) { return fits(said, match); });
    return facts;
}

bool is_same(const OperatorAnswer& a, const OperatorAnswer& b) {
    return a.name == b.name && a.type == b.type && a.kernel == b.kernel;
}

/// The best answer is the best by the device in the dump's name alone, a hint. Ranks with the same operators need none.
void remark_name_device(std::vector<MatchAnswer>& answers, const Dump& dump) {
    MatchAnswer& best = answers.front();
    const bool decides =
        !best.operators.empty() && std::any_of(answers.begin() + 1, answers.end(), [&best](const MatchAnswer& other) {
            return other.name_device_fit < best.name_device_fit &&
                   other.rank_without_hint() == best.rank_without_hint() &&
                   !is_same(other.operators.front(), best.operators.front());
        });
    if (decides) {
        best.diagnostics.push_back(
            {Severity::warning, "name_device_used",
             fmt::format(
                 "the ids fit several processes or devices alike; device {} is taken first, for the name of the "
                 "dump says so, which is a hint and no proof: no folder tells the device",
                 *dump.name->device_id)});
    }
}

}  // namespace

std::vector<MatchAnswer> answers_of(const TaskSearch& search, const Dump& dump, const TaskQuery& query,
                                    const TaskMap::Contents& map, const LocateOptions& options) {
    std::vector<MatchAnswer> answers;
    answers.reserve(search.matches.size());
    for (const TaskMatch& match : search.matches) {
        MatchAnswer answer;
        answer.match = &match;
        std::vector<const logs::StoredFact*> device =
            lines_that_hold(device_facts_of(search.device, match), dump, query, map, options, DeviceZone::any);
        drop_lines_of_past_models(match, *query.stream_id, map, device);
        answer.operators = operators_of_match(match, device, query, map, answer.diagnostics);
        answer.is_explained = answer.operators.empty() && !answer.diagnostics.empty();
        const OperatorAnswer* best = answer.operators.empty() ? nullptr : &answer.operators.front();
        answer.model = model_of_match(match, query, best, map, answer.diagnostics);
        add_model_of_device(device, best, query, map, answer.model);
        if (names_other_model(dump, answer.model)) {
            remark_model_folder(dump, lines_on_folder(&match, best, device, query, map), map, answer.diagnostics);
        }
        if (best != nullptr) {
            remark_wraps(match, query, map, answer.diagnostics);
            remark_later_line(match, map, answer.diagnostics);
            remark_ended_log(match, dump, query, map, options, answer.diagnostics);
            remark_pause(match, map, answer.diagnostics);
        }
        answers.push_back(std::move(answer));
    }
    drop_unconfirmed(answers);
    drop_timeless(answers);
    if (answers.size() > 1) {  // else it asks for memory all the same
        for (MatchAnswer& answer : answers) {
            answer.reports_overflow = overflow_report(*answer.match, query, map) != nullptr;
            answer.name_device_fit = name_device_fit_of(*answer.match, map, dump);
        }
        std::stable_sort(answers.begin(), answers.end(),
                         [](const MatchAnswer& a, const MatchAnswer& b) { return a.rank() < b.rank(); });
        remark_name_device(answers, dump);
    }
    return answers;
}

}  // namespace opdebug::locate_stage
