#include "api_ties/findings.hpp"

#include <algorithm>

namespace opdebug::api_ties {
namespace {

FindingList listed(const std::map<Place, FindingList>& lists, const std::vector<Place>& places, std::size_t most,
                   std::size_t& left_out) {
    FindingList found;
    std::size_t all = 0;
    for (const Place& place : places) {
        const auto list = lists.find(place);
        if (list != lists.end()) {
            all += list->second.size();
            const std::size_t taken = std::min(most, list->second.size());
            found.insert(found.end(), list->second.begin(), list->second.begin() + static_cast<std::ptrdiff_t>(taken));
        }
    }
    std::sort(found.begin(), found.end());
    found.resize(std::min(most, found.size()));
    left_out = all - found.size();
    return found;
}

}  // namespace

Chance chance_of(ApiVerdict verdict) noexcept {
    switch (verdict) {
        case ApiVerdict::born_here:
        case ApiVerdict::saturated:
        case ApiVerdict::in_collective:
        case ApiVerdict::process: return Chance::likely;
        case ApiVerdict::inherited:
        case ApiVerdict::absorbed:
        case ApiVerdict::unknown: return Chance::possible;
        case ApiVerdict::clean:
        case ApiVerdict::weight:
        case ApiVerdict::deliberate: return Chance::never;
    }
    return Chance::never;
}

Findings::Findings(const ApiReport& report) : report_(&report) {
    for (std::size_t i = 0; i < report.findings.size(); ++i) {
        const Chance chance = chance_of(report.findings[i].verdict);
        const std::vector<Place> places = places_of(report.findings[i]);
        places_.insert(places.begin(), places.end());
        if (chance == Chance::never) {
            continue;
        }
        for (const Place& place : places) {
            (chance == Chance::likely ? likely_ : possible_)[place].push_back(i);
        }
    }
}

FindingList Findings::of(const std::vector<Place>& places, std::size_t most, std::size_t& left_out) const {
    FindingList found = listed(likely_, places, most, left_out);
    return found.empty() ? listed(possible_, places, most, left_out) : found;
}

bool Findings::has_step(const std::vector<Place>& places, std::uint64_t step) const {
    return std::any_of(places.begin(), places.end(), [&](const Place& place) {
        return places_.count({place.is_device, place.number, false, step}) != 0;
    });
}

}  // namespace opdebug::api_ties
