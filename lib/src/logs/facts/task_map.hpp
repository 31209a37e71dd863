// Inside of a task map: the facts of each process, in time order.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/container/stable_vector.hpp>

#include <opdebug/logs.hpp>

#include "logs/facts/fact.hpp"
#include "logs/facts/fact_places.hpp"

namespace opdebug::logs {

/// A line of a log.
struct LogPlace {
    std::uint32_t file = 0;        ///< index into TaskMap::Contents::files
    std::uint64_t line = 0;        ///< from 1
    std::string text;              ///< the line, cut to a sane length
    std::optional<LogKind> log{};  ///< of a line that completes a fact, where it differs from the fact's
};

/// A line beside the fact's own, where there is one. It is kept apart from the fact, for most facts have none and each
/// is moved some times: a std::optional made facts a fifth larger.
class FurtherLine {
public:
    FurtherLine() = default;
    FurtherLine(LogPlace line) : line_(std::make_unique<LogPlace>(std::move(line))) {}
    FurtherLine(const FurtherLine& other) : line_(other ? std::make_unique<LogPlace>(*other) : nullptr) {}
    FurtherLine(FurtherLine&&) noexcept = default;
    FurtherLine& operator=(const FurtherLine& other) { return *this = FurtherLine(other); }
    FurtherLine& operator=(FurtherLine&&) noexcept = default;
    ~FurtherLine() = default;

    /// In the memory of the line that was there.
    void assign(const LogPlace& line) {
        if (line_ == nullptr) {
            line_ = std::make_unique<LogPlace>();
        }
        *line_ = line;
    }

    explicit operator bool() const noexcept { return line_ != nullptr; }
    LogPlace& operator*() { return *line_; }
    const LogPlace& operator*() const { return *line_; }
    LogPlace* operator->() { return line_.get(); }
    const LogPlace* operator->() const { return line_.get(); }

private:
    std::unique_ptr<LogPlace> line_;
};

/// A fact with the line that states it.
struct StoredFact {
    Fact fact;
    std::int64_t tid = -1;
    std::int64_t time_us = 0;  ///< local wall clock of the writer; of the line before when the line has none
    LogPlace place;
    FurtherLine submit;           ///< the submit line that gave a launch its final task id
    FurtherLine completed_by;     ///< the earlier line of the thread that told what this one lacks
    bool from_saved_map = false;  ///< the line was not read now: the file may be gone
};

/// Each in memory of its own: a std::vector that grows moves all facts, which are large, into memory twice as large,
/// and the system has to give each page of it. That took a tenth of the time of indexing, and a third of its memory.
/// Blocks of several facts won nothing more, and a log may have 100,000 processes with a fact each.
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

/// When a stream id was open on which device; for each in time order.
using OpenOnDevices = std::map<std::uint64_t, std::vector<Span>>;

/// The process sees the driver's device under a number of its own.
struct VisibleDevice {
    std::uint64_t user_number = 0;
    std::uint64_t device = 0;
    std::uint32_t place = 0;  ///< of the fact that says so
    std::size_t run = 0;      ///< of the process id, in which it does: how many began until then
};

/// Where one run of a process id sets streams up on several devices.
struct StreamDevices {
    std::vector<std::uint64_t> devices;               ///< these, ascending, without the graph compiler's
    std::map<std::int64_t, std::uint64_t> of_thread;  ///< of threads that do so on one of them alone
};

/// A file that is called by the process that wrote it, as plogs are: it has one open in a folder at a time.
struct OwnLog {
    std::uint32_t file = 0;  ///< index into TaskMap::Contents::files
    std::int64_t first_us = 0;
    std::int64_t last_us = 0;
};

/// Everything one process says. Device-side processes (CCECPU) have pids and a clock of their own.
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
    FactPlaces<std::uint64_t> of_stream;                    ///< facts with a stream but no task
    FactPlaces<std::uint64_t> of_model_end;                 ///< by runtime model id: facts that say that it is gone
    FactPlaces<std::uint64_t> of_ge_model_end;              ///< the same by GE's id
    std::vector<std::int64_t> run_begins;                   ///< when the process id became a new process's
    std::vector<VisibleDevice> visible_devices;             ///< run by run; none: it numbers devices as the driver does
    std::vector<std::uint64_t> dump_folders;                ///< called by these times, each once and in order
    std::map<std::uint64_t, OpenOnDevices> shared_streams;  ///< stream ids that are set up on several devices
    std::map<std::size_t, StreamDevices> stream_devices;    ///< by run, of which see VisibleDevice
};

class MapIndex;

/// Makes the index of a map (map_index.hpp) when the first question is asked: who only saves a map does not pay for it.
class LazyMapIndex {
public:
    LazyMapIndex();
    ~LazyMapIndex();
    LazyMapIndex(LazyMapIndex&&) noexcept;
    LazyMapIndex& operator=(LazyMapIndex&&) noexcept;
    /// Thread-safe. The map must stay as it is and where it is from here on.
    const MapIndex& of(const TaskMap::Contents& map) const;

private:
    struct Once;
    std::unique_ptr<Once> once_;
};

}  // namespace opdebug::logs

struct opdebug::TaskMap::Contents {
    std::vector<std::string> files;
    std::set<std::string> damaged_files;   ///< of `files`; not kept in saved maps
    std::vector<Error> unread;             ///< paths that could not be read, or not wholly; not kept in saved maps
    std::vector<logs::Process> processes;  ///< by pid
    std::uint64_t runtime_info_lines = 0;  ///< to explain why nothing was found
    std::uint64_t ge_info_lines = 0;
    logs::LazyMapIndex lazy_index{};

    const logs::MapIndex& index() const { return lazy_index.of(*this); }
};
