// Masks and constants of a file: whether what comes of them is bad.
#include "api_culprits/exchanges.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "api_culprits/value_state.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::api_culprits {
namespace {

/// The assumed bad inputs are masks. Results with NaN or +Inf are then the call's own.
void unblame_inputs(DraftFinding& draft) {
    const bool made = draft.strong;
    draft.finding.verdict = made ? ApiVerdict::born_here : ApiVerdict::deliberate;
    add_reason(remarks::phrase(made ? "reason_add.mask_of_rank_clean" : "reason_add.mask_of_rank"), draft.finding);
    draft.strong = made;
    draft.awaits = Awaits::nothing;
}

/// An assumed mask is a bad value. `why`: the id of the reason.
void blame_masks(const char* why, DraftFinding& draft) {
    draft.finding.verdict = ApiVerdict::inherited;
    add_reason(remarks::phrase(why), draft.finding);
}

bool was_brought(const DraftFinding& feeder) {
    return feeder.finding.verdict == ApiVerdict::in_collective ||
           (feeder.finding.verdict == ApiVerdict::inherited && feeder.came_from_rank);
}

/// "Torch.log.0" of "Torch.log.0.backward".
std::string_view name_of_call(const DraftFinding& draft) {
    const std::string_view api = draft.finding.api;
    return api.substr(0, api.rfind('.'));
}

/// Logarithms of zero are masks, unless NaN, +Inf or a bad gradient of their own comes of them, and of no other mask.
/// `blamed`: by finding, the id of the reason.
void blame_logarithms(std::vector<DraftFinding>& all, std::vector<const char*>& blamed) {
    std::vector<std::optional<std::size_t>> logarithms(all.size());  // by finding: the source of its masks
    std::map<std::string_view, std::size_t> by_name;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const DraftFinding& draft = all[i];
        if (draft.is_logarithm) {
            logarithms[i] = i;
            by_name.emplace(name_of_call(draft), i);
            continue;
        }
        const bool are_all = std::all_of(draft.masks_from.begin(), draft.masks_from.end(),
                                         [&logarithms](std::size_t by) { return logarithms[by].has_value(); });
        if (are_all && !draft.makes_mask && !draft.masks_from.empty()) {
            logarithms[i] = logarithms[draft.masks_from.front()];
        }
        std::optional<std::size_t> source = is_origin(draft) ? logarithms[i] : std::nullopt;
        if (draft.phase == ApiPhase::backward && is_origin(draft)) {
            const auto forward = by_name.find(name_of_call(draft));
            source = forward != by_name.end() ? std::optional(forward->second) : source;
        }
        if (source && blamed[*source] == nullptr) {
            DraftFinding& logarithm = all[*source];
            logarithm.finding.verdict = ApiVerdict::born_here;
            logarithm.strong = true;
            add_reason(remarks::phrase("reason_add.logarithm", {{"call", draft.finding.api}}), logarithm.finding);
            blamed[*source] = "reason_add.mask_is_logarithm";
        }
    }
}

/// Feeders precede the calls that they feed, so one pass through the file is enough.
void settle_file(FileFacts& file) {
    std::vector<DraftFinding>& all = file.drafts;
    std::vector<const char*> blamed(all.size());
    blame_logarithms(all, blamed);
    std::vector<bool> communicates(all.size());
    for (const Transfer& transfer : file.transfers) {
        if (transfer.draft) {
            communicates[*transfer.draft] = true;
        }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        DraftFinding& draft = all[i];
        const ApiVerdict verdict = draft.finding.verdict;
        // NaN after a call between ranks may come from another rank.
        const bool blames = (verdict == ApiVerdict::inherited || verdict == ApiVerdict::absorbed) &&
                            !draft.came_from_rank && !(communicates[i] && draft.strong);
        if (blames && !draft.fed_by.empty() &&
            std::all_of(draft.fed_by.begin(), draft.fed_by.end(),
                        [&all](std::size_t by) { return all[by].finding.verdict == ApiVerdict::deliberate; })) {
            unblame_inputs(draft);
            continue;
        }
        const bool excuses = is_origin(draft) || verdict == ApiVerdict::deliberate;
        for (const std::size_t by : draft.masks_from) {
            const char* const why = was_brought(all[by]) ? "reason_add.no_mask" : blamed[by];
            if (excuses && why != nullptr) {
                blame_masks(why, draft);
                blamed[i] = why;
                break;
            }
        }
    }
}

