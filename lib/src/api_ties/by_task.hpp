// Kernels of statistic.csv, which have the ids and the time of their task.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include <opdebug/api_ties.hpp>

#include "api_ties/findings.hpp"
#include "api_ties/fit.hpp"
#include "api_ties/places.hpp"

namespace opdebug::api_ties {

class ByTask {
public:
    /// The findings must outlive this.
    explicit ByTask(const Findings& findings);

    /// same_run_time: stream and task are equal, and the time of one execution is near. type_and_order: the times of
    /// several are near, or ids and operator type are equal and the time is another one or not known: another execution
    /// of the same task. Else nothing.
    Fits of(const KernelOverflow& overflow, const std::vector<Place>& places) const;

private:
    using Task = std::tuple<Place, std::uint64_t, std::uint64_t>;  ///< place, stream, task

    FindingList nearest(const KernelOverflow& overflow, const std::vector<Place>& places) const;

    const Findings& findings_;
    std::map<Task, FindingList> tasks_;  ///< by time, those without one first
};

}  // namespace opdebug::api_ties
