// What API dumps and overflow dumps of several scans show together, in one report.
#include "report/scan/scan_api.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <opdebug/api.hpp>

#include "api_ties/trace.hpp"
#include "bytes/digest.hpp"
#include "bytes/unknown_last.hpp"
#include "remarks/diagnose.hpp"
#include "report/parts/described_parts.hpp"
#include "report/parts/part_lines.hpp"
#include "report/text/joined_lists.hpp"
#include "scan/kernel_overflows.hpp"

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
        all.diagnostics.push_back(remarks::diagnose(
            "order_unknown",
            {{"count", all.first.end() - unknown}, {"api", unknown->api}, {"step", *all.first.front().step}}));
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

/// Nothing is compared between the scans: first is what is first of those with the earliest step. `places`: of the
/// findings of all reports, one after the other, the index in the new one.
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
        all.diagnostics.push_back(remarks::diagnose("api_hosts_not_ordered"));
    }
    return std::make_shared<const ApiReport>(std::move(all));
}

using scan_stage::KernelOverflows;

/// What one machine scanned at once, as several shards.
struct OneScan {
    std::vector<const ScanApiDumps*> shares;

    std::shared_ptr<const ApiReport> report() const {
        for (const ScanApiDumps* const share : shares) {
            if (share->report) {
                return share->report;
            }
        }
        return nullptr;
    }
};

/// What is the same for the same dumps: hosts may have scanned one file system.
std::string digest_of(const std::shared_ptr<const ApiReport>& report) {
    bytes::Digest digest;
    digest.add(report ? described_text(*report) : std::string());
    return digest.text();
}

/// Scans that read the same API dumps become one.
void join_equal(std::vector<OneScan>& scans) {
    if (scans.size() == 1) {
        return;
    }
    std::map<std::string, std::size_t> known;
    std::vector<OneScan> joined;
    for (const OneScan& one : scans) {
        const auto report = one.report();
        const auto [place, is_new] =
            report ? known.emplace(digest_of(report), joined.size()) : std::pair(known.end(), true);
        if (is_new) {
            joined.push_back(one);
        } else {
            std::vector<const ScanApiDumps*>& shares = joined[place->second].shares;
            shares.insert(shares.end(), one.shares.begin(), one.shares.end());
        }
    }
    scans = std::move(joined);
}

/// By host, so that the order of the parts changes nothing.
std::vector<OneScan> scans_of(const std::vector<PartFacts>& parts) {
    std::map<ScanKey, OneScan> by_key;
    for (const PartFacts& part : parts) {
        if (part.api) {
            by_key[scan_key_of(part.name)].shares.push_back(&*part.api);
        }
    }
    std::vector<OneScan> scans;
    scans.reserve(by_key.size());
    for (auto& [key, one] : by_key) {
        scans.push_back(std::move(one));
    }
    return scans;
}

/// Without ties, for example after a stop, calls and dumps are still reported.
ApiTies ties_of(const ApiReport& report, const ScanApiDumps& overflows, const ApiTieOptions& options) {
    Result<ApiTies> ties = tie_api_findings(report, overflows.overflows, options);
    if (!ties) {
        return {{}, {remarks::diagnose("not_tied", {{"error", remarks::text_of(ties.error())}})}};
    }
    return std::move(*ties);
}

void remark_left_out(std::uint64_t left_out, RemarksOnce& remarks) {
    if (left_out != 0) {
        remarks.insert(remarks::diagnose("overflows_left_out",
                                         {{"each", scan_stage::kOverflowsPerRank}, {"all", scan_stage::kOverflows}}));
    }
}

/// The timeline orders dumps by their times, and clocks of hosts differ.
void remark_hosts(const std::vector<PartFacts>& parts, RemarksOnce& remarks) {
    std::set<std::string> hosts;
    for (const PartFacts& part : parts) {
        if (part.api && !part.api->overflows.empty()) {
            hosts.insert(part.name.host);
        }
    }
    if (hosts.size() > 1) {
        remarks.insert(remarks::diagnose("dump_hosts_not_ordered"));
    }
}

/// All scans together, before their findings are in order.
struct AllScans {
    std::vector<std::shared_ptr<const ApiReport>> reports;
    std::size_t findings = 0;  ///< of all reports
    std::vector<KernelOverflow> overflows;
    std::vector<ApiTie> ties;
    RemarksOnce on_ties;
    std::map<std::string, std::pair<Diagnostic, std::size_t>>
        scans_without_trace;  ///< by the remark on a trace that a scan does not use
    std::uint64_t left_out = 0;
};

void add_scan(const OneScan& one, const ApiTieOptions& options, AllScans& all) {
    const std::shared_ptr<const ApiReport> report = one.report();
    if (!report) {
        all.on_ties.add({remarks::diagnose("api_dumps_missing")});
        return;
    }
    KernelOverflows first;
    for (const ScanApiDumps* const share : one.shares) {
        first.add(*share);
    }
    ScanApiDumps overflows;
    first.finish(overflows);
    all.left_out += overflows.overflows_left_out;
    ApiTies ties = ties_of(*report, overflows, options);
    for (ApiTie& tie : ties.ties) {
        tie.overflow += all.overflows.size();
        if (tie.finding) {
            *tie.finding += all.findings;
        }
        all.ties.push_back(std::move(tie));
    }
    append(overflows.overflows, all.overflows);
    for (const Diagnostic& remark : ties.diagnostics) {
        if (remark.code == api_ties::kTraceUnused) {
            const auto known = all.scans_without_trace.try_emplace(remark.message, remark, 0).first;
            ++known->second.second;
        } else {
            all.on_ties.insert(remark);
        }
    }
    all.findings += report->findings.size();
    all.reports.push_back(report);
}

/// A trace of one host is of no use for the others.
void remark_unused_traces(AllScans& all) {
    for (const auto& [message, unused] : all.scans_without_trace) {
        if (unused.second == all.reports.size()) {
            all.on_ties.insert(unused.first);
        }
    }
}

std::shared_ptr<const ApiReport> one_of_several(AllScans& all) {
    std::vector<std::size_t> places;
    std::shared_ptr<const ApiReport> report = one_api_report_of(all.reports, places);
    for (ApiTie& tie : all.ties) {
        tie.finding = tie.finding ? std::optional(places[*tie.finding]) : std::nullopt;
    }
    return report;
}

}  // namespace

ScanKey scan_key_of(const PartName& name) {
    return name.shard ? ScanKey(name.host, name.tree.digest, name.shard->count) : ScanKey(name.host, name.id, 0);
}

std::optional<ScanApi> scan_api_of(const std::vector<PartFacts>& parts, const ApiTieOptions& options, bool is_share) {
    std::vector<OneScan> scans = scans_of(parts);
    if (is_share) {
        scans.erase(std::remove_if(scans.begin(), scans.end(), [](const OneScan& one) { return !one.report(); }),
                    scans.end());
    }
    if (scans.empty()) {
        return std::nullopt;
    }
    join_equal(scans);
    AllScans all;
    for (const OneScan& one : scans) {
        add_scan(one, options, all);
    }
    remark_unused_traces(all);
    remark_left_out(all.left_out, all.on_ties);
    remark_hosts(parts, all.on_ties);
    ScanApi api;
    api.report = all.reports.size() == 1 ? all.reports.front() : one_of_several(all);
    api.timeline = api_timeline_of(*api.report, all.overflows, all.ties);
    api.diagnostics = api.report->diagnostics;
    append(all.on_ties.all(), api.diagnostics);
    api.overflows = std::move(all.overflows);
    api.ties = std::move(all.ties);
    return api;
}

}  // namespace opdebug::report