/// Whether a bad value of the finding may be a view of the constant's, which are often not dumped: equal except for the
/// shape.
bool shows_statistics_of(const DraftFinding& constant, const DraftFinding& draft) {
    const auto is_bad_value = [](const ApiFindingValue& shown) { return is_bad(shown.state); };
    const std::vector<ApiFindingValue>& values = draft.finding.values;
    return std::any_of(values.begin(), values.end(), [&](const ApiFindingValue& shown) {
        const std::vector<ApiFindingValue>& made = constant.finding.values;
        return is_bad_value(shown) && std::any_of(made.begin(), made.end(), [&](const ApiFindingValue& result) {
                   return result.value.kind == ApiValueKind::output && is_bad_value(result) &&
                          statistics_fingerprint_of(result.value) == statistics_fingerprint_of(shown.value);
               });
    });
}

bool makes_nan(const DraftFinding& draft) {
    const std::vector<ApiFindingValue>& values = draft.finding.values;
    return std::any_of(values.begin(), values.end(), [](const ApiFindingValue& shown) {
        return shown.value.kind == ApiValueKind::output && shown.state == ApiState::nan;
    });
}

/// Constants that are infinite or NaN by an argument may be meant, as the start value of a minimum. They are meant if
/// all that comes of them ends in calls with clean results, and no NaN is made of an infinite one. Otherwise they are
/// the origin.
void settle_constants(std::vector<DraftFinding>& all) {
    std::vector<std::size_t> constants;
    std::vector<std::optional<std::size_t>> sources(all.size());  // by finding: the constant that it shows
    std::vector<bool> is_used(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const DraftFinding& draft = all[i];
        if (draft.is_constant) {
            sources[i] = i;
            constants.push_back(i);
            continue;
        }
        for (const std::size_t by : draft.fed_by) {
            is_used[by] = true;
        }
        const auto has_source = [&sources](std::size_t by) { return sources[by].has_value(); };
        if (!draft.fed_by.empty()) {
            const bool are_all = std::all_of(draft.fed_by.begin(), draft.fed_by.end(), has_source);
            sources[i] = are_all ? sources[draft.fed_by.front()] : std::nullopt;
        } else if (has_bad_input(draft)) {
            const auto viewed = std::find_if(constants.begin(), constants.end(), [&](std::size_t constant) {
                return shows_statistics_of(all[constant], draft);
            });
            sources[i] = viewed == constants.end() ? std::nullopt : std::optional(*viewed);
        }
    }
    std::map<std::size_t, std::size_t> staying;  // constants, and the first finding at which they stay
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool is_of_constant = sources[i] && sources[i] != i && !all[i].bad.empty();
        if (is_of_constant && (!is_used[i] || (makes_nan(all[i]) && !makes_nan(all[*sources[i]])))) {
            staying.emplace(*sources[i], i);
        }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!sources[i]) {
            continue;
        }
        const auto stays = staying.find(*sources[i]);
        if (stays == staying.end()) {
            all[i].finding.verdict = all[i].bad.empty() ? all[i].finding.verdict : ApiVerdict::deliberate;
            all[i].strong = false;
        } else if (stays->first == i) {
            add_reason(remarks::phrase("reason_add.constant", {{"call", all[stays->second].finding.api}}),
                       all[i].finding);
        }
    }
}

}  // namespace

void settle_masks(const Step& step) {
    for (const TimeLine& line : step.lines) {
        for (FileFacts* const file : line.files) {
            settle_file(*file);
            settle_constants(file->drafts);
        }
    }
}

}  // namespace opdebug::api_culprits
