#include "api_ties/by_type.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "api_ties/by_saved_time.hpp"
#include "api_ties/finding_call.hpp"
#include "api_ties/tensor_prints.hpp"

namespace opdebug::api_ties {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// Calls of one type whose times are looked at for one overflow.
constexpr std::size_t kMaxCandidates = 1000;

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
               const KernelTable& table, const std::vector<bool>& lacking)
    : findings_(findings), overflows_(overflows), table_(table), lacking_(lacking), losses_(findings.report()) {
    const auto want = [this](const std::string& name) { wanted_.emplace(name, static_cast<Key>(wanted_.size())); };
    for (const KernelOverflow& overflow : overflows) {
        const std::string type = type_of(overflow);
        if (!type.empty()) {
            want("family " + plain_name(family_in_kernel(overflow.kernel)));
            want("type " + type);
            want("name " + plain_name(type));
        }
        for (const std::uint64_t print : prints_of(overflow)) {
            wanted_tensors_.insert(print);
        }
    }
    for (std::size_t i = 0; i < findings.report().findings.size() && !wanted_.empty(); ++i) {
        index_finding(i);
    }
    answer_all(places);
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
    tensors_of_calls_.insert(prints.begin(), prints.end());
    for (const Place& place : api_ties::places_of(found)) {
        for (const Key key : keys) {
            for (const std::uint64_t print : prints) {
                (chance == Chance::likely ? likely_ : possible_)[{place, key, print}].push_back(finding);
            }
        }
    }
}

