// What the dumps of a tree show together, built dump by dump: a merged report may be of more dumps than fit into
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <opdebug/scan_overview.hpp>

#include "scan/dump_source.hpp"
#include "scan/first_doubts.hpp"
#include "scan/groups.hpp"

namespace opdebug::scan_stage {

class OverviewBuilder {
public:
    /// `sharing_hosts`: as for SourceTable.
    explicit OverviewBuilder(std::set<std::string, std::less<>> sharing_hosts = {})
        : sources_(std::move(sharing_hosts)) {}

    /// The next dump in report order, whatever its state.
    void add(const ScanItem& item);

    /// After the last dump.
    ScanOverview finish();

    /// The same without memory for all groups, of which there may be as many as dumps: `use` gets one after the other.
    /// Returns the diagnostics of the overview.
    std::vector<Diagnostic> finish_each(const std::function<void(ScanGroup&)>& use);

private:
    /// What the dumps of a group have in common.
    struct GroupKey {
        std::string cause, operator_type, operator_name, model;
        auto operator<=>(const GroupKey&) const = default;
    };
    struct Hash {
        std::size_t operator()(const GroupKey& key) const noexcept;
    };
    struct Group {
        std::string first_file;
        GroupMembers members;
    };
    using Groups = std::unordered_map<GroupKey, Group, Hash>;

    ScanGroup finish_group(const GroupKey& key, Group& group) const;

    SourceTable sources_;
    Population population_;
    FirstDoubts first_;
    Groups groups_;
    std::uint64_t dumps_ = 0;
};

}  // namespace opdebug::scan_stage
