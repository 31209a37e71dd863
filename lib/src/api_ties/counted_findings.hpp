// Findings by API and count, for calls that a trace counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "api_ties/findings.hpp"
#include "api_ties/kernel_table.hpp"
#include "api_ties/places.hpp"
#include "api_ties/trace.hpp"

namespace opdebug::api_ties {

/// The findings of a call's API in the call's step, and at the overflow's place.
struct CountedMatch {
    FindingList same;     ///< of the same count
    FindingList earlier;  ///< of smaller counts
};

class CountedFindings {
public:
    CountedFindings() = default;
    explicit CountedFindings(const Findings& findings);

    CountedMatch of(const HostCall& call, const std::vector<Place>& places, const KernelTable& table) const;

private:
    struct Counted {
        std::uint64_t count = 0;
        std::size_t finding = 0;
        friend bool operator<(const Counted& left, const Counted& right) noexcept {
            return std::tie(left.count, left.finding) < std::tie(right.count, right.finding);
        }
    };
    /// By place, function and whether it is a backward; the calls by their count.
    std::map<std::tuple<Place, std::string, bool>, std::vector<Counted>> calls_;
};

/// "linear" of "aten::linear".
std::string_view without_library(std::string_view operation);

}  // namespace opdebug::api_ties
