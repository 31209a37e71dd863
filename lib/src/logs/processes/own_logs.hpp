// Logs of equal process ids in one folder: of one process, or of several with the same id in containers or on hosts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// A process begins a file when the one before it in the folder is full. Its threads write a little out of order, and
/// so does a clock that is corrected. Lines that are earlier by more than this are another process's (inferred).
constexpr std::int64_t kLongerThanDisorderUs = 5'000'000;

/// Whether a file with this first line was begun while the one with this last line was still written.
inline bool begins_within(std::int64_t first_us, std::int64_t last_us) noexcept {
    return is_gap(first_us, last_us, kLongerThanDisorderUs);
}

/// The own logs of a process by their folders, to be held against those of another one.
class OwnLogs {
public:
    /// `files`: of all processes.
    OwnLogs(const std::vector<OwnLog>& logs, const std::vector<std::string>& files);
    void add(const OwnLogs& further);

    enum class Kinship {
        one_log,  ///< a file of both has one name and begins at one time: it is the same
        in_turn,  ///< a process may have written all of them
        at_once   ///< a folder has files of both that were written at the same time
    };
    struct Relation {
        Kinship kinship = Kinship::in_turn;
        /// Between the end of a file and the begin of a later one of the other's, at the least; of no common folder:
        /// greatest.
        std::uint64_t distance_us = std::numeric_limits<std::uint64_t>::max();
    };
    Relation relation_to(const OwnLogs& other) const;
    /// How many pairs of logs that compares.
    std::uint64_t pairs_with(const OwnLogs& other) const;

private:
    struct Log {
        std::int64_t first_us = 0;
        std::string name;  ///< without rotation and packing
        std::int64_t last_us = 0;
        auto begin() const { return std::tie(first_us, name); }
    };
    std::map<std::string, std::vector<Log>> of_folder_;
};

/// The remark on the first process whose logs of one folder were written at the same time. They stay together: the
/// files do not show which logs of debug and run are one process's. `files`: of the map.
std::optional<Diagnostic> shared_id(const std::vector<Process>& processes, const std::vector<std::string>& files);

}  // namespace opdebug::logs
