// What the logs of the host say of the record's stream at the time of the overflow, whatever they say of its task.
#pragma once

#include <vector>

#include <opdebug/locate.hpp>

#include "locate/candidates.hpp"
#include "locate/query.hpp"

namespace opdebug::locate_stage {

/// A stream in one host process and on one device.
struct StreamState {
    TaskMatch place;           ///< without facts on the task; with the model that owns the stream then
    bool is_closed = false;    ///< a line released the stream, or unbound it, before the time, and none revived it
    bool names_model = false;  ///< a line ties the stream to a model at the time
};

/// Of each host process whose lines mention the stream. Pointers lead into the map.
std::vector<StreamState> stream_states(const TaskMap::Contents& map, const Dump& dump, const TaskQuery& query,
                                       const LocateOptions& options);

/// Whether host lines deny what a device's log says: of its own host process where that is known to them, else of all.
/// Device logs have a clock of their own, so only lines that ended the stream's use before the overflow count.
bool is_denied(const DeviceFact& said, const std::vector<StreamState>& states);

/// The model that owns the stream at the time, where the logs do not tell the task. `device`: what device logs say of
/// the task; their host processes are asked first. Processes that name different models give none, and a remark.
std::optional<LocatedModel> model_of_stream(const std::vector<StreamState>& states,
                                            const std::vector<DeviceFact>& device, const Dump& dump,
                                            const TaskQuery& query, const TaskMap::Contents& map,
                                            std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::locate_stage
