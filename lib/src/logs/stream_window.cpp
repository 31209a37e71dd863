#include "logs/stream_window.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace opdebug::logs {
namespace {

/// Walks the set-up and release lines of a stream. Set-up is logged by up to two lines of different formats; a second
/// line of the same format means that the release was not logged.
class WindowWalk {
public:
    void open(const StoredFact& fact) {
        if (is_open_ && fact.fact.device_id == kOfflineDevice && !offline_) {
            compiler_is_inside_ = true;  // ids are given out per device: the stream of the real device goes on
            return;
        }
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
        is_open_ = true;
        set_device(fact);
    }

    void release(const StoredFact& fact) {
        const DeviceFilter device = fact.fact.device_id;
        const bool is_compilers = device == kOfflineDevice || (!device && compiler_is_inside_);
        if (is_compilers && !offline_) {
            compiler_is_inside_ = false;
            return;
        }
        if (!is_open_ && seen_any_ && !windows_.empty() && windows_.back().span.end <= fact.time_us) {
            return;  // released twice: two lines say the same
        }
        close(fact.time_us, &fact);
    }

    /// Another process has the process id from here on.
    void restart(std::int64_t time) {
        if (is_open_ || !seen_any_) {
            close(time, nullptr);
        }
        seen_any_ = false;
        window_.span.begin = time;
    }

    std::vector<StreamWindow> finish() {
        if (is_open_ || !seen_any_) {
            keep();
        }
        return std::move(windows_);
    }

private:
    void set_device(const StoredFact& fact) { offline_ = offline_ || fact.fact.device_id == kOfflineDevice; }

    void close(std::int64_t time, const StoredFact* by) {
        window_.span.end = time;
        window_.closed_by = by;
        keep();
    }

    void keep() {
        if (!offline_) {
            windows_.push_back(window_);
        }
        window_ = {};
        is_open_ = false;
        offline_ = false;
        compiler_is_inside_ = false;
        seen_any_ = true;
    }

    std::vector<StreamWindow> windows_;
    StreamWindow window_;
    std::string opening_format_;
    bool is_open_ = false;
    bool offline_ = false;
    bool compiler_is_inside_ = false;
    bool seen_any_ = false;
};

/// Walks the lines that bind a stream to models. One binding is logged by up to three lines of different wordings.
class BindingWalk {
public:
    explicit BindingWalk(std::int64_t window_end) : window_end_(window_end) {}

    void bind(const StoredFact& fact) {
        if (!is_bound_to(*fact.fact.model_id)) {
            if (!bindings_.empty() && bindings_.back().span.end > fact.time_us) {
                bindings_.back().span.end = fact.time_us;  // a stream has one model: the unbinding was not logged
            }
            bindings_.push_back({{fact.time_us, window_end_}, *fact.fact.model_id, &fact, nullptr});
        } else if (bindings_.back().bound_by->fact.model_name.empty() && !fact.fact.model_name.empty()) {
            bindings_.back().bound_by = &fact;  // the wording that names the model proves more
        }
    }

    /// The stream is unbound, or the model is gone.
    void unbind(const StoredFact& fact) {
        if (is_bound_to(*fact.fact.model_id)) {
            bindings_.back().span.end = fact.time_us;
            bindings_.back().unbound_by = &fact;
        }
    }

    std::vector<ModelBinding> finish() { return std::move(bindings_); }

private:
    bool is_bound_to(std::uint64_t model) const {
        return !bindings_.empty() && bindings_.back().span.end == window_end_ && bindings_.back().model_id == model;
    }

    std::int64_t window_end_;
    std::vector<ModelBinding> bindings_;
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
    auto run = process.run_begins.begin();
    const auto restart_until = [&](std::int64_t time) {
        for (; run != process.run_begins.end() && *run <= time; ++run) {
            walk.restart(*run);
        }
    };
    const auto index = process.of_stream.find(stream_id);
    if (index != process.of_stream.end()) {
        for (const StoredFact* fact : facts_inside(process, index->second, Span(), device)) {
            restart_until(fact->time_us);
            if (fact->fact.kind == FactKind::stream_open) {
                walk.open(*fact);
            } else if (fact->fact.kind == FactKind::stream_close) {
                walk.release(*fact);
            }
        }
    }
    restart_until(kEndOfTime);
    return walk.finish();
}

std::vector<ModelBinding> model_bindings(const Process& process, std::uint64_t stream_id, const StreamWindow& window,
                                         DeviceFilter device) {
    BindingWalk walk(window.span.end);
    const auto index = process.of_stream.find(stream_id);
    if (index == process.of_stream.end()) {
        return {};
    }
    std::vector<const StoredFact*> facts = facts_inside(process, index->second, window.span, device);
    const std::vector<const StoredFact*> ends = facts_inside(process, process.of_model_end, window.span, device);
    facts.insert(facts.end(), ends.begin(), ends.end());
    // Facts stand in time order in one array, so that their places are in time order as well.
    std::sort(facts.begin(), facts.end(), std::less<>());
    bool is_compilers = false;  // the graph compiler has a stream of the same id for a while
    for (const StoredFact* fact : facts) {
        const FactKind kind = fact->fact.kind;
        const bool on_offline_device = fact->fact.device_id == kOfflineDevice;
        if (kind == FactKind::stream_open || kind == FactKind::stream_close) {
            is_compilers = kind == FactKind::stream_open && on_offline_device;
        }
        if (!fact->fact.model_id || on_offline_device || (is_compilers && !fact->fact.device_id)) {
            continue;
        }
        if (kind == FactKind::model_bind || kind == FactKind::capture_stream) {
            // What a stream captured stays its model's when the capture ends.
            walk.bind(*fact);
        } else if (kind == FactKind::model_unbind || kind == FactKind::model_end) {
            walk.unbind(*fact);
        }
    }
    return walk.finish();
}

std::size_t wraps_between(const Process& process, std::uint64_t stream_id, const Span& span, DeviceFilter device) {
    const auto index = process.of_stream.find(stream_id);
    if (index == process.of_stream.end()) {
        return 0;
    }
    std::set<std::uint64_t> flips;  // a wrap may be logged by two lines
    std::size_t without_number = 0;
    for (const StoredFact* fact : facts_inside(process, index->second, span, device)) {
        if (fact->fact.kind == FactKind::ids_wrapped && fact->fact.flip_num) {
            flips.insert(*fact->fact.flip_num);
        } else if (fact->fact.kind == FactKind::ids_wrapped) {
            ++without_number;
        }
    }
    return flips.size() + without_number;
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
