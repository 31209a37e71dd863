#include "api_ties/by_saved_time.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace opdebug::api_ties {
namespace {

/// Windows that are looked at behind the first possible one. Those of one folder follow one another; only folders of
/// several runs of a rank can have more that overlap.
constexpr std::size_t kMostOverlapping = 64;

}  // namespace

BySavedTime::BySavedTime(const Findings& findings) : findings_(findings) {
    const std::vector<ApiFinding>& all = findings.report().findings;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].saved_after_us && all[i].saved_at_us && chance_of(all[i].verdict) != Chance::never) {
            for (const Place& place : api_ties::places_of(all[i])) {
                windows_[place].push_back(i);
            }
        }
    }
    for (auto& [place, list] : windows_) {
        std::stable_sort(list.begin(), list.end(), [&all](std::size_t left, std::size_t right) {
            return all[left].saved_at_us < all[right].saved_at_us;
        });
    }
}

Fits BySavedTime::of(const KernelOverflow& overflow, const std::vector<Place>& places) const {
    Fits fits;
    if (!overflow.timestamp_us) {
        return fits;
    }
    const std::vector<ApiFinding>& all = findings_.report().findings;
    const std::uint64_t time = *overflow.timestamp_us;
    FindingList likely, possible;
    for (const Place& place : places) {
        const auto list = windows_.find(place);
        if (list == windows_.end()) {
            continue;
        }
        auto window =
            std::lower_bound(list->second.begin(), list->second.end(), time,
                             [&all](std::size_t i, std::uint64_t when) { return *all[i].saved_at_us < when; });
        for (std::size_t looked = 0; window != list->second.end() && looked < kMostOverlapping; ++window, ++looked) {
            if (*all[*window].saved_after_us < time) {
                (chance_of(all[*window].verdict) == Chance::likely ? likely : possible).push_back(*window);
            }
        }
    }
    const FindingList& found = likely.empty() ? possible : likely;
    for (std::size_t i = 0; i < std::min(kMostTies, found.size()); ++i) {
        const ApiFinding& finding = all[found[i]];
        fits.told.push_back(
            {ApiTieLevel::same_run_time,
             found[i],
             {},
             fmt::format("it overflowed {} us before the call's values were saved and {} us behind those "
                         "of the call before{}; that both times come from the same clock is assumed",
                         *finding.saved_at_us - time, time - *finding.saved_after_us,
                         found.size() > 1 ? fmt::format(", as with {} calls", found.size()) : "")});
    }
    fits.left_out = found.size() - fits.told.size();
    return fits;
}

std::string contradicting_time(const KernelOverflow& overflow, const ApiFinding& finding) {
    constexpr const char* kOr = "so it is of another call, or the clocks differ";
    if (!overflow.timestamp_us) {
        return {};
    }
    const std::uint64_t time = *overflow.timestamp_us;
    if (finding.saved_at_us && time > *finding.saved_at_us) {
        return fmt::format("it overflowed {} us behind the time at which the call's values were saved, {}",
                           time - *finding.saved_at_us, kOr);
    }
    if (finding.saved_after_us && time <= *finding.saved_after_us) {
        return fmt::format("it overflowed {} us before the values of the call before were saved, {}",
                           *finding.saved_after_us - time, kOr);
    }
    return {};
}

}  // namespace opdebug::api_ties
