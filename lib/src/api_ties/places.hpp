// Which findings can be of the same place as an overflow: step, rank and device, as far as they are known.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <opdebug/api_ties.hpp>

namespace opdebug::api_ties {

/// A list of findings: those of a rank, or of a device where the folders name that, in one step or in all.
struct Place {
    bool is_device = false;
    std::optional<std::uint64_t> number;  ///< rank or device; nothing: not known
    bool every_step = false;
    std::optional<std::uint64_t> step;  ///< nothing: not known

    friend bool operator<(const Place& left, const Place& right) noexcept {
        return std::tie(left.is_device, left.number, left.every_step, left.step) <
               std::tie(right.is_device, right.number, right.every_step, right.step);
    }
};

/// The lists that a finding is in: that of its step, and that of all steps.
std::vector<Place> places_of(const ApiFinding& finding);

class Places {
public:
    Places(const ApiReport& report, const std::vector<KernelOverflow>& overflows);

    /// The lists whose findings can be of the place of the overflow; empty: none can be told.
    std::vector<Place> places_of(const KernelOverflow& overflow) const;

    /// What a tie between them takes for granted, as parts of a sentence that begin with "; "; often empty. It is noted
    /// for diagnostics().
    std::string assumed(const KernelOverflow& overflow, const ApiFinding& finding);

    /// That a trace of that rank was taken for the overflow's device, as such a part of a sentence.
    std::string assumed_rank(std::uint64_t device, std::uint64_t rank);

    /// That ProfilerStep#N of a trace was taken for step N of the dumps is noted.
    void assume_profiler_steps() noexcept { profiler_step_assumed_ = true; }

    /// The assumptions that were made, once for each pair of rank and device.
    std::vector<Diagnostic> diagnostics() const;

private:
    using Numbered = std::pair<bool, std::optional<std::uint64_t>>;  ///< is_device, number
    std::optional<Numbered> only_finding_;  ///< the only rank, device or process of the findings
    bool one_overflow_place_ = false;
    bool untied_ = false;  ///< findings without a rank, and overflows of several devices
    bool step_assumed_ = false, profiler_step_assumed_ = false, place_assumed_ = false;
    std::map<std::pair<std::uint64_t, std::uint64_t>, bool> ranks_of_devices_;  ///< rank, device
};

}  // namespace opdebug::api_ties
