// What a group needs of its dumps, counted one by one: a report may be of more dumps than memory holds.
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

#include "scan/bursts.hpp"
#include "scan/devices.hpp"
#include "scan/known_places.hpp"

namespace opdebug::scan_stage {

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

}  // namespace opdebug::scan_stage
