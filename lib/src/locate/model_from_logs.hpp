// The stream of a task → the model it belongs to. Two id spaces: the runtime's (record, RUNTIME lines) and GE's (GE and
// ASCENDCL lines); they differ in every real log that is known.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <opdebug/locate.hpp>

#include "locate/candidates.hpp"
#include "logs/facts/task_map.hpp"
#include "logs/lookup/map_index.hpp"

namespace opdebug::locate_stage {

/// The model of a match, as far as the logs tell it. A record whose model id is neither the runtime's nor GE's for this
/// stream is remarked. `answer`: the operator that was found, or null; its kernel's name can hold model numbers.
std::optional<LocatedModel> model_of_match(const TaskMatch& match, const TaskQuery& query, const OperatorAnswer* answer,
                                           const TaskMap::Contents& map, std::vector<Diagnostic>& diagnostics);

/// "model_named_elsewhere": a line that names the record's model id, where no line binds the record's stream to it. A
/// hint only. The record has a model id.
void remark_named_elsewhere(const TaskMap::Contents& map, const TaskQuery& query, std::vector<Diagnostic>& diagnostics);

/// What the device's table of the operator's model tells, where the host's lines do not: the model's name and GE's id.
/// A number that is the record's may be the runtime's (newer versions print it, inferred) and is not taken for GE's.
/// `device`: lines of device logs on the task.
void add_model_of_device(const std::vector<const logs::StoredFact*>& device, const OperatorAnswer* answer,
                         const TaskQuery& query, const TaskMap::Contents& map, std::optional<LocatedModel>& model);

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
