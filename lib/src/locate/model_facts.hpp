// The facts of a process that name or pair models: ids are reused, so the one that is valid at a time counts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "logs/facts/task_map.hpp"
#include "logs/lookup/map_index.hpp"

namespace opdebug::locate_stage {

/// Looks facts up around one time. Pointers lead into the process.
class ModelFacts {
public:
    /// `device`: of the task, where its lines name one. `time_us`: of its first line. What names a model is logged
    /// while the model is loaded.
    ModelFacts(const TaskMap::Contents& map, const logs::Process& process, logs::DeviceFilter device,
               std::int64_t time_us)
        : index_(map.index()), process_(process), device_(device), time_us_(time_us) {}

    /// Of the facts about the model, graph or stream of that number, those inside the span, the one nearest to the
    /// time. Left out: facts on a model id after whose model's end, or before whose model's end, the time lies: the id
    /// then means another model. So it does on another device, where it is the runtime's; GE's are the process's.
    const logs::StoredFact* nearest(logs::About about, std::uint64_t number, const logs::Span& span = {}) const;

    /// Of the time of a stream, that of the load in which the time lies: from GE's last set-up of the stream before it
    /// to the first one behind it. Whole where the stream is set up on several devices: whose set-up is whose is
    /// unsure.
    logs::Span load_of_stream(std::uint64_t stream_id, logs::Span of_stream) const;

private:
    bool is_of_other_device(logs::About about, const logs::StoredFact& fact) const;
    bool is_of_other_model(const logs::StoredFact& fact) const;
    bool ends_between(logs::About end, const std::optional<std::uint64_t>& model, const logs::Span& span) const;
    /// Of the ends of a runtime model, those that may be of the device. Asked for each fact of a model, of which both
    /// may be thousands, so it is worked out once.
    const std::vector<std::uint32_t>& ends_here(std::uint64_t model, logs::Places ends) const;

    const logs::MapIndex& index_;
    const logs::Process& process_;
    logs::DeviceFilter device_;
    std::int64_t time_us_;
    mutable std::map<std::uint64_t, std::vector<std::uint32_t>> ends_here_{};  ///< by model
};

}  // namespace opdebug::locate_stage
