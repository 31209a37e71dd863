// Inside of a task map: the facts of each process, in time order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <boost/container/stable_vector.hpp>

#include <opdebug/logs.hpp>

#include "logs/facts/fact.hpp"

namespace opdebug::logs {

/// Indices into a list; ascending, so in the order of time where the list is.
using Places = std::span<const std::uint32_t>;

/// For each key its indices, in the order of the keys.
template <class Key>
class FactPlaces {
public:
    /// A key and one of its indices.
    using Entry = std::pair<Key, std::uint32_t>;

    FactPlaces() = default;
    explicit FactPlaces(std::vector<Entry> entries) {
        if (!std::is_sorted(entries.begin(), entries.end())) {
            std::sort(entries.begin(), entries.end());
        }
        places_.reserve(entries.size());
        for (const auto& [key, place] : entries) {
            if (keys_.empty() || keys_.back() != key) {
                keys_.push_back(key);
                begins_.push_back(static_cast<std::uint32_t>(places_.size()));
            }
            places_.push_back(place);
        }
        begins_.push_back(static_cast<std::uint32_t>(places_.size()));
        keys_.shrink_to_fit();
        begins_.shrink_to_fit();
    }

    std::size_t size() const noexcept { return keys_.size(); }

    /// None when the key has none.
    Places of(const Key& key) const {
        const std::size_t number = first_from(key);
        return number < keys_.size() && keys_[number] == key ? places(number) : Places();
    }

