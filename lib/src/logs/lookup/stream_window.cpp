#include "logs/lookup/stream_window.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "logs/lookup/devices.hpp"

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
        const std::int64_t run_begin = window_.span.begin;
        window_ = {};
        if (!seen_any_) {
            window_.unlogged_since = run_begin;
        }
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
            return;  // released twice: two lines state the same
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

/// Lines of one binding are microseconds apart; models are loaded one after the other.
constexpr std::uint64_t kOneBindingUs = 1'000'000;

/// Walks the lines that bind a stream to models. One binding is logged by up to three lines of different texts; a line
/// with the same text much later means that the unbinding was not logged.
class BindingWalk {
public:
    explicit BindingWalk(std::int64_t window_end) : window_end_(window_end) {}

    void bind(const StoredFact& fact) {
        if (!is_bound_to(*fact.fact.model_id) || is_bound_again(fact)) {
            if (!bindings_.empty() && bindings_.back().span.end > fact.time_us) {
                bindings_.back().span.end = fact.time_us;  // a stream has one model: the unbinding was not logged
            }
            bindings_.push_back({{fact.time_us, window_end_}, *fact.fact.model_id, &fact, nullptr});
            binding_format_ = fact.fact.format_id;
        } else if (bindings_.back().bound_by->fact.model_name.empty() && !fact.fact.model_name.empty()) {
            bindings_.back().bound_by = &fact;  // the text that names the model proves more
        }
    }

    /// The stream is unbound, or the model is gone.
    void unbind(const StoredFact& fact) {
        if (is_bound_to(*fact.fact.model_id)) {
            bindings_.back().span.end = fact.time_us;
            bindings_.back().unbound_by = &fact;
        }
    }

    std::optional<std::uint64_t> bound_model() const {
        const bool is_bound = !bindings_.empty() && bindings_.back().span.end == window_end_;
        return is_bound ? std::optional(bindings_.back().model_id) : std::nullopt;
    }

    std::vector<ModelBinding> finish() { return std::move(bindings_); }

private:
    bool is_bound_to(std::uint64_t model) const { return bound_model() == model; }
    bool is_bound_again(const StoredFact& fact) const {
        const std::uint64_t since_us =
            static_cast<std::uint64_t>(fact.time_us) - static_cast<std::uint64_t>(bindings_.back().span.begin);
        return fact.fact.kind == FactKind::model_bind && fact.fact.format_id == binding_format_ &&
               since_us > kOneBindingUs;
    }

    std::int64_t window_end_;
    std::vector<ModelBinding> bindings_;
    std::string binding_format_;  ///< of the line that began the last one
};

}  // namespace

Places places_inside(const Process& process, Places places, const Span& span) {
    const auto is_before = [&process](std::uint32_t fact, std::int64_t time) {
        return process.facts[fact].time_us < time;
    };
    const auto begin = std::lower_bound(places.begin(), places.end(), span.begin, is_before);
    return {begin, std::lower_bound(begin, places.end(), span.end, is_before)};
}

namespace {

/// The compiler's lines stay: they show when a stream id was the compiler's.
bool may_be_of(const StoredFact& fact, DeviceFilter device) noexcept {
    const DeviceFilter of_fact = fact.fact.device_id;
    return !device || !of_fact || of_fact == device || of_fact == kOfflineDevice;
}

}  // namespace

std::vector<const StoredFact*> facts_inside(const Process& process, Places places, const Span& span,
                                            DeviceFilter device) {
    std::vector<const StoredFact*> inside;
    for (const std::uint32_t place : places_inside(process, places, span)) {
        const StoredFact& fact = process.facts[place];
        if (may_be_of(fact, device)) {
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
    for (const StoredFact* fact : facts_inside(process, process.of_stream.of(stream_id), Span(), device)) {
        restart_until(fact->time_us);
        if (fact->fact.kind == FactKind::stream_open) {
            walk.open(*fact);
        } else if (fact->fact.kind == FactKind::stream_close) {
            walk.release(*fact);
        }
    }
    restart_until(kEndOfTime);
    return walk.finish();
}

namespace {

/// Walks the facts of one window in their order, with the ends of the model that the stream is bound to. Ends of other
/// models do not concern it, and a process may have loaded thousands.
class WindowBindings {
public:
    WindowBindings(const Process& process, const StreamWindow& window, DeviceFilter device)
        : process_(process), span_(window.span), device_(device), walk_(window.span.end) {}

    void take(std::uint32_t place) {
        const StoredFact& fact = process_.facts[place];
        take_ends_before(place);
        const FactKind kind = fact.fact.kind;
        if (kind == FactKind::stream_open || kind == FactKind::stream_close) {
            // the graph compiler has a stream of the same id for a while
            is_compilers_ = kind == FactKind::stream_open && fact.fact.device_id == kOfflineDevice;
        }
        if (fact.fact.model_id && !is_of_compiler(fact)) {
            if (binds_a_stream(kind)) {
                walk_.bind(fact);
            } else if (kind == FactKind::model_unbind || kind == FactKind::model_end) {
                walk_.unbind(fact);
            }
        }
        next_ = place + 1;
    }

    std::vector<ModelBinding> finish() {
        take_ends_before(static_cast<std::uint32_t>(process_.facts.size()));
        return walk_.finish();
    }

private:
    bool is_of_compiler(const StoredFact& fact) const {
        return fact.fact.device_id == kOfflineDevice || (is_compilers_ && !fact.fact.device_id);
    }

    void take_ends_before(std::uint32_t place) {
        while (const std::optional<std::uint64_t> model = walk_.bound_model()) {
            const Places ends = process_.of_model_end.of(*model);
            const auto end = std::lower_bound(ends.begin(), ends.end(), next_);
            if (end == ends.end() || *end >= place || process_.facts[*end].time_us >= span_.end) {
                return;
            }
            next_ = *end + 1;
            const StoredFact& fact = process_.facts[*end];
            if (!ends_model_elsewhere(process_, *end, device_) && !is_of_compiler(fact)) {
                walk_.unbind(fact);
            }
        }
    }

    const Process& process_;
    Span span_;
    DeviceFilter device_;
    BindingWalk walk_;
    bool is_compilers_ = false;
    std::uint32_t next_ = 0;  ///< the first index that was not checked
};

}  // namespace

std::vector<ModelBinding> model_bindings(const Process& process, std::uint64_t stream_id, const StreamWindow& window,
                                         DeviceFilter device) {
    WindowBindings bindings(process, window, device);
    for (const std::uint32_t place : places_inside(process, process.of_stream.of(stream_id), window.span)) {
        if (may_be_of(process.facts[place], device)) {
            bindings.take(place);
        }
    }
    return bindings.finish();
}

std::vector<DeviceFilter> devices_of_task(const Process& process, TaskKey task) {
    std::vector<DeviceFilter> devices;
    std::set<std::uint64_t> known;
    DeviceFilter last;  // mostly that of all lines
    for (const Places places : {process.of_task.of(task), process.of_stream.of(task.first)}) {
        for (const std::uint32_t place : places) {
            const DeviceFilter device = process.facts[place].fact.device_id;
            if (!device || device == last || device == kOfflineDevice) {
                continue;
            }
            last = device;
            if (known.insert(*device).second) {
                devices.push_back(device);
            }
        }
    }
    if (devices.empty()) {
        devices.emplace_back();
    }
    return devices;
}

}  // namespace opdebug::logs
