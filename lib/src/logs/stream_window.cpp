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

std::vector<const StoredFact*> facts_inside(const Process& process, const std::vector<std::size_t>& index,
                                            const Span& span, DeviceFilter device) {
    std::vector<const StoredFact*> inside;
    const auto is_before = [&process](std::size_t fact, std::int64_t time) {
        return process.facts[fact].time_us < time;
    };
    for (auto place = std::lower_bound(index.begin(), index.end(), span.begin, is_before); place != index.end();
         ++place) {
        const StoredFact& fact = process.facts[*place];
        if (fact.time_us >= span.end) {
            break;
        }
        // The compiler's lines stay: they tell when a stream id was the compiler's.
        if (!device || !fact.fact.device_id || fact.fact.device_id == device || fact.fact.device_id == kOfflineDevice) {
            inside.push_back(&fact);
        }
    }
    return inside;
}

std::vector<StreamWindow> stream_windows(const Process& process, std::uint64_t stream_id, DeviceFilter device) {
    WindowWalk walk;
    const auto index = process.of_stream.find(stream_id);
    if (index != process.of_stream.end()) {
        for (const StoredFact* fact : facts_inside(process, index->second, Span(), device)) {
            if (fact->fact.kind == FactKind::stream_open) {
                walk.open(*fact);
            } else if (fact->fact.kind == FactKind::stream_close) {
                walk.close(fact->time_us, fact);
            }
        }
    }
    return walk.finish();
}

std::vector<ModelBinding> model_bindings(const Process& process, std::uint64_t stream_id, const StreamWindow& window,
                                         DeviceFilter device) {
    std::vector<ModelBinding> bindings;
    const auto index = process.of_stream.find(stream_id);
    if (index == process.of_stream.end()) {
        return bindings;
    }
    for (const StoredFact* fact : facts_inside(process, index->second, window.span, device)) {
        if (!fact->fact.model_id) {
            continue;
        }
        const bool is_open = !bindings.empty() && bindings.back().unbound_by == nullptr;
        const bool is_same = is_open && bindings.back().model_id == *fact->fact.model_id;
        if (fact->fact.kind == FactKind::model_bind && !is_same) {
            bindings.push_back({{fact->time_us, window.span.end}, *fact->fact.model_id, fact, nullptr});
        } else if (fact->fact.kind == FactKind::model_unbind && is_same) {
            bindings.back().span.end = fact->time_us;
            bindings.back().unbound_by = fact;
        }
    }
    return bindings;
}

std::vector<DeviceFilter> devices_of_task(const Process& process, TaskKey task) {
    std::vector<DeviceFilter> devices;
    const auto add = [&](const std::vector<std::size_t>& index) {
        for (const std::size_t place : index) {
            const DeviceFilter device = process.facts[place].fact.device_id;
            if (device && device != kOfflineDevice &&
                std::find(devices.begin(), devices.end(), device) == devices.end()) {
                devices.push_back(device);
            }
        }
    };
    if (const auto found = process.of_task.find(task); found != process.of_task.end()) {
        add(found->second);
    }
    if (const auto found = process.of_stream.find(task.first); found != process.of_stream.end()) {
        add(found->second);
    }
    if (devices.empty()) {
        devices.emplace_back();
    }
    return devices;
}

}  // namespace opdebug::logs
