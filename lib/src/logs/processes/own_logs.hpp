// Logs of equal process ids in one place: of one process, or of several that have the id in containers or on hosts.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "logs/facts/task_map.hpp"
#include "logs/facts/time_gap.hpp"

namespace opdebug::logs {

/// A process begins a file when the one before it in the folder is full, and its threads write a little out of order
/// (so does a clock that is set right). What lies further back is inferred to be another process's.
constexpr std::int64_t kLongerThanDisorderUs = 5'000'000;

/// Whether a file with this first line was begun while the one with this last line was still written.
inline bool begins_within(std::int64_t first_us, std::int64_t last_us) noexcept {
    return is_gap(first_us, last_us, kLongerThanDisorderUs);
}

/// How far apart two times lie.
inline std::uint64_t distance_us(std::int64_t a, std::int64_t b) noexcept {
    return static_cast<std::uint64_t>(a < b ? b : a) - static_cast<std::uint64_t>(a < b ? a : b);
}

/// The own logs of a process by their folders, to be held against those of another one.
class OwnLogs {
public:
    /// `files`: of the map.
    OwnLogs(const std::vector<OwnLog>& logs, const std::vector<std::string>& files);
    void add(const OwnLogs& further);
    bool empty() const noexcept { return of_folder_.empty(); }

    enum class Kinship {
        one_log,  ///< a file of both has one name and begins at one time: it is the same
        in_turn,  ///< a process may have written all of them
        at_once   ///< a folder has files of both that were written at the same time
    };
    struct Relation {
        Kinship kinship = Kinship::in_turn;
        /// Between the end of a file and the begin of the other's next one, at the least; of no common folder:
        /// greatest.
        std::uint64_t distance_us = std::numeric_limits<std::uint64_t>::max();
    };
    Relation relation_to(const OwnLogs& other) const;
    /// Whether a file of both has one name.
    bool shares_name_with(const OwnLogs& other) const;

private:
    struct Log {
        std::int64_t first_us = 0;
        std::int64_t last_us = 0;
        std::string name;  ///< without rotation and packing
    };
    using Logs = std::vector<Log>;  ///< by their begin

    static void relate(const Logs& a, const Logs& b, Relation& relation);

    std::map<std::string, Logs> of_folder_;
};

}  // namespace opdebug::logs
