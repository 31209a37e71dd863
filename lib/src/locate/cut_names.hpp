// Names of operators and kernels that lines lost a part of: log lines end at 1022 bytes.
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include <opdebug/result.hpp>

#include "logs/facts/task_map.hpp"

namespace opdebug::locate_stage {

/// What the lines on one task name in full. Views lead into the facts.
class FullNames {
public:
    void add(const std::vector<const logs::StoredFact*>& facts);

    /// The operator that the line names; where it was cut inside the name, the one name that begins like that, or else
    /// the longest cut one.
    std::string_view operator_of(const logs::Fact& fact) const;

    /// Whether only lines that were cut inside the name give it.
    bool is_cut(std::string_view name) const { return cut_names_.count(name) != 0 && names_.count(name) == 0; }

    /// "name_truncated": one of the lines names an operator or kernel that was cut, and no other names it in full.
    void remark(const std::vector<const logs::StoredFact*>& facts, std::vector<Diagnostic>& diagnostics) const;

private:
    std::string_view longest_cut(std::string_view name) const;

    std::set<std::string_view> names_;
    std::set<std::string_view> cut_names_;
};

}  // namespace opdebug::locate_stage
