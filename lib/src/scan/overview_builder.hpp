// What the dumps of a tree show together, found while they come one by one: a merged report may be of more dumps than
// memory holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include <opdebug/scan.hpp>

#include "scan/first_doubts.hpp"
#include "scan/group_tally.hpp"
#include "scan/known_places.hpp"
#include "scan/patterns.hpp"

namespace opdebug::scan_stage {

/// Compares texts with views of texts. std::equal_to<> would do, but clang 14 finds no comparison of such tuples.
using Names = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;
struct SameNames {
    using is_transparent = void;
    bool operator()(const Names& a, const Names& b) const noexcept { return a == b; }
};
struct HashOfNames {
    using is_transparent = void;
    std::size_t operator()(const Names& names) const noexcept {
        constexpr std::size_t kMix = 31;
        const std::hash<std::string_view> hash;
        return ((hash(std::get<0>(names)) * kMix + hash(std::get<1>(names))) * kMix + hash(std::get<2>(names))) * kMix +
               hash(std::get<3>(names));
    }
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

    GroupTally& group_of(const ScanItem& item, const ScanCause& cause);

    KnownPlaces places_;
    Population population_;
    FirstDoubts first_;
    std::unordered_map<GroupKey, GroupTally, HashOfNames, SameNames> groups_;  ///< in no order: there may be thousands
    std::uint64_t dumps_ = 0;
};

}  // namespace opdebug::scan_stage
