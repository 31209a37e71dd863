#include "api_ties/by_type.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "api_ties/finding_call.hpp"

namespace opdebug::api_ties {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::uint64_t kAnyTensors = 0;  ///< nothing is known of the operator's tensors
constexpr std::uint64_t kNoValues = 1;    ///< a finding without bad values: its tensors are not known

/// One number for a type and shape.
std::uint64_t tensor_print(const std::string& dtype, const std::vector<std::uint64_t>& shape) {
    std::string text = dtype;
    for (const std::uint64_t extent : shape) {
        text += ',' + std::to_string(extent);
    }
    return std::hash<std::string>()(text) | 2U;  // apart from the two marks above
}

std::vector<std::uint64_t> prints_of(const KernelOverflow& overflow) {
    std::set<std::uint64_t> prints;
    for (std::size_t i = 0; i < std::min(overflow.dtypes.size(), overflow.shapes.size()); ++i) {
        prints.insert(tensor_print(overflow.dtypes[i], overflow.shapes[i]));
    }
    return {prints.begin(), prints.end()};
}

std::vector<std::uint64_t> prints_of(const ApiFinding& finding) {
    std::set<std::uint64_t> prints{kAnyTensors};
    for (const ApiFindingValue& bad : finding.values) {
        if (!bad.value.is_scalar) {
            prints.insert(tensor_print(bad.value.dtype, bad.value.shape));
        }
    }
    if (prints.size() == 1) {
        prints.insert(kNoValues);
    }
    return {prints.begin(), prints.end()};
}

/// Whether tensors of the two were compared. A finding without bad values is not held to it.
bool has_tensors(const KernelOverflow& overflow, const ApiFinding& finding) {
    return !prints_of(overflow).empty() && std::any_of(finding.values.begin(), finding.values.end(),
                                                       [](const ApiFindingValue& bad) { return !bad.value.is_scalar; });
}

/// Whether the findings stand in the order in which they were made: in one file, or in files of one step after the
/// other.
bool is_ordered(const ApiReport& report, const FindingList& list) {
    for (std::size_t i = 1; i < list.size(); ++i) {
        const ApiFinding& before = report.findings[list[i - 1]];
        const ApiFinding& here = report.findings[list[i]];
        const bool same_file = before.file == here.file && before.position < here.position;
        const bool later_step = before.step && here.step && *before.step < *here.step && before.rank == here.rank;
        if (!same_file && !later_step) {
            return false;
        }
    }
    return true;
}

}  // namespace

ByType::ByType(const Findings& findings, const std::vector<KernelOverflow>& overflows, const Places& places,
               const KernelTable& table)
    : findings_(findings), overflows_(overflows), table_(table), losses_(findings.report()) {
    const auto want = [this](const std::string& name) { wanted_.emplace(name, static_cast<Key>(wanted_.size())); };
    for (const KernelOverflow& overflow : overflows) {
        const std::string type = type_of(overflow);
        if (!type.empty()) {
            want("family " + plain_name(family_in_kernel(overflow.kernel)));
            want("type " + type);
            want("name " + plain_name(type));
        }
        for (const std::uint64_t print : prints_of(overflow)) {
            wanted_tensors_[print] = true;
        }
    }
    for (std::size_t i = 0; i < findings.report().findings.size() && !wanted_.empty(); ++i) {
        index_finding(i);
    }
    answer_all(overflows, places);
}

void ByType::add_key(std::vector<Key>& keys, const std::string& name) const {
    const auto known = wanted_.find(name);
    if (known != wanted_.end()) {
        keys.push_back(known->second);
    }
}

