#include "locate/model_facts.hpp"

#include <algorithm>
#include <iterator>

#include "logs/facts/device_numbers.hpp"
#include "logs/lookup/model_devices.hpp"
#include "logs/lookup/nearest_fact.hpp"

namespace opdebug::locate_stage {

using logs::About;
using logs::Span;
using logs::StoredFact;

namespace {

struct IsEarlier {
    const logs::Process& process;
    bool operator()(std::int64_t time_us, std::uint32_t place) const { return time_us < process.facts[place].time_us; }
};

}  // namespace

const StoredFact* ModelFacts::nearest(About about, std::uint64_t number, const Span& span) const {
    const logs::Places places = logs::places_inside(process_, index_.facts(process_, about, number), span);
    return logs::nearest_fact(process_, places, time_us_, [this, about](const StoredFact& fact) {
        return !is_of_other_device(about, fact) && !is_of_other_model(fact);
    });
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

/// Streams and the runtime's models are numbered by device. A line on a stream has its device already, where the stream
/// is set up on several; else any thread may write it.
bool ModelFacts::is_of_other_device(About about, const StoredFact& fact) const {
    switch (about) {
        case About::set_up:
        case About::set_up_for_ge_model:
        case About::set_up_for_runtime_model:
        case About::model_of_stream: {
            const logs::DeviceFilter of_line = logs::device_by_line(fact.fact);
            return device_ && of_line && of_line != device_;
        }
        case About::runtime_model:
        case About::execution_of_runtime_model: {
            const logs::DeviceFilter of_line = device_ ? logs::device_of_model_line(process_, fact) : device_;
            return of_line && of_line != device_;
        }
        default: return false;
    }
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
    const auto behind = std::upper_bound(ends.begin(), ends.end(), span.begin, IsEarlier{process_});
    if (behind == ends.end() || process_.facts[*behind].time_us > span.end) {
        return false;
    }
    if (end == About::end_of_ge_model || !logs::ends_model_elsewhere(process_, *behind, device_)) {
        return true;
    }
    const std::vector<std::uint32_t>& here = ends_here(*model, ends);
    const auto its = std::upper_bound(here.begin(), here.end(), span.begin, IsEarlier{process_});
    return its != here.end() && process_.facts[*its].time_us <= span.end;
}

const std::vector<std::uint32_t>& ModelFacts::ends_here(std::uint64_t model, logs::Places ends) const {
    const auto [known, is_new] = ends_here_.try_emplace(model);
    if (is_new) {
        std::copy_if(ends.begin(), ends.end(), std::back_inserter(known->second),
                     [this](std::uint32_t place) { return !logs::ends_model_elsewhere(process_, place, device_); });
    }
    return known->second;
}

}  // namespace opdebug::locate_stage
