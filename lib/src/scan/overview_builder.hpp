// What the dumps of a tree show together, found while they come one by one: a merged report may be of more dumps than
// memory holds.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include <opdebug/scan.hpp>

#include "scan/first_doubts.hpp"
#include "scan/group_tally.hpp"
#include "scan/known_places.hpp"
#include "scan/patterns.hpp"

namespace opdebug::scan_stage {

/// Compares texts with views of texts. std::less<> would do, but clang 14 finds no comparison of such tuples.
struct ByNames {
    using is_transparent = void;
    using Names = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;
    bool operator()(const Names& a, const Names& b) const noexcept { return a < b; }
};

class OverviewBuilder {
public:
    /// The next dump in report order, whatever its state.
    void add(const ScanItem& item);

    /// Behind the last dump.
    ScanOverview finish();

private:
    /// Cause, operator type, operator, model.
    using GroupKey = std::tuple<std::string, std::string, std::string, std::string>;

    struct Group {
        std::string first_file;
        GroupMembers members;
    };

    Group& group_of(const ScanItem& item, const ScanCause& cause);
    template <class Key>
    ScanGroup group_from(Key& key, Group& group) const;

    KnownPlaces places_;
    Population population_;
    FirstDoubts first_;
    std::map<GroupKey, Group, ByNames> groups_;  ///< not by a hash: names come from files, and can be made alike
    std::uint64_t dumps_ = 0;
};

}  // namespace opdebug::scan_stage
