// What several scans, as of the hosts of a job, found in API dumps → one report.
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/api_culprits.hpp>

namespace opdebug::report {

/// Remarks that several scans have count once.
class RemarksOnce {
public:
    void add(const std::vector<Diagnostic>& diagnostics) {
        for (const Diagnostic& remark : diagnostics) {
            if (known_.emplace(remark.code, remark.message).second) {
                all.push_back(remark);
            }
        }
    }

    std::vector<Diagnostic> all;

private:
    std::set<std::pair<std::string, std::string>> known_;
};

/// Nothing is compared between the scans: first is what is first of those with the earliest step. `places`: of the
/// findings of all reports, one after the other, the index in the new one.
std::shared_ptr<const ApiReport> one_api_report_of(const std::vector<std::shared_ptr<const ApiReport>>& reports,
                                                   std::vector<std::size_t>& places);

}  // namespace opdebug::report
