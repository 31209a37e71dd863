// Bad values of both sides by step and rank, from the settled reports.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include <opdebug/api.hpp>

#include "api_pairs/units.hpp"

namespace opdebug::api_pairs {

/// Whether the finding shows a bad value that was not intended.
bool shows_bad_value(const ApiFinding& finding);

/// Whether a value is NaN, +Inf or the positive limit, which are never intended; or the call made it.
bool is_certain(const ApiFinding& finding);

/// The findings of one side that count as bad. With a partner, the pair decides; without one, only certain ones count.
class BadCalls {
public:
    explicit BadCalls(const ApiReport& report);

    using Findings = std::vector<const ApiFinding*>;
    /// Of the files with these indices, by position.
    Findings of(const std::vector<std::size_t>& files, const SideDumps& side, const PairedBad& paired) const;

private:
    std::unordered_map<std::string, Findings> by_file_;
};

}  // namespace opdebug::api_pairs
