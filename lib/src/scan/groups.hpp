// Statistics of a group and of the whole tree, counted dump by dump: a report may have more dumps than fit into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <opdebug/scan.hpp>

#include "scan/dump_source.hpp"

namespace opdebug::scan_stage {

/// Runs of times less than a second apart. Times may come in any order; memory grows with the runs, not with the times.
class Bursts {
public:
    void add(std::uint64_t time);
    std::uint64_t count() const noexcept { return runs_.size(); }

private:
    std::map<std::uint64_t, std::uint64_t> runs_;  ///< the last time of each run by its first
};

/// The devices of dumps. Equal numbers below two roots (dump_source.hpp) may be one device or two.
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
    std::set<std::uint64_t> numbers_;
    std::set<std::uint32_t> by_root_;
};

/// A core: its number counts within its unit.
using UnitCore = std::pair<Unit, std::uint64_t>;

/// The records of a group by core.
struct CoreSpread {
    void add(const ScanCause& cause, std::uint32_t device);

    std::map<std::pair<std::uint32_t, UnitCore>, std::size_t> cores;  ///< number of records by device and core
    std::set<std::uint64_t> blocks;
    std::size_t with_core = 0;
};

/// The dumps of a group so far. Dumps come in report order.
struct GroupTally {
    std::uint64_t count = 0;
    std::optional<std::uint64_t> first_us, last_us;
    std::uint64_t untimed = 0;
    bool all_ranked = true, all_on_devices = true;
    std::set<std::uint64_t> ranks;
    Devices devices;
    std::vector<std::uint64_t> steps;  ///< ascending, each once
    std::map<std::uint32_t, Bursts> bursts_by_device;
    CoreSpread spread;

    /// One cause of a dump. The causes of one dump follow each other. `dump`: its number.
    void add(const ScanItem& item, const ScanCause& cause, std::uint64_t dump, const SourceNumbers& source);
    /// Bursts of one device, over restarts. A dump without a time is a burst of its own.
    std::uint64_t bursts() const;
    /// The most bursts of one rank and device; dumps without a time show none.
    std::uint64_t most_bursts_of_one_device() const;

private:
    std::optional<std::uint64_t> last_dump_;
};

/// Statistics of the whole tree, including clean and failed dumps: groups are compared with it.
struct Population {
    std::set<std::uint64_t> ranks;
    Devices devices;
    std::vector<std::uint64_t> steps;  ///< ascending, each once
    std::set<UnitCore> cores;          ///< of overflowed dumps; clean ones do not name theirs

    /// Dumps come in report order.
    void add(const ScanItem& item, const SourceNumbers& source);
};

/// one_off, recurring, every_step, single_rank, all_ranks, single_device, all_devices: facts, of
/// severity info; steps, ranks and devices without any dump are unknown. core_concentration: a suspicion, counted by
/// record, so a warning. `group` is filled except for its remarks.
std::vector<ScanRemark> remarks_on_group(const ScanGroup& group, const GroupTally& members, const SourceTable& sources,
                                         const Population& population);

}  // namespace opdebug::scan_stage
