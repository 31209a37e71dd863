// Saved maps → the facts of their lines: read as the logs were that they were made of.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <opdebug/logs.hpp>

#include "logs/formats/formats.hpp"
#include "logs/processes/builder.hpp"
#include "logs/processes/own_logs.hpp"
#include "logs/reading/reading_threads.hpp"
#include "logs/saved_map/map_writer.hpp"
#include "logs/saved_map/saved_map.hpp"

namespace opdebug::logs {

/// Process ids that several saved maps contain: which of their processes are the same.
/// Hosts have equal process ids, as containers have, and log folders have equal names on all of them. A process of
/// another map is the same one where a file of both is the same; also where one process may have written all files
/// (own_logs.hpp). Those of one map are different ones. Device-side processes are not distinguished.
class SameProcesses {
public:
    /// The maps must outlive this.
    explicit SameProcesses(const std::vector<SavedMap>& maps);

    /// Which host each writer of a file is of.
    HostsOfWriters hosts_of(std::size_t map, std::uint32_t file) const;
    std::vector<Diagnostic> remarks() const;

private:
    /// Process id, on a device, root of the log or, on a device, its folder.
    using Key = std::tuple<std::int64_t, bool, std::string>;
    /// A process of one map, with the host that the map gives it.
    using KeyInMap = std::pair<Key, std::uint32_t>;
    struct Process {
        std::vector<OwnLog> own_logs;
        std::optional<std::int64_t> first_us;
    };
    using Processes = std::map<KeyInMap, Process>;
    struct Known {
        std::uint32_t host = 0;
        OwnLogs logs;
        std::int64_t first_us = 0;
        bool is_taken = false;  ///< by a process of the map that is looked at
    };
    /// How far logs and begins of processes lie apart.
    using Distance = std::tuple<bool, std::uint64_t, std::uint64_t>;
    struct Nearest {
        Known* known = nullptr;
        Distance distance;
        bool is_only = false;  ///< no other process of the map may go on it
    };
    struct Candidate {
        const KeyInMap* key = nullptr;
        std::int64_t first_us = 0;
        OwnLogs logs;
        Nearest nearest;
    };

    static KeyInMap key_of(const SavedFile& file, const SavedWriter& writer);
    Processes processes_of(const SavedMap& map);
    void add(const Processes& processes, std::map<KeyInMap, std::uint32_t>& hosts);
    bool may_compare(std::uint64_t pairs) noexcept;
    Nearest find(std::vector<Known>& known, const Candidate& candidate);

    const std::vector<SavedMap>& maps_;
    std::vector<std::string> files_;  ///< of all maps
    std::vector<std::map<KeyInMap, std::uint32_t>> hosts_;
    std::map<Key, std::vector<Known>> known_;
    std::uint64_t compared_ = 0;
    std::optional<std::int64_t> guessed_;  ///< the first one of several possible processes, of which one was chosen
};

/// What takes the lines that are read.
struct LineTakers {
    TaskMapBuilder& builder;
    MapWriter* writer = nullptr;  ///< of a map that is made of maps; null: none is
    ReadingWatch& watch;
};

/// Reads all lines of the maps, or those that matter to what is wanted, in the order of the logs' files, whichever map
/// holds them. A map in memory means logs that are read now. `built_in`: the formats without those of the maps.
/// Failures of maps that are damaged, or whose formats are wrong, and remarks are added to the result.
void read_maps(const std::vector<SavedMap>& maps, const ReadLogsOptions& options,
               const std::shared_ptr<const LogFormats>& formats, const LineTakers& takers, ReadLogs& result);

}  // namespace opdebug::logs
