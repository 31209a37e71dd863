#include "api_ties/counted_findings.hpp"

#include <algorithm>
#include <optional>

#include "api_ties/finding_call.hpp"

namespace opdebug::api_ties {
namespace {

/// Findings of one API that are looked at for one call.
constexpr std::size_t kMaxFindingsCompared = 64;

/// The lists to look at for a call: those of its step where the trace tells it.
std::vector<Place> places_of_step(const std::vector<Place>& places, const std::optional<std::uint64_t>& step) {
    std::vector<Place> found;
    for (const Place& place : places) {
        if (step && place.every_step) {
            found.push_back({place.is_device, place.number, false, step});
            found.push_back({place.is_device, place.number, false, std::nullopt});
        } else if (!step || !place.step || *step == *place.step) {
            found.push_back(place);
        }
    }
    return found;
}

}  // namespace

std::string_view without_library(std::string_view operation) {
    const std::size_t colons = operation.rfind("::");
    return colons == std::string_view::npos ? operation : operation.substr(colons + 2);
}

/// Counts of modules are of another kind, and kernels of a statistic.csv have none.
CountedFindings::CountedFindings(const Findings& findings) {
    const std::vector<ApiFinding>& all = findings.report().findings;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const FindingCall call = call_of(all[i]);
        if (!call.is_module && !call.is_kernel && call.count) {
            for (const Place& place : places_of(all[i])) {
                calls_[{place, call.function, call.is_backward}].push_back({*call.count, i});
            }
        }
    }
    for (auto& [function, calls] : calls_) {
        std::sort(calls.begin(), calls.end());
    }
}

CountedMatch CountedFindings::of(const HostCall& call, const std::vector<Place>& places,
                                 const KernelTable& table) const {
    CountedMatch match;
    const std::vector<Place> of_step = places_of_step(places, call.step);
    for (const std::string_view api : table.apis_of(without_library(call.operation))) {
        for (const Place& place : of_step) {
            const auto list = calls_.find({place, std::string(api), call.is_backward});
            if (list == calls_.end()) {
                continue;
            }
            const auto first = std::lower_bound(list->second.begin(), list->second.end(), Counted{call.nth, 0});
            auto at = first;
            for (std::size_t looked = 0;
                 at != list->second.end() && at->count == call.nth && looked < kMaxFindingsCompared; ++at, ++looked) {
                match.same.push_back(at->finding);
            }
            at = first;
            for (std::size_t looked = 0; at != list->second.begin() && looked < kMaxFindingsCompared; ++looked) {
                match.earlier.push_back((--at)->finding);
            }
        }
    }
    for (FindingList* const list : {&match.same, &match.earlier}) {
        std::sort(list->begin(), list->end());
        list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    return match;
}

}  // namespace opdebug::api_ties
