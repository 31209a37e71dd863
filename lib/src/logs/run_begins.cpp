#include "logs/run_begins.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace opdebug::logs {
namespace {

constexpr std::int64_t kLongerThanRotationUs = 1'000'000;
constexpr std::int64_t kPauseUs = 60'000'000;

bool same_or_unknown(const DeviceFilter& a, const DeviceFilter& b) noexcept {
    return !a || !b || *a == *b;
}

}  // namespace

void RunBegins::add_lines(std::uint32_t file, const std::string& folder, std::int64_t first_us, std::int64_t last_us) {
    if (files_.empty() || files_.back().number != file) {
        files_.push_back({file, folder, first_us, last_us});
    }
    files_.back().first_us = std::min(files_.back().first_us, first_us);
    files_.back().last_us = std::max(files_.back().last_us, last_us);
}

void RunBegins::begin(OfStream& begun, std::uint64_t subject, const StoredFact& stored) {
    std::vector<Begun>& of_stream = begun[*stored.fact.stream_id];
    const Begun now{subject, stored.fact.device_id, stored.fact.format_id, stored.place.file, stored.time_us};
    const auto known = std::find_if(of_stream.begin(), of_stream.end(), [&now](const Begun& other) {
        return other.subject == now.subject && other.device == now.device && other.format_id == now.format_id;
    });
    if (known == of_stream.end()) {
        of_stream.push_back(now);
        return;
    }
    const bool is_told = !repeated_.empty() && repeated_.back().place.file == now.file;
    if (known->file != now.file && known->time_us <= now.time_us && !is_told) {
        repeated_.push_back(stored);
    }
    *known = now;
}

void RunBegins::see(const StoredFact& stored) {
    const Fact& fact = stored.fact;
    const auto end = [&fact](OfStream& begun) {
        if (const auto of_stream = begun.find(*fact.stream_id); of_stream != begun.end()) {
            std::erase_if(of_stream->second, [&fact](const Begun& known) {
                return same_or_unknown(known.device, fact.device_id) &&
                       (fact.kind == FactKind::stream_close || known.subject == fact.model_id);
            });
        }
    };
    switch (fact.kind) {
        case FactKind::stream_open: begin(set_up_, *fact.stream_id, stored); break;
        case FactKind::model_bind: begin(bound_, *fact.model_id, stored); break;
        case FactKind::stream_close:
            end(set_up_);
            end(bound_);
            break;
        case FactKind::model_unbind: end(bound_); break;
        case FactKind::model_end:
            for (auto& [stream, models] : bound_) {
                std::erase_if(models, [&fact](const Begun& known) { return known.subject == fact.model_id; });
            }
            break;
        default: break;
    }
}

/// Files behind a gap in their folder that is longer than a rotation takes; not the first one there.
std::vector<RunBegins::Gap> RunBegins::find_gaps() const {
    std::vector<Gap> gaps;
    std::map<std::string_view, std::int64_t> last_us;  // of a folder
    for (const File& file : files_) {
        const auto [last, is_first] = last_us.try_emplace(file.folder, file.last_us);
        if (!is_first && file.first_us - last->second >= kLongerThanRotationUs) {
            gaps.push_back({last->second, &file});
        }
        last->second = std::max(last->second, file.last_us);
    }
    return gaps;
}

std::vector<StoredFact> RunBegins::finish() const {
    const std::vector<Gap> gaps = find_gaps();
    std::vector<StoredFact> found;
    std::set<std::int64_t> begins;
    for (StoredFact repeated : repeated_) {
        const auto own = std::find_if(gaps.begin(), gaps.end(),
                                      [&repeated](const Gap& gap) { return gap.file->number == repeated.place.file; });
        if (own == gaps.end()) {
            continue;
        }
        // The new run begins a file in each folder, and itself with the first of their lines.
        std::int64_t time_us = own->file->first_us;
        for (const Gap& gap : gaps) {
            time_us = gap.file->first_us > own->last_us ? std::min(time_us, gap.file->first_us) : time_us;
        }
        if (begins.insert(time_us).second) {
            repeated.fact = {};
            repeated.fact.kind = FactKind::run_begin;
            repeated.time_us = time_us;
            found.push_back(std::move(repeated));
        }
    }
    for (const Gap& gap : gaps) {
        const auto next = begins.upper_bound(gap.last_us);
        const bool is_run_begin = next != begins.end() && *next <= gap.file->first_us;
        if (!is_run_begin && gap.file->first_us - gap.last_us >= kPauseUs) {
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
