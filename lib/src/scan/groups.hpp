// Statistics of a group and of the whole tree, counted dump by dump: a report may have more dumps than fit into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include <opdebug/scan.hpp>

#include "scan/dump_source.hpp"

namespace opdebug::scan_stage {

/// Runs of times less than a second apart. Times may come in any order; memory grows with the runs, not with the times.
class Bursts {
public:
    void add(std::uint64_t time) { add_run(time, time); }
    void add(const Bursts& other);
    std::uint64_t count() const noexcept { return runs_.size(); }

private:
    void add_run(std::uint64_t first, std::uint64_t last);

    std::map<std::uint64_t, std::uint64_t> runs_;  ///< the last time of each run by its first
};

/// The devices of dumps. Each host numbers its devices from 0, so equal numbers of two hosts are two devices. Below two
/// roots (dump_source.hpp) of one host or of unknown hosts, equal numbers may be one device or two.
class Devices {
public:
    /// Dumps without a device id add nothing.
    void add(std::optional<std::uint64_t> device_id, const SourceNumbers& source);

    const std::set<std::uint64_t>& numbers() const noexcept { return numbers_; }
    /// Number of devices; empty if it is uncertain.
    std::optional<std::size_t> count() const;
    /// One of them, by its number in the SourceTable.
    std::uint32_t any() const { return *by_root_.begin(); }

private:
    std::set<std::uint64_t> numbers_, of_known_hosts_;
    std::set<std::uint32_t> by_host_;  ///< of known hosts
    std::set<std::uint32_t> by_root_;  ///< of all
};

/// A core: its number counts within its unit.
using UnitCore = std::pair<Unit, std::uint64_t>;

/// The records of a group by core and block.
struct CoreSpread {
    struct CoreRecords {
        std::size_t count = 0;
        std::optional<std::uint64_t> block;  ///< of all of them
        bool several_blocks = false;
    };

    void add(const ScanCause& cause, std::uint32_t device);

    std::map<std::pair<std::uint32_t, UnitCore>, CoreRecords> cores;  ///< by device and core
    std::map<UnitCore, std::size_t> core_ids;
    std::map<std::uint64_t, std::size_t> blocks;
    std::size_t with_core = 0, with_block = 0;
};

/// Minimum number of steps of a run that shows a regularity.
constexpr std::size_t kLongRun = 3;

/// The dumps of a group so far. Dumps come in report order.
struct GroupTally {
    std::uint64_t count = 0;
    std::optional<std::uint64_t> first_us, last_us;
    std::uint64_t untimed = 0;
    bool all_ranked = true, all_on_devices = true;
    std::set<std::uint64_t> ranks;
    Devices devices;
    std::vector<std::uint64_t> steps;  ///< ascending, each once
    std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> steps_by_run;
    std::map<std::uint32_t, std::map<std::uint32_t, Bursts>> bursts_by_device;  ///< of each device by source
    CoreSpread spread;

    /// One cause of a dump. The causes of one dump follow each other. `dump`: its number.
    void add(const ScanItem& item, const ScanCause& cause, std::uint64_t dump, const SourceNumbers& source);
    /// Bursts of one source. A dump without a time is a burst of its own.
    std::uint64_t bursts() const;
    /// The most bursts of one rank and device, over restarts; dumps without a time show none.
    std::uint64_t most_bursts_of_one_device() const;
    /// Whether each step is in a run with kLongRun steps or more of this group.
    bool all_steps_in_long_runs() const;

private:
    std::optional<std::uint64_t> last_dump_;
};

/// Statistics of the whole tree, including clean and failed dumps: groups are compared with it.
struct Population {
    std::set<std::uint64_t> ranks;
    Devices devices;
    std::vector<std::uint64_t> steps;  ///< ascending, each once
    std::set<UnitCore> cores;          ///< of overflowed dumps; clean ones do not name theirs
    std::set<std::uint64_t> blocks;    ///< likewise

    /// Dumps come in report order.
    void add(const ScanItem& item, const SourceNumbers& source);
};

/// one_off, recurring, every_step, single_rank, all_ranks, single_device, all_devices: facts, of
/// severity info; steps, ranks and devices without any dump are unknown. core_concentration, block_concentration:
/// suspicions, counted by record, so warnings. `group` is filled except for its remarks.
std::vector<ScanRemark> remarks_on_group(const ScanGroup& group, const GroupTally& members, const SourceTable& sources,
                                         const Population& population);

}  // namespace opdebug::scan_stage
