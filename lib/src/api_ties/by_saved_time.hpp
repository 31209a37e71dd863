// same_run_time: the overflow's time lies where the values of the call were saved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <opdebug/api_ties.hpp>

#include "api_ties/findings.hpp"
#include "api_ties/fit.hpp"
#include "api_ties/places.hpp"

namespace opdebug::api_ties {

/// A file's values are saved right after its call, so what ran between the last value of the call before and the last
/// one of this call belongs to this call. That the times of the files and those of overflow dumps come from one clock
/// is assumed; both are the host's.
class BySavedTime {
public:
    /// The findings must outlive this.
    explicit BySavedTime(const Findings& findings);

    Fits of(const KernelOverflow& overflow, const std::vector<Place>& places) const;

private:
    const Findings& findings_;
    std::map<Place, FindingList> windows_;  ///< by the time at which the values were saved
};

/// Why the overflow cannot be of the call, by the times at which values were saved; empty: they do not say so.
std::string contradicting_time(const KernelOverflow& overflow, const ApiFinding& finding);

}  // namespace opdebug::api_ties
