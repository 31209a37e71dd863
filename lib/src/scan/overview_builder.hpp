// What the dumps of a tree show together, found while they come one by one: a merged report may be of more dumps than
// memory holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <opdebug/scan.hpp>

#include "scan/first_doubts.hpp"
#include "scan/group_tally.hpp"
#include "scan/known_places.hpp"
#include "scan/patterns.hpp"

namespace opdebug::scan_stage {

/// What the dumps of a group have in common.
struct GroupNames {
    std::size_t hash;  ///< of all four
    std::string_view cause, operator_type, operator_name, model;
};

struct GroupKey {
    std::size_t hash;
    std::string cause, operator_type, operator_name, model;
    GroupNames names() const { return {hash, cause, operator_type, operator_name, model}; }
};

/// By hash: a comparison of names waits for memory that holds texts, of which there may be many. Equal hashes are told
/// apart by the names, so that names which were made to have one cost no more than that.
struct ByNames {
    using is_transparent = void;
    bool operator()(const GroupKey& a, const GroupKey& b) const { return is_less(a.names(), b.names()); }
    bool operator()(const GroupKey& a, const GroupNames& b) const { return is_less(a.names(), b); }
    bool operator()(const GroupNames& a, const GroupKey& b) const { return is_less(a, b.names()); }

private:
    static bool is_less(const GroupNames& a, const GroupNames& b) {
        const auto parts = [](const GroupNames& names) {
            return std::tie(names.cause, names.operator_type, names.operator_name, names.model);
        };
        return a.hash != b.hash ? a.hash < b.hash : parts(a) < parts(b);
    }
};

class OverviewBuilder {
public:
    /// The next dump in report order, whatever its state.
    void add(const ScanItem& item);

    /// Behind the last dump.
    ScanOverview finish();

private:
    struct Group {
        std::string first_file;
        GroupMembers members;
    };

    using Groups = std::map<GroupKey, Group, ByNames>;
    /// What the order of a group depends on, beside its names.
    struct Ranked {
        std::uint64_t count;
        std::optional<std::uint64_t> first_us;
        Groups::iterator group;
    };

    Group& group_of(const ScanItem& item, const ScanCause& cause);
    ScanGroup group_from(GroupKey& key, Group& group) const;
    static bool leads(const Ranked& a, const Ranked& b);

    KnownPlaces places_;
    Population population_;
    FirstDoubts first_;
    Groups groups_;
    std::uint64_t dumps_ = 0;
};

}  // namespace opdebug::scan_stage
