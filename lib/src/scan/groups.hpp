// What a group and the whole tree hold, counted dump by dump: a report may be of more dumps than memory holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include <opdebug/scan_overview.hpp>

#include "scan/dump_source.hpp"

namespace opdebug::scan_stage {

/// Times may come in any order; they mostly come in theirs, and then memory grows with the bursts, not with the times.
class Bursts {
public:
    void add(std::uint64_t time);
    void add(const Bursts& other);
    std::uint64_t count() const;

private:
    struct Run {
        std::uint64_t first, last;
    };
    void fold();

    std::vector<Run> runs_;  ///< by time; the last may still grow
    std::vector<Run> late_;  ///< of before the last run, not yet among the runs
};

/// Each host numbers its devices from 0. Equal numbers of two hosts are two devices; below two roots (place.hpp) they
/// are one where both lie on one machine, and two where the trees of several machines were gathered, or where processes
/// of one machine number devices anew (ASCEND_RT_VISIBLE_DEVICES, containers): no path tells. An unknown host may be
/// any of the known ones.
class Devices {
public:
    /// Dumps without a device id add nothing.
    void add(std::optional<std::uint64_t> device_id, const PlaceNumbers& place);

    const std::set<std::uint64_t>& numbers() const noexcept { return numbers_; }
    std::size_t fewest() const;
    std::size_t most() const noexcept { return by_root_.size(); }
    bool are_told_apart() const { return fewest() == most(); }
    /// One of them, by its place.
    std::uint32_t any() const { return *by_root_.begin(); }

private:
    std::set<std::uint64_t> numbers_, of_known_hosts_;
    std::set<std::uint32_t> by_host_;  ///< of known hosts
    std::set<std::uint32_t> by_root_;  ///< of all
};

/// A core: its number counts within its unit.
using UnitCore = std::pair<Unit, std::uint64_t>;

/// Numbers in ascending order, each once, of a list that ascends itself.
void append_once(std::uint64_t value, std::vector<std::uint64_t>& ascending);

/// In how many runs the steps of a group are: a step counts as seen in a long run where one with three steps or more
/// has it. Steps come in ascending order.
class StepsOfRuns {
public:
    static constexpr std::size_t kLong = 3;
    void add(std::uint64_t step, std::uint32_t run);
    const std::vector<std::uint64_t>& steps() const noexcept { return steps_; }
    bool all_in_long_runs() const;

private:
    struct Run {
        std::size_t count = 0;
        std::size_t places[kLong] = {};  ///< of its steps; once it is long only the last
    };
    std::vector<std::uint64_t> steps_;
    std::vector<bool> in_long_run_;
    std::unordered_map<std::uint32_t, Run> runs_;
};

struct GroupMember;

/// How the records of a group lie on cores and blocks.
class CoreSpread {
public:
    /// The records on one core, and their block.
    struct OnCore {
        std::size_t count = 0;
        std::optional<std::uint64_t> block;  ///< of all of them
        bool several_blocks = false;
    };
    struct DeviceCore {
        std::uint32_t device = 0;
        UnitCore core{};
        bool operator==(const DeviceCore& other) const { return device == other.device && core == other.core; }
    };
    struct Hash {
        std::size_t operator()(const DeviceCore& key) const noexcept;
    };

    void add(const GroupMember& member);

    std::unordered_map<DeviceCore, OnCore, Hash> cores;  ///< a core belongs to a device
    std::map<UnitCore, std::size_t> core_ids;
    std::map<std::uint64_t, std::size_t> blocks;
    std::size_t with_core = 0, with_block = 0;
};

/// What a group needs of a cause of a dump. The causes of one dump follow each other.
struct GroupMember {
    std::uint64_t dump = 0;  ///< its number
    PlaceNumbers place;
    std::optional<std::uint64_t> rank, device_id, step, timestamp_us;
    Unit unit = Unit::ai_core;
    std::optional<std::uint64_t> core_id, block_id;
};

GroupMember member_of(const ScanItem& item, const ScanCause& cause, std::uint64_t dump, const PlaceNumbers& place);

/// The dumps of a group so far. Dumps come in report order.
struct GroupTally {
    std::uint64_t count = 0;
    std::optional<std::uint64_t> first_us, last_us;
    std::uint64_t untimed = 0;
    bool all_ranked = true, all_on_devices = true;
    std::set<std::uint64_t> ranks;
    Devices devices;
    StepsOfRuns steps;
    std::unordered_map<std::uint32_t, Bursts> bursts_of;  ///< by place
    CoreSpread spread;

    void add(const GroupMember& member);
    /// Runs of dumps of one rank, device and process less than a second apart. A dump without a time is one of its own.
    std::uint64_t bursts() const;

private:
    std::optional<std::uint64_t> last_dump_;
};

/// The members of a group. Most groups of a large tree have one only: it is remembered, for a tally takes
/// a kilobyte and more in dozens of pieces.
class GroupMembers {
public:
    void add(const GroupMember& member);
    bool empty() const { return !first_; }
    /// The only one of a group that has members; nothing when there are several.
    const GroupMember* only() const { return tally_ ? nullptr : &*first_; }
    /// Of several.
    const GroupTally& tally() const { return *tally_; }

private:
    std::optional<GroupMember> first_;
    std::unique_ptr<GroupTally> tally_;  ///< from the second one on
};

/// What the whole tree holds, clean and failed dumps too: the whole that a group is measured against.
struct Population {
    std::set<std::uint64_t> ranks;
    Devices devices;
    std::vector<std::uint64_t> steps;  ///< sorted, each once
    std::set<UnitCore> cores;          ///< of overflowed dumps; of clean ones nothing tells
    std::set<std::uint64_t> blocks;    ///< likewise

    /// Dumps come in report order.
    void add(const ScanItem& item, const PlaceNumbers& place);
};

/// one_off, recurring, every_step, single_rank, all_ranks, single_device, all_devices, device_numbers. Remarks of
/// severity info: they state what is there, and steps, ranks and devices without any dump are not known of. `group` is
/// filled but for its remarks.
std::vector<ScanRemark> patterns_of(const ScanGroup& group, const GroupTally& members, const KnownPlaces& places,
                                    const Population& population);

/// core_concentration, block_concentration: suspicions, so warnings in careful words. Counted by record, each
/// with its own unit, core and block.
std::vector<ScanRemark> concentrations_of(const GroupTally& members, const KnownPlaces& places,
                                          const Population& population);

}  // namespace opdebug::scan_stage
