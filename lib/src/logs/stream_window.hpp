// When a stream id means one and the same stream: ids are reused by the driver after the stream was freed.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "logs/task_map.hpp"

namespace opdebug::logs {

constexpr std::int64_t kBeginOfTime = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kEndOfTime = std::numeric_limits<std::int64_t>::max();

/// A time span [begin, end) in the process's local clock.
struct Span {
    std::int64_t begin = kBeginOfTime;
    std::int64_t end = kEndOfTime;
    bool contains(std::int64_t time) const noexcept { return begin <= time && time < end; }
};

/// From set-up to release of one stream.
struct StreamWindow {
    Span span;
    const StoredFact* opened_by = nullptr;  ///< null: it was open before the log begins, or no such line is logged
    const StoredFact* closed_by = nullptr;  ///< null: still open at the end of the log
};

/// The windows of a stream id, in time order. Streams of the graph compiler (offline device 64) are left out: no task
/// of theirs ever runs. At least one window comes back unless all are the compiler's: without any line the id counts as
/// open all the time.
std::vector<StreamWindow> stream_windows(const Process& process, std::uint64_t stream_id, DeviceFilter device = {});

/// The time a stream belonged to one runtime model.
struct ModelBinding {
    Span span;
    std::uint64_t model_id = 0;
    const StoredFact* bound_by = nullptr;
    const StoredFact* unbound_by = nullptr;
};

/// The bindings of a stream inside one of its windows, in time order.
std::vector<ModelBinding> model_bindings(const Process& process, std::uint64_t stream_id, const StreamWindow& window,
                                         DeviceFilter device = {});

/// The devices that the facts on a task or its stream name, but the compiler's; one empty filter when they name none.
std::vector<DeviceFilter> devices_of_task(const Process& process, TaskKey task);

/// Of facts that an index lists (by time), those inside the span that do not contradict the device.
std::vector<const StoredFact*> facts_inside(const Process& process, const std::vector<std::size_t>& index,
                                            const Span& span, DeviceFilter device);

}  // namespace opdebug::logs
