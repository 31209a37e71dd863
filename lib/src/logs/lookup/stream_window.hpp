// When a stream id means one and the same stream, and which models it belonged to: ids are reused by the driver after
// the stream was freed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// Device number under which the graph compiler sets up streams without hardware (seen in real logs of 2023).
constexpr std::uint64_t kOfflineDevice = 64;

constexpr std::int64_t kBeginOfTime = Span().begin;
constexpr std::int64_t kEndOfTime = Span().end;

/// From set-up to release of one stream.
struct StreamWindow {
    Span span;
    const StoredFact* opened_by = nullptr;  ///< null: it was open before the log begins, or no such line is logged
    const StoredFact* closed_by = nullptr;  ///< null: still open at the end of the log
    /// Of the first set-up of a run, the begin of the run. Lines on the id in between are about an earlier stream,
    /// whose set-up and release are lost.
    std::optional<std::int64_t> unlogged_since{};
};

/// The window of that earlier stream.
inline StreamWindow unlogged_window(const StreamWindow& first) {
    return {{*first.unlogged_since, first.span.begin}};
}

/// The windows of a stream id, in time order. Streams of the graph compiler (offline device 64) are left out: no task
/// of theirs ever runs. All end where the process id becomes a new process's (Process::run_begins). At least one window
/// comes back unless all are the compiler's: without any line the id counts as open all the time.
std::vector<StreamWindow> stream_windows(const Process& process, std::uint64_t stream_id, DeviceFilter device = {});

/// The time a stream belonged to one runtime model.
struct ModelBinding {
    Span span;
    std::uint64_t model_id = 0;
    const StoredFact* bound_by = nullptr;
    const StoredFact* unbound_by = nullptr;  ///< the unbinding, or the line that the model is gone
};

/// Whether lines of this kind may bind a stream to a model. What a stream captured stays its model's when the capture
/// ends.
inline bool binds_a_stream(FactKind kind) noexcept {
    return kind == FactKind::model_bind || kind == FactKind::capture_stream;
}

/// The bindings of a stream inside one of its windows, in time order. A binding ends with its unbinding or with the
/// model: model ids are reused by the driver after the model was destroyed.
std::vector<ModelBinding> model_bindings(const Process& process, std::uint64_t stream_id, const StreamWindow& window,
                                         DeviceFilter device = {});

/// The devices that the facts on a task or its stream name, but the compiler's; one empty filter when they name none.
std::vector<DeviceFilter> devices_of_task(const Process& process, TaskKey task);

/// Of facts at some indices, those inside the span that do not contradict the device.
std::vector<const StoredFact*> facts_inside(const Process& process, Places places, const Span& span,
                                            DeviceFilter device);

/// Of indices, those of facts inside the span.
Places places_inside(const Process& process, Places places, const Span& span);

/// When a stream served a GE model, by GE's lines alone (the runtime's lines that bind streams may not be logged): from
/// its set-up for a model to the unloading of that model. Loads may overlap.
struct GeLoad {
    Span span;
    const StoredFact* set_up_by = nullptr;
};

/// One window of a stream with its bindings, in time order; where no line binds it, GE's lines on its models.
struct WindowHistory {
    StreamWindow window;
    std::vector<ModelBinding> bindings;
    std::vector<GeLoad> ge_loads{};
};

/// The windows of a stream id on a device, in time order; no two of them overlap. The window of an earlier stream
/// (StreamWindow::unlogged_since) is among them where a line binds it. The tasks' uses show whether lines on its tasks
/// exist.
using StreamHistory = std::vector<WindowHistory>;

StreamHistory history_of_stream(const Process& process, std::uint64_t stream_id, DeviceFilter device = {});

}  // namespace opdebug::logs
