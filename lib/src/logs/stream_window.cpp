#include "logs/stream_window.hpp"

#include <algorithm>

namespace opdebug::logs {
namespace {

/// Device number under which the graph compiler sets up streams without hardware (seen in real logs of 2023).
constexpr std::uint64_t kOfflineDevice = 64;

/// Walks the set-up and release lines of a stream. Set-up is logged by up to two lines of different formats; a second
/// line of the same format means that the release was not logged.
class WindowWalk {
public:
    void open(const StoredFact& fact) {
        if (is_open_ && fact.fact.format_id != opening_format_) {
            set_device(fact);
            return;
        }
        if (is_open_) {
            close(fact.time_us, nullptr);
        }
        window_ = {};
        window_.span.begin = fact.time_us;
        window_.opened_by = &fact;
        opening_format_ = fact.fact.format_id;
        offline_ = false;
        is_open_ = true;
        set_device(fact);
    }

    void close(std::int64_t time, const StoredFact* by) {
        if (!is_open_ && !windows_.empty() && by != nullptr && windows_.back().span.end <= time) {
            return;  // released twice: two lines say the same
        }
        window_.span.end = time;
        window_.closed_by = by;
        keep();
    }

    std::vector<StreamWindow> finish() {
        if (is_open_ || !seen_any_) {
            keep();
        }
        return std::move(windows_);
    }

private:
    void set_device(const StoredFact& fact) { offline_ = offline_ || fact.fact.device_id == kOfflineDevice; }

    void keep() {
        if (!offline_) {
            windows_.push_back(window_);
        }
        window_ = {};
        is_open_ = false;
        offline_ = false;
        seen_any_ = true;
    }

    std::vector<StreamWindow> windows_;
    StreamWindow window_;
    std::string opening_format_;
    bool is_open_ = false;
    bool offline_ = false;
    bool seen_any_ = false;
};

}  // namespace

std::vector<StreamWindow> stream_windows(const Process& process, std::uint64_t stream_id) {
    WindowWalk walk;
    const auto facts = process.of_stream.find(stream_id);
    if (facts != process.of_stream.end()) {
        for (const std::size_t index : facts->second) {
            const StoredFact& fact = process.facts[index];
            if (fact.fact.kind == FactKind::stream_open) {
                walk.open(fact);
            } else if (fact.fact.kind == FactKind::stream_close) {
                walk.close(fact.time_us, &fact);
            }
        }
    }
    return walk.finish();
}

std::vector<ModelBinding> model_bindings(const Process& process, std::uint64_t stream_id, const StreamWindow& window) {
    std::vector<ModelBinding> bindings;
    const auto facts = process.of_stream.find(stream_id);
    if (facts == process.of_stream.end()) {
        return bindings;
    }
    for (const std::size_t index : facts->second) {
        const StoredFact& fact = process.facts[index];
        if (!window.span.contains(fact.time_us) || !fact.fact.model_id) {
            continue;
        }
        const bool is_open = !bindings.empty() && bindings.back().unbound_by == nullptr;
        if (fact.fact.kind == FactKind::model_bind && !(is_open && bindings.back().model_id == *fact.fact.model_id)) {
            bindings.push_back({{fact.time_us, window.span.end}, *fact.fact.model_id, &fact, nullptr});
        } else if (fact.fact.kind == FactKind::model_unbind && is_open &&
                   bindings.back().model_id == *fact.fact.model_id) {
            bindings.back().span.end = fact.time_us;
            bindings.back().unbound_by = &fact;
        }
    }
    return bindings;
}

}  // namespace opdebug::logs
