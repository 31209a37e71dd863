// Saved maps → the facts of their lines: read as the logs were that they were made of.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <opdebug/logs.hpp>

#include "logs/formats/formats.hpp"
#include "logs/processes/builder.hpp"
#include "logs/reading/reading_threads.hpp"
#include "logs/saved_map/map_writer.hpp"
#include "logs/saved_map/saved_map.hpp"

namespace opdebug::logs {

/// Where the lines of maps go to.
struct MapReaders {
    TaskMapBuilder& builder;
    MapWriter* writer = nullptr;  ///< of a map that is made of maps; null: none is
    ReadingWatch& watch;
};

/// Reads all lines of the maps, or those that matter to what is wanted, in the order of the logs' files, whichever map
/// holds them. A map in memory means logs that are read now. `built_in`: the formats without those of the maps.
/// Failures of maps that are damaged, or whose formats are wrong, and remarks are added to the result.
void read_maps(const std::vector<SavedMap>& maps, const ReadLogsOptions& options,
               const std::shared_ptr<const LogFormats>& formats, const MapReaders& readers, ReadLogs& result);

}  // namespace opdebug::logs