FindingList ByType::listed(const PlacesAndNames& asked, const Tensors& tensors, Key key, bool likely) const {
    const std::map<List, FindingList>& lists = likely ? likely_ : possible_;
    FindingList found;
    for (const Place& place : asked.first) {
        for (const std::uint64_t print : tensors) {
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
FindingList ByType::fitting(const PlacesAndNames& asked, const Tensors& tensors, bool likely) const {
    const std::vector<Key>& keys = asked.second;  // the family, where there is one, the type, the name
    const bool has_family = keys.size() == 3;
    FindingList found = has_family ? listed(asked, tensors, keys.front(), likely) : FindingList();
    if (found.empty()) {
        const FindingList by_table = listed(asked, tensors, keys[keys.size() - 2], likely);
        const FindingList by_name = listed(asked, tensors, keys.back(), likely);
        std::set_union(by_table.begin(), by_table.end(), by_name.begin(), by_name.end(), std::back_inserter(found));
    }
    return found;
}

std::size_t ByType::keep(const FindingList& fitting, std::size_t most) {
    const auto kept = static_cast<std::ptrdiff_t>(std::min(fitting.size(), most));
    lists_.push_back({{fitting.begin(), fitting.begin() + kept}, fitting.size()});
    return lists_.size() - 1;
}

void ByType::answer_all(const Places& places) {
    std::map<PlacesAndNames, Group> groups;
    answer_of_.resize(overflows_.size(), kNone);
    pairs_.resize(overflows_.size());
    for (std::size_t i = 0; i < overflows_.size(); ++i) {
        std::vector<Key> keys = keys_of(overflows_[i]);
        if (keys.empty()) {
            continue;
        }
        Tensors tensors = prints_of(overflows_[i]);
        const std::uint64_t further = tensors.empty() ? kAnyTensors : kNoValues;
        // What no call has makes no difference: overflows that differ by it alone ask for the same calls.
        tensors.erase(std::remove_if(tensors.begin(), tensors.end(),
                                     [this](std::uint64_t print) { return tensors_of_calls_.count(print) == 0; }),
                      tensors.end());
        tensors.push_back(further);
        Group& group = groups[{places.places_of(overflows_[i]), std::move(keys)}];
        group.overflows.push_back(i);
        group.by_tensors[std::move(tensors)].push_back(i);
    }
    for (const auto& [asked, group] : groups) {
        answer_group(asked, group);
    }
}

/// Kernels see tensors in other shapes than calls where these were flattened, padded or cast. So tensors that fit
/// choose among calls, and where none fits the operator type still says something.
void ByType::answer_group(const PlacesAndNames& asked, const Group& group) {
    FindingList of_any = fitting(asked, {kAnyTensors}, true);
    const bool has_likely = !of_any.empty();
    if (!has_likely) {
        of_any = fitting(asked, {kAnyTensors}, false);
    }
    // Of some the operator was dumped, of others not: all together they may be as many as the calls.
    pair_in_order(group.overflows, of_any);
    const std::size_t list_of_any = keep(of_any, kMaxCandidates);
    std::unordered_map<std::size_t, std::size_t> asked_for;  // how many of the answers have a finding
    for (const auto& [tensors, asking] : group.by_tensors) {
        FindingList found = fitting(asked, tensors, true);
        Answer answer;
        if (found.empty()) {
            found = fitting(asked, tensors, false);
            answer.is_doubted = has_likely;
        }
        answer.tensors_differ = found.empty();
        answer.list = found.empty() ? list_of_any : keep(found, std::max(kMaxCandidates, asking.size()));
        answer.overflows = found.empty() ? group.overflows.size() : asking.size();
        for (const std::size_t finding : found) {
            ++asked_for[finding];
        }
        for (const std::size_t overflow : asking) {
            answer_of_[overflow] = answers_.size();
        }
        answers_.push_back(answer);
    }
    for (const auto& [tensors, asking] : group.by_tensors) {
        Answer& answer = answers_[answer_of_[asking.front()]];
        const FindingList& list = lists_[answer.list].first;
        answer.is_shared = !answer.tensors_differ &&
                           std::any_of(list.begin(), list.end(), [&](std::size_t i) { return asked_for[i] > 1; });
        const bool is_whole = list.size() == lists_[answer.list].all;
        if (is_whole && !answer.tensors_differ && !answer.is_doubted && !answer.is_shared && !pairs_[asking.front()]) {
            pair_in_order(asking, list);
        }
    }
}

/// Whether the n-th must belong to the n-th: times differ, no one is missing on either side, nothing contradicts.
bool ByType::is_order_known(const std::vector<std::size_t>& by_time, const FindingList& fitting) const {
    const bool has_times =
        overflows_[by_time.front()].timestamp_us.has_value() &&
        std::adjacent_find(by_time.begin(), by_time.end(), [this](std::size_t left, std::size_t right) {
            return overflows_[left].timestamp_us == overflows_[right].timestamp_us;
        }) == by_time.end();
    if (by_time.size() != 1 && (!has_times || !is_ordered(findings_.report(), fitting))) {
        return false;
    }
    const std::vector<ApiFinding>& all = findings_.report().findings;
    for (std::size_t i = 0; i < by_time.size(); ++i) {
        const bool is_lacking = !lacking_.empty() && lacking_[by_time[i]];
        if (is_lacking || losses_.has_of(all[fitting[i]].rank) ||
            !has_equal_tensors(overflows_[by_time[i]], all[fitting[i]]) ||
            !contradicting_time(overflows_[by_time[i]], all[fitting[i]]).empty()) {
            return false;
        }
    }
    return true;
}

/// The n-th with the n-th, where there are as many on both sides and their order is known.
void ByType::pair_in_order(const std::vector<std::size_t>& overflows, const FindingList& fitting) {
    std::vector<std::size_t> by_time = overflows;
    std::sort(by_time.begin(), by_time.end(), [this](std::size_t left, std::size_t right) {
        return overflows_[left].timestamp_us < overflows_[right].timestamp_us;
    });
    if (fitting.size() != overflows.size() || !is_order_known(by_time, fitting)) {
        return;
    }
    for (std::size_t i = 0; i < by_time.size(); ++i) {
        pairs_[by_time[i]] = Pair{fitting[i], i + 1, fitting.size()};
    }
}

std::string ByType::fit_of(std::size_t overflow, std::size_t finding, bool tensors_differ) const {
    std::string words = fmt::format("operator type {} fits", type_of(overflows_[overflow]));
    if (has_tensors(overflows_[overflow], findings_.report().findings[finding])) {
        words += tensors_differ ? ", but no tensor in the operator's dump has type and shape of a bad value of the call"
                                : ", type and shape of a tensor are equal";
    }
    return words;
}

/// Calls whose values were not saved at another time, else all; of the first kMaxCandidates.
FindingList ByType::told_of(std::size_t overflow, const FindingList& fitting) const {
    FindingList told;
    for (std::size_t i = 0; i < std::min(kMaxCandidates, fitting.size()) && told.size() < kMostTies; ++i) {
        if (contradicting_time(overflows_[overflow], findings_.report().findings[fitting[i]]).empty()) {
            told.push_back(fitting[i]);
        }
    }
    const std::size_t all = std::min(kMostTies, fitting.size());
    return told.empty() ? FindingList(fitting.begin(), fitting.begin() + static_cast<std::ptrdiff_t>(all)) : told;
}

Fits ByType::of(std::size_t overflow) const {
    Fits fits;
    if (answer_of_[overflow] == kNone) {
        return fits;
    }
    const Answer& answer = answers_[answer_of_[overflow]];
    const Listed& list = lists_[answer.list];
    if (const std::optional<Pair>& pair = pairs_[overflow]) {
        fits.told.push_back({ApiTieLevel::type_and_order,
                             pair->finding,
                             {},
                             fmt::format("{}; number {} of {} such overflows and of as many calls",
                                         fit_of(overflow, pair->finding, false), pair->nth, pair->all)});
        return fits;
    }
    for (const std::size_t finding : told_of(overflow, list.first)) {
        const std::string doubt = contradicting_time(overflows_[overflow], findings_.report().findings[finding]);
        fits.told.push_back({ApiTieLevel::type_only,
                             finding,
                             {},
                             fmt::format("{}; such overflows: {}{}, such calls: {}: which belong together is not "
                                         "known{}",
                                         fit_of(overflow, finding, answer.tensors_differ), answer.overflows,
                                         answer.is_shared ? ", others with other tensors fit the same calls" : "",
                                         list.all, doubt.empty() ? doubt : "; " + doubt)});
    }
    fits.left_out = list.all - fits.told.size();
    return fits;
}

}  // namespace opdebug::api_ties