    /// The number of the first key that is not less; size() when there is none.
    std::size_t first_from(const Key& key) const {
        return static_cast<std::size_t>(std::lower_bound(keys_.begin(), keys_.end(), key) - keys_.begin());
    }
    const Key& key(std::size_t number) const { return keys_[number]; }
    Places places(std::size_t number) const {
        return Places(places_).subspan(begins_[number], begins_[number + 1] - begins_[number]);
    }

private:
    std::vector<Key> keys_;
    std::vector<std::uint32_t> begins_;  ///< for each key, where its indices begin; and the end of the last one's
    std::vector<std::uint32_t> places_;
};

/// A line of a log.
struct LogPlace {
    std::uint32_t file = 0;        ///< index into TaskMap::Contents::files
    std::uint64_t line = 0;        ///< from 1
    std::string text;              ///< the line, cut to a sane length
    std::optional<LogKind> log{};  ///< of a line that completes a fact, where it differs from the fact's
};

/// A fact with the line that states it.
struct StoredFact {
    Fact fact;
    std::int64_t tid = -1;
    std::int64_t time_us = 0;  ///< local wall clock of the writer; of the line before when the line has none
    LogPlace place;
    std::optional<LogPlace> submit;      ///< the submit line that gave a launch its final task id
    std::vector<LogPlace> completed_by;  ///< earlier lines of the thread that gave what this one lacks
    bool from_saved_map = false;         ///< the line was not read now: the file may be gone
};

/// Each has memory of its own: a std::vector that grows moves all facts, which are large. Facts are moved in, because
/// the list frees the memory of an element twice when copying it fails for lack of memory.
using StoredFacts = boost::container::stable_vector<StoredFact>;

using TaskKey = std::pair<std::uint64_t, std::uint64_t>;  ///< stream id, task id

/// A device that the facts must not contradict; nothing: any. Stream ids are given out per device.
using DeviceFilter = std::optional<std::uint64_t>;

/// A time span [begin, end) in the process's local clock.
struct Span {
    std::int64_t begin = std::numeric_limits<std::int64_t>::min();
    std::int64_t end = std::numeric_limits<std::int64_t>::max();
    bool contains(std::int64_t time) const noexcept { return begin <= time && time < end; }
};

/// Whether `next_us` is at least so much later than `last_us`. `least_us`: above 0. Saved maps may hold any times, so
/// no difference is computed as a signed number.
inline bool is_gap(std::int64_t last_us, std::int64_t next_us, std::int64_t least_us) noexcept {
    return next_us > last_us && static_cast<std::uint64_t>(next_us) - static_cast<std::uint64_t>(last_us) >=
                                    static_cast<std::uint64_t>(least_us);
}

/// How far apart two times are.
inline std::uint64_t distance_us(std::int64_t a, std::int64_t b) noexcept {
    return static_cast<std::uint64_t>(a < b ? b : a) - static_cast<std::uint64_t>(a < b ? a : b);
}

/// Rotation takes less (inferred): so far apart lie the lines of two runs of one process id at least.
constexpr std::int64_t kLongerThanRotationUs = 1'000'000;

/// A time in the run that a line just before it may begin. In a saved map the begin comes from the files of this
/// map: a line of another map may have been written a little earlier.
inline std::int64_t in_run_of_line(std::int64_t time_us) noexcept {
    constexpr std::int64_t kLess = kLongerThanRotationUs - 1;
    return time_us > std::numeric_limits<std::int64_t>::max() - kLess ? time_us : time_us + kLess;
}

/// The process sees the driver's device under a number of its own.
struct VisibleDevice {
    std::uint64_t user_number = 0;
    std::uint64_t device = 0;
    std::uint32_t place = 0;  ///< of the fact that states so
    std::size_t run = 0;      ///< of the process id, in which it does: how many began until then
};

/// Where one run of a process id sets streams up on several devices.
struct StreamDevices {
    std::map<std::int64_t, std::uint64_t> of_thread;  ///< of threads that do so on one of them alone
};

/// A file that is called by the process that wrote it, as plogs are: it has one open in a folder at a time.
struct OwnLog {
    std::uint32_t file = 0;  ///< index into TaskMap::Contents::files
    std::int64_t first_us = 0;
    std::int64_t last_us = 0;
};

/// All lines of one process. Device-side processes (CCECPU) have pids and a clock of their own.
struct Process {
    std::int64_t pid = -1;
    bool on_device = false;
    /// Device-side only, from the path of its log, "device-<device>/device-<host process>_<time>.log".
    std::optional<std::uint64_t> device_id;
    std::optional<std::int64_t> host_pid;
    std::string root;                 ///< folder above debug, run, plog, ...: the logs of one container or host
    bool without_host_lines = false;  ///< no line of the runtime, GE or AscendCL, and none that states anything
    bool states_anything = false;     ///< also when none of its facts was kept, because others were wanted
    std::int64_t first_time_us = 0;
    std::int64_t last_time_us = 0;
    std::vector<OwnLog> own_logs;  ///< of host processes
    StoredFacts facts;             ///< by time, then in file order
    FactPlaces<TaskKey> of_task;
    FactPlaces<std::uint64_t> of_stream;                  ///< facts with a stream but no task
    FactPlaces<std::uint64_t> of_model_end;               ///< by runtime model id: facts that the model is gone
    FactPlaces<std::uint64_t> of_ge_model_end;            ///< the same by GE's id
    std::vector<std::int64_t> run_begins;                 ///< when the process id became a new process's
    std::vector<VisibleDevice> visible_devices;           ///< run by run; none: it numbers devices as the driver does
    std::vector<std::uint64_t> dump_folders;              ///< called by these times, each once and in order
    std::optional<std::uint64_t> rank;                    ///< in its largest group; empty also if lines disagree
    std::uint64_t rank_count = 0;                         ///< ranks of that group
    std::string rank_group;                               ///< its name
    std::set<std::uint64_t> shared_streams;               ///< stream ids that are set up on several devices
    std::map<std::size_t, StreamDevices> stream_devices;  ///< by run, of which see VisibleDevice
};

class MapIndex;

/// So many devices of a process are distinguished: more than machines have, also where a process id had some dozens of
/// runs. A log with another number in each line must not take time with their square.
inline constexpr std::size_t kMostDevicesOfProcess = 1024;

/// Whether the line names its device as the process numbers it.
inline bool is_by_own_number(const Fact& fact) noexcept {
    return fact.user_device_id && fact.kind != FactKind::visible_device;
}

/// The driver's number where a line has it: what else `device_id` holds may change when more lines are there.
inline DeviceFilter device_by_line(const Fact& fact) noexcept {
    return is_by_own_number(fact) ? DeviceFilter() : fact.device_id;
}

/// A line that another one gave the driver's number as well needs no other.
inline void prefer_drivers_number(Fact& fact) noexcept {
    if (is_by_own_number(fact) && fact.device_id) {
        fact.user_device_id.reset();
    }
}

inline bool lacks_drivers_number(const Fact& fact) noexcept {
    return is_by_own_number(fact) && !fact.device_id;
}

/// The numbers are equal unless a line shows otherwise.
inline void take_numbers_for_equal(Fact& fact) noexcept {
    if (lacks_drivers_number(fact)) {
        fact.device_id = fact.user_device_id;
    }
}

}  // namespace opdebug::logs

struct opdebug::TaskMap::Contents {
    std::vector<std::string> files;
    std::set<std::string> damaged_files;   ///< of `files`; not kept in saved maps
    std::vector<Error> unread;             ///< paths that could not be read, or not wholly; not kept in saved maps
    std::vector<logs::Process> processes;  ///< by pid
    std::uint64_t runtime_info_lines = 0;  ///< to explain why nothing was found
    std::uint64_t ge_info_lines = 0;

    /// Built on first use. Thread-safe; the map must not change or move from then on.
    const logs::MapIndex& index() const;

private:
    std::unique_ptr<std::once_flag> is_indexed_ = std::make_unique<std::once_flag>();
    mutable std::shared_ptr<const logs::MapIndex> index_;
};
