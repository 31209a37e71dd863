// What the dumps of a tree show together, found while they come one by one: a merged report may be of more dumps than
// memory holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/scan_overview.hpp>

#include "scan/dump_source.hpp"
#include "scan/first_doubts.hpp"
#include "scan/groups.hpp"

namespace opdebug::scan_stage {

/// What the dumps of a group have in common.
struct GroupNames {
    std::string_view cause, operator_type, operator_name, model;
};
bool operator==(const GroupNames& a, const GroupNames& b);
bool operator<(const GroupNames& a, const GroupNames& b);
std::uint32_t hash_of(const GroupNames& names);

struct Group {
    std::string cause, operator_type, operator_name, model;
    std::string first_file;
    GroupMembers members;

    GroupNames names() const { return {cause, operator_type, operator_name, model}; }
};

/// There may be a group for each dump. In a tree each of fourteen levels waited for memory, also where hashes were
/// compared first: 20,000 dumps took 6 ms more, and 3 ms to take 10,000 groups out of it again.
class GroupTable {
public:
    /// The group of these names; a new one has nothing but them.
    Group& group_of(const GroupNames& names);

    std::size_t size() const noexcept { return size_; }
    Group& at(std::size_t number) { return blocks_[number / kBlock][number % kBlock]; }

private:
    /// Of a group that a short search finds. Number 0: of none, for numbers count from 1 here.
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t number = 0;
    };
    /// Small enough for malloc's heap, whose memory is used again, and so large that few are asked for.
    static constexpr std::size_t kBlock = 64;
    /// One of some thousand searches is longer by chance, as half of the slots are free. So names that were made to
    /// have one hash cost no more than those in a tree.
    static constexpr std::size_t kLongestSearch = 32;

    Group& add(const GroupNames& names);
    void put(Slot slot);
    void grow();

    std::vector<std::vector<Group>> blocks_;  ///< groups stay where they are
    std::size_t size_ = 0;
    std::vector<Slot> slots_;                      ///< a power of two of them
    std::map<GroupNames, std::uint32_t> crowded_;  ///< the others: all slots of their searches are taken
};

class OverviewBuilder {
public:
    /// `sharing_hosts`: as for KnownPlaces.
    explicit OverviewBuilder(std::set<std::string, std::less<>> sharing_hosts = {})
        : places_(std::move(sharing_hosts)) {}

    /// The next dump in report order, whatever its state.
    void add(const ScanItem& item);

    /// Behind the last dump.
    ScanOverview finish();

    /// The same without memory for all groups, of which there may be as many as dumps: `use` is lent one after the
    /// other, and may take what it needs. Returns the diagnostics of the overview.
    std::vector<Diagnostic> finish_each(const std::function<void(ScanGroup&)>& use);

private:
    /// What the order of a group depends on, beside its names.
    struct Ranked {
        std::uint64_t count;
        std::optional<std::uint64_t> first_us;
        Group* group;
    };

    Group& group_of(const ScanItem& item, const ScanCause& cause);
    void make_group(Group& from, ScanGroup& group) const;
    static bool leads(const Ranked& a, const Ranked& b);

    KnownPlaces places_;
    Population population_;
    FirstDoubts first_;
    GroupTable groups_;
    std::uint64_t dumps_ = 0;
};

}  // namespace opdebug::scan_stage
