#include "locate/model_facts.hpp"

#include <algorithm>

#include "logs/lookup/nearest_fact.hpp"

namespace opdebug::locate_stage {

using logs::About;
using logs::Span;
using logs::StoredFact;

const StoredFact* ModelFacts::nearest(About about, std::uint64_t number, const Span& span) const {
    const logs::Places places = logs::places_inside(process_, index_.facts(process_, about, number), span);
    return logs::nearest_fact(process_, places, time_us_,
                              [this](const StoredFact& fact) { return !is_of_other_model(fact); });
}

Span ModelFacts::load_of_stream(std::uint64_t stream_id, Span of_stream) const {
    const logs::Places set_ups =
        logs::places_inside(process_, index_.facts(process_, About::set_up, stream_id), of_stream);
    const auto next = std::upper_bound(
        set_ups.begin(), set_ups.end(), time_us_,
        [this](std::int64_t time, std::uint32_t place) { return time < process_.facts[place].time_us; });
    if (next == set_ups.begin() || process_.shared_streams.count(stream_id) != 0) {
        return of_stream;
    }
    return {process_.facts[*(next - 1)].time_us, next != set_ups.end() ? process_.facts[*next].time_us : of_stream.end};
}

bool ModelFacts::is_of_other_model(const StoredFact& fact) const {
    // Behind the earlier of the two times, up to the later one.
    const std::int64_t begin = std::min(fact.time_us, time_us_);
    const std::int64_t end = std::max(fact.time_us, time_us_);
    const auto run = std::upper_bound(process_.run_begins.begin(), process_.run_begins.end(), begin);
    const bool is_of_other_run = run != process_.run_begins.end() && *run <= end;
    return is_of_other_run || ends_between(About::end_of_runtime_model, fact.fact.model_id, {begin, end}) ||
           ends_between(About::end_of_ge_model, fact.fact.ge_model_id, {begin, end});
}

bool ModelFacts::ends_between(About end, const std::optional<std::uint64_t>& model, const Span& span) const {
    if (!model) {
        return false;
    }
    const logs::Places ends = index_.facts(process_, end, *model);
    const auto next = std::upper_bound(
        ends.begin(), ends.end(), span.begin,
        [this](std::int64_t time, std::uint32_t place) { return time < process_.facts[place].time_us; });
    return next != ends.end() && process_.facts[*next].time_us <= span.end;
}

}  // namespace opdebug::locate_stage
