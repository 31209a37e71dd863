// The findings that kernels can be tied to, in lists by place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include <opdebug/api_ties.hpp>

#include "api_ties/places.hpp"

namespace opdebug::api_ties {

/// Whether a kernel can have overflowed in the call. likely: its results went bad there. possible: a bad value only
/// passed through, or nothing is known of its inputs. never: no kernel's fault.
enum class Chance { likely, possible, never };

Chance chance_of(ApiVerdict verdict) noexcept;

/// Indices of ApiReport::findings, in the order of the report.
using FindingList = std::vector<std::size_t>;

class Findings {
public:
    explicit Findings(const ApiReport& report);

    const ApiReport& report() const noexcept { return *report_; }

    /// The findings of the places, at most so many: the likely ones, or where there are none the possible ones.
    /// `left_out`: how many more there are.
    FindingList of(const std::vector<Place>& places, std::size_t most, std::size_t& left_out) const;

    /// Whether a finding of any kind is of this step in one of the places.
    bool has_step(const std::vector<Place>& places, std::uint64_t step) const;

private:
    const ApiReport* report_;
    std::map<Place, FindingList> likely_, possible_;
    std::set<Place> places_;
};

}  // namespace opdebug::api_ties
