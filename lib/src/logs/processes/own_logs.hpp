// Logs of equal process ids in one place: of one process, or of several that have the id in containers or on hosts.
#pragma once

#include <cstddef>
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

/// The own logs of a process by their folders, to be held against those of another one.
class OwnLogs {
public:
    using Files = std::vector<std::string>;  ///< of all processes; their paths stay, also when further ones come

    OwnLogs(const std::vector<OwnLog>& logs, const Files& files);
    void add(const OwnLogs& further, const Files& files);
    std::size_t size() const noexcept { return size_; }

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
    /// Takes as long as the one that has fewer logs has them.
    Relation relation_to(const OwnLogs& other, const Files& files) const;

private:
    struct Log {
        std::int64_t first_us = 0;
        std::int64_t last_us = 0;  ///< of it and those before it
        std::uint32_t file = 0;
        std::uint32_t name_size = 0;  ///< behind the folder, without rotation and packing
        std::size_t name_begin = 0;
    };
    using Logs = std::vector<Log>;  ///< by their begin
    class IsBefore;

    static void carry_on_ends(Logs& logs, std::size_t from) noexcept;
    static void relate(const Logs& more, const Logs& fewer, const Files& files, Relation& relation);

    std::map<std::string, Logs> of_folder_;
    std::size_t size_ = 0;
};

}  // namespace opdebug::logs
