#include "report/scan/one_api_report.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <tuple>

#include "api_culprits/unknown_step.hpp"
#include "bytes/unknown_last.hpp"
#include "report/text/append.hpp"
#include "report/text/remarks_once.hpp"

namespace opdebug::report {
namespace {

using bytes::unknown_last;

bool is_earlier(const ApiFinding& a, const ApiFinding& b) {
    return std::tuple(unknown_last(a.step), unknown_last(a.rank)) <
           std::tuple(unknown_last(b.step), unknown_last(b.rank));
}

/// Of what several scans call first: that of the earliest step.
void keep_earliest_step(ApiReport& all) {
    std::stable_sort(all.first.begin(), all.first.end(), is_earlier);
    const auto later = std::find_if(all.first.begin(), all.first.end(), [&all](const ApiFinding& finding) {
        return finding.step != all.first.front().step;
    });
    const auto unknown = std::find_if(later, all.first.end(), [](const ApiFinding& finding) { return !finding.step; });
    if (unknown != all.first.end()) {
        all.diagnostics.push_back(api_culprits::tell_unknown_step(static_cast<std::uint64_t>(all.first.end() - unknown),
                                                                  unknown->api, *all.first.front().step));
    }
    all.first.erase(later, all.first.end());
}

/// The findings of all scans, and the new index of each.
std::vector<std::size_t> put_in_order(std::vector<ApiFinding>& findings) {
    std::vector<std::size_t> order(findings.size()), place(findings.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&findings](std::size_t a, std::size_t b) { return is_earlier(findings[a], findings[b]); });
    std::vector<ApiFinding> ordered;
    ordered.reserve(findings.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        place[order[i]] = i;
        ordered.push_back(std::move(findings[order[i]]));
    }
    findings = std::move(ordered);
    return place;
}

void add_report(const ApiReport& more, ApiReport& all) {
    append(more.inputs, all.inputs);
    all.counts.files += more.counts.files;
    all.counts.entries += more.counts.entries;
    all.counts.steps = std::max(all.counts.steps, more.counts.steps);
    all.counts.ranks += more.counts.ranks;
    all.counts.failed += more.counts.failed;
    append(more.first, all.first);
    append(more.findings, all.findings);
    append(more.failures, all.failures);
    all.complete = all.complete && more.complete;
}

}  // namespace

std::shared_ptr<const ApiReport> one_api_report_of(const std::vector<std::shared_ptr<const ApiReport>>& reports,
                                                   std::vector<std::size_t>& places) {
    ApiReport all;
    RemarksOnce remarks;
    for (const auto& one : reports) {
        add_report(*one, all);
        remarks.add(one->diagnostics);
    }
    all.diagnostics = remarks.take();
    places = put_in_order(all.findings);
    if (reports.size() > 1) {
        keep_earliest_step(all);
        all.diagnostics.push_back(
            {Severity::warning, "api_hosts_not_ordered",
             "API dumps of several hosts or scans: nothing was compared between them, and what is called first is so "
             "on its own host; run 'opdebug api' over the dumps of all of them together"});
    }
    return std::make_shared<const ApiReport>(std::move(all));
}

}  // namespace opdebug::report