/// The wanted names of a call. Types of backwards are called {type}Grad where the table does not know better: that is
/// how CANN names them (inferred from ReluGrad, GeluGrad, SigmoidGrad, ...).
std::vector<ByType::Key> ByType::keys_of(const ApiFinding& finding) {
    const FindingCall call = call_of(finding);
    const auto known = keys_of_calls_.find(call.function + (call.is_backward ? " backward" : " forward"));
    if (known != keys_of_calls_.end()) {
        return known->second;
    }
    std::vector<Key> keys;
    const std::string name = plain_name(call.function);
    if (call.is_kernel) {
        add_key(keys, "type " + call.function);
    } else if (!name.empty()) {
        const std::string end = call.is_backward ? "grad" : "";
        add_key(keys, "name " + name + end);
        add_key(keys, "family " + name + end);
        if (call.is_backward) {
            add_key(keys, "family " + name + "backward");
        }
        if (const ApiKernels* const row = table_.row_of(call.function)) {
            for (const std::string& type : call.is_backward ? row->backward : row->forward) {
                add_key(keys, "type " + type);
            }
        }
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys_of_calls_[call.function + (call.is_backward ? " backward" : " forward")] = keys;
}

std::vector<ByType::Key> ByType::keys_of(const KernelOverflow& overflow) {
    std::vector<Key> keys;
    const std::string type = type_of(overflow);
    if (!type.empty()) {
        const std::string_view family = family_in_kernel(overflow.kernel);
        if (!family.empty()) {
            add_key(keys, "family " + plain_name(family));
        }
        add_key(keys, "type " + type);
        add_key(keys, "name " + plain_name(type));
    }
    return keys;
}

void ByType::index_finding(std::size_t finding) {
    const ApiFinding& found = findings_.report().findings[finding];
    const Chance chance = chance_of(found.verdict);
    if (chance == Chance::never) {
        return;
    }
    const std::vector<Key> keys = keys_of(found);
    if (keys.empty()) {
        return;
    }
    std::vector<std::uint64_t> prints = prints_of(found);
    prints.erase(
        std::remove_if(prints.begin(), prints.end(),
                       [this](std::uint64_t print) { return print > kNoValues && wanted_tensors_.count(print) == 0; }),
        prints.end());
    for (const Place& place : api_ties::places_of(found)) {
        for (const Key key : keys) {
            for (const std::uint64_t print : prints) {
                (chance == Chance::likely ? likely_ : possible_)[{place, key, print}].push_back(finding);
            }
        }
    }
}

FindingList ByType::listed(const Question& question, Key key, bool likely) const {
    const auto& [places, keys, prints] = question;
    const std::map<List, FindingList>& lists = likely ? likely_ : possible_;
    FindingList found;
    for (const Place& place : places) {
        for (const std::uint64_t print : prints) {
            const auto list = lists.find({place, key, print});
            if (list != lists.end()) {
                found.insert(found.end(), list->second.begin(), list->second.end());
            }
        }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

/// A kernel's API family says more than its type. A type of the table and an equal name are of the same worth.
FindingList ByType::answer(const Question& question) const {
    const std::vector<Key>& keys = std::get<1>(question);  // the family, where there is one, the type, the name
    const bool has_family = keys.size() == 3;
    for (const bool likely : {true, false}) {
        FindingList found = has_family ? listed(question, keys.front(), likely) : FindingList();
        if (found.empty()) {
            const FindingList by_table = listed(question, keys[keys.size() - 2], likely);
            const FindingList by_name = listed(question, keys.back(), likely);
            std::set_union(by_table.begin(), by_table.end(), by_name.begin(), by_name.end(), std::back_inserter(found));
        }
        if (!found.empty()) {
            return found;
        }
    }
    return {};
}

void ByType::answer_all(const std::vector<KernelOverflow>& overflows, const Places& places) {
    std::map<Question, std::vector<std::size_t>> questions;
    answer_of_.resize(overflows.size(), kNone);
    paired_with_.resize(overflows.size(), kNone);
    nth_.resize(overflows.size(), 0);
    for (std::size_t i = 0; i < overflows.size(); ++i) {
        std::vector<Key> keys = keys_of(overflows[i]);
        if (keys.empty()) {
            continue;
        }
        std::vector<std::uint64_t> prints = prints_of(overflows[i]);
        prints.push_back(prints.empty() ? kAnyTensors : kNoValues);
        questions[{places.places_of(overflows[i]), std::move(keys), std::move(prints)}].push_back(i);
    }
    for (const auto& [question, asking] : questions) {
        for (const std::size_t overflow : asking) {
            answer_of_[overflow] = answers_.size();
        }
        answers_.push_back({answer(question), asking.size()});
        pair_in_order(asking, answers_.back().findings);
    }
}

/// The n-th with the n-th, where there are as many on both sides and their order is known.
void ByType::pair_in_order(const std::vector<std::size_t>& overflows, const FindingList& fitting) {
    std::vector<std::size_t> by_time = overflows;
    std::sort(by_time.begin(), by_time.end(), [this](std::size_t left, std::size_t right) {
        return overflows_[left].timestamp_us < overflows_[right].timestamp_us;
    });
    const bool has_times =
        overflows_[by_time.front()].timestamp_us.has_value() &&
        std::adjacent_find(by_time.begin(), by_time.end(), [this](std::size_t left, std::size_t right) {
            return overflows_[left].timestamp_us == overflows_[right].timestamp_us;
        }) == by_time.end();
    const bool is_known = overflows.size() == 1 || (has_times && is_ordered(findings_.report(), fitting));
    const bool is_whole = std::none_of(fitting.begin(), fitting.end(), [this](std::size_t finding) {
        return losses_.has_of(findings_.report().findings[finding].rank);
    });
    if (fitting.size() != overflows.size() || !is_known || !is_whole) {
        return;
    }
    for (std::size_t i = 0; i < by_time.size(); ++i) {
        paired_with_[by_time[i]] = fitting[i];
        nth_[by_time[i]] = i + 1;
    }
}

Fits ByType::of(std::size_t overflow) const {
    Fits fits;
    if (answer_of_[overflow] == kNone) {
        return fits;
    }
    const auto& [list, overflows] = answers_[answer_of_[overflow]];
    const auto type = [&](std::size_t finding) {
        const bool is_measured = has_tensors(overflows_[overflow], findings_.report().findings[finding]);
        return fmt::format("operator type {} fits{}", type_of(overflows_[overflow]),
                           is_measured ? ", type and shape of a tensor are equal" : "");
    };
    if (paired_with_[overflow] != kNone) {
        fits.told.push_back({ApiTieLevel::type_and_order,
                             paired_with_[overflow],
                             {},
                             fmt::format("{}; number {} of {} such overflows and of as many calls",
                                         type(paired_with_[overflow]), nth_[overflow], list.size())});
        return fits;
    }
    for (std::size_t i = 0; i < std::min(kMostTies, list.size()); ++i) {
        fits.told.push_back({ApiTieLevel::type_only,
                             list[i],
                             {},
                             fmt::format("{}; such overflows: {}, such calls: {}: which belong together is not known",
                                         type(list[i]), overflows, list.size())});
    }
    fits.left_out = list.size() - fits.told.size();
    return fits;
}

}  // namespace opdebug::api_ties
