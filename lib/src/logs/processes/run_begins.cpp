#include "logs/processes/run_begins.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace opdebug::logs {
namespace {

constexpr std::int64_t kPauseUs = 60'000'000;

}  // namespace

void RunBegins::add_lines(std::uint32_t file, const std::string& folder, std::int64_t first_us, std::int64_t last_us) {
    if (files_.empty() || files_.back().number != file) {
        files_.push_back({file, folder, first_us, last_us});
    }
    files_.back().first_us = std::min(files_.back().first_us, first_us);
    files_.back().last_us = std::max(files_.back().last_us, last_us);
}

void RunBegins::Ends::note(std::optional<std::uint64_t> stream, std::optional<std::uint64_t> model, DeviceFilter device,
                           std::uint64_t number) {
    const Key key{stream, model};
    of_device_[{key, device}] = number;
    of_any_device_[key] = number;
}

std::uint64_t RunBegins::Ends::last(std::optional<std::uint64_t> stream, std::optional<std::uint64_t> model,
                                    DeviceFilter device) const {
    const auto number_of = [](const auto& map, const auto& key) {
        const auto found = map.find(key);
        return found == map.end() ? 0 : found->second;
    };
    const Key key{stream, model};
    if (!device) {
        return number_of(of_any_device_, key);
    }
    return std::max(number_of(of_device_, std::pair(key, device)),
                    number_of(of_device_, std::pair(key, DeviceFilter())));
}

bool RunBegins::is_ended(const Subject& subject, const Begun& begun) const {
    const auto& [stream, model, device, own_number, format_id] = subject;
    std::uint64_t end = ends_.last(stream, std::nullopt, device);
    if (model) {
        end = std::max({end, ends_.last(stream, model, device), ends_.last(std::nullopt, model, std::nullopt)});
    }
    return end > begun.number;
}

void RunBegins::begin(std::optional<std::uint64_t> model, const StoredFact& stored) {
    const Fact& fact = stored.fact;
    const std::uint32_t file = stored.place.file;
    const Begun now{seen_, file, stored.time_us};
    const auto [known, is_new] =
        begun_.try_emplace({*fact.stream_id, model, device_by_line(fact), fact.user_device_id, fact.format_id}, now);
    const bool is_told = !repeated_.empty() && repeated_.back().file == file;
    const Begun& before = known->second;
    if (!is_new && !is_told && before.file != file && before.time_us <= now.time_us &&
        !is_ended(known->first, before)) {
        repeated_.push_back({file, stored});
    }
    known->second = now;
}

void RunBegins::see(const StoredFact& stored) {
    const Fact& fact = stored.fact;
    ++seen_;
    switch (fact.kind) {
        case FactKind::stream_open: begin(std::nullopt, stored); break;
        case FactKind::model_bind: begin(fact.model_id, stored); break;
        case FactKind::stream_close: ends_.note(fact.stream_id, std::nullopt, device_by_line(fact), seen_); break;
        case FactKind::model_unbind:
            if (fact.model_id) {
                ends_.note(fact.stream_id, fact.model_id, device_by_line(fact), seen_);
            }
            break;
        case FactKind::model_end:
            if (fact.model_id) {
                ends_.note(std::nullopt, fact.model_id, std::nullopt, seen_);
            }
            break;
        default: break;
    }
}

/// Files after a gap in their folder that is longer than a rotation takes; not the first one there.
std::vector<RunBegins::Gap> RunBegins::find_gaps() const {
    std::vector<Gap> gaps;
    std::map<std::string_view, std::int64_t> last_us;  // of a folder
    for (const File& file : files_) {
        const auto [last, is_first] = last_us.try_emplace(file.folder, file.last_us);
        if (!is_first && is_gap(last->second, file.first_us, kLongerThanRotationUs)) {
            gaps.push_back({last->second, &file});
        }
        last->second = std::max(last->second, file.last_us);
    }
    return gaps;
}

std::vector<StoredFact> RunBegins::finish() const {
    const std::vector<Gap> gaps = find_gaps();  // by number of the file
    std::vector<StoredFact> found;
    std::set<std::int64_t> begins;
    std::set<std::int64_t> first_times;
    for (const Gap& gap : gaps) {
        first_times.insert(gap.file->first_us);
    }
    for (const auto& [file, stored] : repeated_) {
        const auto own = std::lower_bound(gaps.begin(), gaps.end(), file,
                                          [](const Gap& gap, std::uint32_t of) { return gap.file->number < of; });
        if (own == gaps.end() || own->file->number != file) {
            continue;
        }
        // The new run begins a file in each folder, and itself with the first of their lines.
        const std::int64_t time_us = *first_times.upper_bound(own->last_us);
        if (begins.insert(time_us).second) {
            StoredFact run = stored;
            run.fact = {};
            run.fact.kind = FactKind::run_begin;
            run.time_us = time_us;
            found.push_back(std::move(run));
        }
    }
    for (const Gap& gap : gaps) {
        const auto next = begins.upper_bound(gap.last_us);
        const bool is_run_begin = next != begins.end() && *next <= gap.file->first_us;
        if (!is_run_begin && is_gap(gap.last_us, gap.file->first_us, kPauseUs)) {
            StoredFact pause;
            pause.fact.kind = FactKind::run_pause;
            pause.time_us = gap.file->first_us;
            pause.place.file = gap.file->number;
            pause.place.line = 1;
            found.push_back(std::move(pause));
        }
    }
    return found;
}

}  // namespace opdebug::logs
