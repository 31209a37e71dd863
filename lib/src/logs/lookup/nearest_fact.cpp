#include "logs/lookup/nearest_fact.hpp"

#include <algorithm>

#include "logs/facts/time_gap.hpp"

namespace opdebug::logs {

const StoredFact* nearest_fact(const Process& process, Places places, std::int64_t time_us,
                               const std::function<bool(const StoredFact&)>& condition) {
    const auto first_from = [&process, &places](std::int64_t time) {
        return std::lower_bound(places.begin(), places.end(), time, [&process](std::uint32_t place, std::int64_t t) {
            return process.facts[place].time_us < t;
        });
    };
    const auto holds = [&process, &condition](std::uint32_t place) { return condition(process.facts[place]); };
    const auto middle = first_from(time_us);
    const StoredFact* earlier = nullptr;
    for (auto place = middle; place != places.begin() && earlier == nullptr;) {
        --place;
        if (holds(*place)) {
            earlier = &process.facts[*std::find_if(first_from(process.facts[*place].time_us), place, holds)];
        }
    }
    for (auto place = middle; place != places.end(); ++place) {
        const StoredFact& later = process.facts[*place];
        if (earlier != nullptr && distance_us(later.time_us, time_us) >= distance_us(earlier->time_us, time_us)) {
            return earlier;
        }
        if (condition(later)) {
            return &later;
        }
    }
    return earlier;
}

}  // namespace opdebug::logs
