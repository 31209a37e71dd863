// Dumps that were found and not given yet: they may still be written.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <opdebug/watch.hpp>

#include "scan/time_folders.hpp"
#include "tree/file_place.hpp"
#include "watch/file_version.hpp"
#include "watch/given_dumps.hpp"
#include "watch/missed_dumps.hpp"

namespace opdebug::watch {

using Clock = std::chrono::steady_clock;

/// What became of a dump when it was tried. not_a_file: a pipe, socket or device, or a link that leads nowhere; known:
/// it was given, under this path or another one.
enum class Tried { given, waits, gone, not_a_file, known };

/// Takes a dump, with its number and why it comes.
using UseDump = std::function<void(ScannedDump&&, std::uint64_t, WatchReason)>;

class PendingDumps {
public:
    explicit PendingDumps(const WatchOptions& options) : options_(options) {}

    /// A file that has the name of a dump, or a number that stands for it. One that was given is looked at again when
    /// it was written: as the system tells (`written`), or within the minute behind its reading, for files that are
    /// listed again and again are many.
    void add(const std::string& file, std::string_view name, Clock::time_point now, bool written);

    /// Tries those that are due; `last`: all, and takes them as they are. Ends early when options.scan.stop says so.
    void try_due(Clock::time_point now, bool last, const UseDump& use);

    /// Reads those of the dumps given again whose answer may be another one now.
    void look_again(const UseDump& use);

    /// When the next one is due; nothing when none waits.
    std::optional<Clock::time_point> next_due() const;

    std::uint64_t waiting() const noexcept { return pending_.size(); }
    /// Those of them that were never given.
    std::uint64_t unread() const;
    /// Dumps that were not at their paths any more when they were to be decoded, since the last take_gone().
    std::size_t missed() const noexcept { return missed_.count(); }
    /// Those of them that are at no other path that was added.
    std::uint64_t take_gone();
    /// Dumps that look_again() did not come to.
    std::uint64_t not_looked_again() const noexcept { return not_looked_again_; }

private:
    struct Pending {
        Clock::time_point found, changed, due;
        FileVersion came_as;                   ///< when it was found
        FileVersion version;                   ///< when it was tried
        std::optional<tree::FilePlace> place;  ///< then
        std::uint64_t given_before = 0;        ///< so many dumps were given when it was found
        bool is_old = false;                   ///< it was written long before: nobody is at work on it
        bool awaits_operator = false;          ///< it is whole, and only its operator's dump is missing

        const FileVersion& seen_as() const noexcept { return version.size >= 0 ? version : came_as; }
    };
    /// What a path was known to lead to when it was last tried.
    struct Known {
        bool waits = false;
        std::optional<std::uint64_t> number;  ///< of the dump given
        Clock::time_point tried;
    };
    /// Files in front of links, for a dump has its own path rather than that of a link; then by the time in the name:
    /// of dumps that come together the earliest is given first.
    struct Turn {
        bool is_link = false;
        std::uint64_t time_us = 0;
        std::string file;

        bool operator<(const Turn& other) const {
            return std::tie(is_link, time_us, file) < std::tie(other.is_link, other.time_us, other.file);
        }
    };
    using Queue = std::map<Turn, Pending>;

    /// What the tries of one look share.
    struct Round {
        Clock::time_point now;
        bool last = false;
        std::shared_ptr<OpDumpFolders> op_dumps;
        const UseDump& use;
    };
    void enqueue(const std::string& file, std::string_view name, Clock::time_point now);
    Tried try_one(const Turn& turn, Pending& pending, Known& known, const Round& round);
    Tried read(const std::string& file, Pending& pending, Known& known, const Round& round);
    bool must_wait(const ScannedDump& scanned, const Pending& pending, Clock::time_point now) const;
    bool may_be_held(const Pending& pending, Clock::time_point now) const;
    void leave(const Turn& turn, const Pending& pending, Tried tried, Clock::time_point now);
    void read_again(std::uint64_t number, WatchReason reason, const std::shared_ptr<OpDumpFolders>& op_dumps,
                    const UseDump& use);
    std::optional<std::string> time_folder_of(const std::string& file) const;
    ScannedDump scan(const std::string& file, const std::shared_ptr<OpDumpFolders>& op_dumps) const;
    bool must_stop() const { return options_.scan.stop && options_.scan.stop(); }
    OpDumpsSeen seen_by(const ScannedDump& scanned, std::int64_t began_ns, OpDumpFolders& op_dumps) const;

    const WatchOptions& options_;
    Queue pending_;
    std::unordered_map<std::string, Known> known_;  ///< by path
    std::set<tree::FilePlace> waiting_files_;       ///< of the queue, links left out
    GivenDumps given_;
    scan_stage::FirstDumps first_dumps_;  ///< of those seen so far
    MissedDumps missed_;
    static constexpr std::uint64_t kNoneMissed = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t given_before_missed_ = kNoneMissed;  ///< the dumps given when the first of them was found
    std::uint64_t not_looked_again_ = 0;
};

}  // namespace opdebug::watch
