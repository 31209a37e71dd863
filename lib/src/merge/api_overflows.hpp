// What ties to API calls need of the overflow dumps of all parts: bounded, however many parts there are.
#pragma once

#include <map>
#include <vector>

#include "merge/part.hpp"
#include "report/scan/scan_api.hpp"
#include "scan/kernel_overflows.hpp"

namespace opdebug::merge {

class ApiOverflows {
public:
    /// Takes them out of what the part tells of its scans.
    void take(Part& part);

    /// The first part of each scan gets those of all its parts.
    void give(std::vector<report::PartFacts>& scans);

private:
    std::map<report::ScanKey, scan_stage::KernelOverflows> of_scans_;
    std::size_t taken_ = 0;
};

}  // namespace opdebug::merge
