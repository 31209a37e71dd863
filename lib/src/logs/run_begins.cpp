#include "logs/run_begins.hpp"

#include <algorithm>
#include <optional>
#include <set>

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

/// In the same folder; nothing for the first one there, and for one that begins while the one before goes on.
const RunBegins::File* RunBegins::file_before(const File& file) const {
    const File* before = nullptr;
    for (const File& other : files_) {
        if (&other == &file) {
            break;
        }
        if (other.folder == file.folder && (before == nullptr || other.last_us > before->last_us)) {
            before = &other;
        }
    }
    return before != nullptr && file.first_us - before->last_us >= kLongerThanRotationUs ? before : nullptr;
}

std::vector<StoredFact> RunBegins::finish() const {
    std::vector<std::pair<std::int64_t, const File*>>
        begins;  // of files behind a gap, with the end of the gap's other side
    for (const File& file : files_) {
        if (const File* before = file_before(file)) {
            begins.emplace_back(before->last_us, &file);
        }
    }
    std::vector<StoredFact> found;
    std::set<std::int64_t> told;
    for (StoredFact begin : repeated_) {
        const auto gap = std::find_if(begins.begin(), begins.end(),
                                      [&begin](const auto& item) { return item.second->number == begin.place.file; });
        if (gap == begins.end()) {
            continue;
        }
        // Each folder has a file that the new run began; the first line of all of them is where it begins.
        std::int64_t time_us = gap->second->first_us;
        for (const auto& [last_us, file] : begins) {
            time_us = file->first_us > gap->first ? std::min(time_us, file->first_us) : time_us;
        }
        if (told.insert(time_us).second) {
            begin.fact = {};
            begin.fact.kind = FactKind::run_begin;
            begin.time_us = time_us;
            found.push_back(std::move(begin));
        }
    }
    for (const auto& [last_us, file] : begins) {
        const auto next = told.upper_bound(last_us);
        const bool is_told = next != told.end() && *next <= file->first_us;
        if (!is_told && file->first_us - last_us >= kPauseUs) {
            StoredFact pause;
            pause.fact.kind = FactKind::run_pause;
            pause.time_us = file->first_us;
            pause.place.file = file->number;
            pause.place.line = 1;
            found.push_back(std::move(pause));
        }
    }
    return found;
}

}  // namespace opdebug::logs
