// Ranks of whose calls not all findings are in a report: there the n-th finding need not be the n-th call that went
// bad.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include <opdebug/api_culprits.hpp>

namespace opdebug::api_ties {

class Losses {
public:
    /// By files that failed, are cut or damaged, by values that could not be collected, by findings that were left out
    /// of the report, and by several runs, of which each has calls of its own.
    explicit Losses(const ApiReport& report);

    /// Whether findings of the rank may be missing.
    bool has_of(const std::optional<std::uint64_t>& rank) const;

private:
    void add(const std::string& path);

    std::set<std::uint64_t> ranks_;
    bool any_ = false;         ///< of some rank
    bool everywhere_ = false;  ///< of a rank that is not known
};

}  // namespace opdebug::api_ties
