// What the dumps of a tree show together, found while they come one by one: a merged report may be of more dumps than
// memory holds.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/scan_overview.hpp>

#include "scan/first_doubts.hpp"
#include "scan/group_table.hpp"
#include "scan/known_places.hpp"
#include "scan/patterns.hpp"

namespace opdebug::scan_stage {

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
