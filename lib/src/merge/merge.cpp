// Reports → one report: parts are opened, their dumps gone through once for what all show together, and read again when
// the report is written.
#include <opdebug/merge.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <opdebug/chains.hpp>

#include "merge/first_text.hpp"
#include "merge/gathered_facts.hpp"
#include "merge/merged_dumps.hpp"
#include "merge/opened_parts.hpp"
#include "merge/ordinary_parts.hpp"
#include "merge/part_set.hpp"
#include "merge/sharing_hosts.hpp"
#include "merge/whole_scan.hpp"
#include "report/scan/scan_contents.hpp"
#include "scan/overview.hpp"
#include "scan/totals.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using merge::MergedDumps;
using merge::Part;
using merge::PassNotes;
using merge::SeveralParts;
using report::PartFacts;

/// The inside of the report, and what the merge found out on the way.
struct Merging {
    Merging(const ScanReportOptions& options, merge::OpenedParts opened)
        : contents(std::make_unique<ScanReport::Contents>(options)),
          parts(std::move(opened.parts)),
          counts(opened.counts),
          diagnostics(std::move(opened.diagnostics)),
          overflows(std::move(opened.overflows)) {}

    std::unique_ptr<ScanReport::Contents> contents;
    std::vector<std::shared_ptr<Part>> parts;
    MergeCounts counts;
    std::vector<Diagnostic> diagnostics;  ///< on the parts
    merge::ApiOverflows overflows;
    std::shared_ptr<MergedDumps> dumps;
    PassNotes notes;
    std::shared_ptr<const Part> of_first;  ///< the part that holds the first overflow
};

/// What the timeline of all can show is what the timelines of all parts show. Behind the pass: only then is it known
/// what ordinary reports list.
void take_options(Merging& merging) {
    ScanReportOptions& options = merging.contents->options;
    bool any_all = false, any_not_all = false, any_tensors = false;
    for (const auto& part : merging.parts) {
        any_all = any_all || part->head.all.value_or(false);
        any_not_all = any_not_all || !part->head.all.value_or(true);
        any_tensors = any_tensors || part->head.tensors;
        if (part->head.first) {
            options.first = std::min(options.first.value_or(*part->head.first), *part->head.first);
        }
    }
    options.all = any_all && !any_not_all;
    if ((any_all && any_not_all) || any_tensors != options.report.tensors) {
        merging.diagnostics.push_back(
            {Severity::warning, "parts_differ",
             "not all parts were scanned with the same of --all and --tensors: the report has what all of them have"});
    }
}

void tell_repeated(const SeveralParts& repeated, const SeveralParts& differing, std::vector<Diagnostic>& diagnostics) {
    if (repeated.count != 0) {
        diagnostics.push_back(
            {Severity::warning, "dumps_repeated",
             fmt::format("{} dump{} in several parts, and counted once: {}{}; other files and operator dumps may be "
                         "counted twice",
                         repeated.count, repeated.count == 1 ? " is" : "s are", repeated.first,
                         repeated.count == 1 ? "" : " and others")});
    }
    if (differing.count != 0) {
        diagnostics.push_back(
            {Severity::warning, "dumps_repeated",
             fmt::format(
                 "{} dump{} the path and time of one in another part, but not its content: {}{}; they are taken "
                 "for dumps of different hosts, and all are counted. Scan with --host to tell hosts apart",
                 differing.count, differing.count == 1 ? " has" : "s have", differing.first,
                 differing.count == 1 ? "" : " and others")});
    }
}

/// Looks at each dump of all parts once.
void go_through(Merging& merging) {
    ScanReport::Contents& contents = *merging.contents;
    const std::set<std::string, std::less<>> sharing = merge::sharing_hosts(merging.parts);
    scan_stage::OverviewBuilder overview(sharing);
    std::vector<ScanItem> overflowed;
    merging.dumps->each(
        [&](const report::DumpInOrder& dump, std::size_t part) {
            const ScanItem& item = dump.entry.item;
            scan_stage::count(item.state, contents.scan.counts);
            overview.add(item);
            if (item.state == DumpState::overflowed) {
                merging.of_first = merging.of_first ? merging.of_first : merging.parts[part];
                if (contents.options.report.tensors) {
                    overflowed.push_back(item);
                    if (sharing.count(item.host) != 0) {
                        overflowed.back().host.clear();  // chains are of places, as groups are
                    }
                }
            }
            return true;
        },
        merging.notes);
    for (std::size_t i = 0; i < merging.parts.size(); ++i) {
        merging.parts[i]->checked = merging.notes.parts[i];
    }
    contents.late_overview.set(overview.finish());
    if (contents.options.report.tensors) {
        contents.chains = chains_of(overflowed);
    }
    merging.counts.repeated_dumps = merging.notes.repeated.count;
    tell_repeated(merging.notes.repeated, merging.notes.differing, merging.diagnostics);
}

/// What parts tell beside their dumps.
void take_facts(Merging& merging) {
    ScanReport::Contents& contents = *merging.contents;
    for (std::size_t i = 0; i < merging.parts.size(); ++i) {
        merge::learn_options(*merging.parts[i], merging.notes.parts[i]);
    }
    merge::tell_ordinary(merging.parts, merging.notes.parts, merging.diagnostics);
    take_options(merging);
    merge::GatheredFacts gathered =
        merge::gather_facts(merging.parts, merging.notes.parts, contents.overview().diagnostics, merging.diagnostics);
    merging.counts.cut = gathered.cut;
    contents.parts = std::move(gathered.scans);
    merging.overflows.give(contents.parts);
    merge::put_together(contents.parts, contents.scan);
}

/// Calls and dumps are tied once all of them are there.
void tie_api_dumps(Merging& merging) {
    ScanReport::Contents& contents = *merging.contents;
    contents.api = report::scan_api_of(contents.parts, contents.options.ties, contents.options.partial);
    if (contents.api) {
        contents.scan.api = ScanApiDumps{contents.api->report, {}, 0};
    }
}

void tell_of_parts(Merging& merging) {
    ScanReport::Contents& contents = *merging.contents;
    if (contents.options.partial) {
        // The one that merges it again tells what is missing, and what was wrong here.
        const auto whole = std::find_if(contents.parts.begin(), contents.parts.end(),
                                        [](const PartFacts& facts) { return !facts.name.cut; });
        std::vector<Diagnostic>& kept = (whole == contents.parts.end() ? contents.parts.begin() : whole)->diagnostics;
        kept.insert(kept.end(), merging.diagnostics.begin(), merging.diagnostics.end());
    } else {
        merging.counts.missing = merge::tell_missing(merging.parts, merging.diagnostics);
    }
    Scan& scan = contents.scan;
    const MergeCounts& counts = merging.counts;
    const bool trees_differ = std::any_of(merging.diagnostics.begin(), merging.diagnostics.end(),
                                          [](const Diagnostic& told) { return told.code == "trees_differ"; });
    scan.complete = scan.complete && !trees_differ && counts.missing == 0 && counts.cut == 0 && counts.unusable == 0;
    scan.diagnostics.insert(scan.diagnostics.end(), merging.diagnostics.begin(), merging.diagnostics.end());
}

}  // namespace

Result<Merge> merge_reports(const std::vector<MergeInput>& inputs, const MergeOptions& options) {
    Result<merge::OpenedParts> opened = merge::open_parts(inputs, options.report.temporary_folder);
    if (!opened) {
        return std::move(opened.error());
    }
    if (opened->parts.empty()) {
        return Error{ErrorCode::invalid_argument,
                     opened->diagnostics.empty() ? "no report was given to merge"
                                                 : "no report can be merged: " + opened->diagnostics.front().message,
                     "", std::nullopt};
    }
    Merging merging(options.report, *std::move(opened));
    ScanReportOptions& shown = merging.contents->options;
    shown.report.tensors =
        std::all_of(merging.parts.begin(), merging.parts.end(), [](const auto& part) { return part->head.tensors; });
    merging.dumps = std::make_shared<MergedDumps>(
        std::vector<std::shared_ptr<const Part>>(merging.parts.begin(), merging.parts.end()), shown.report.tensors);
    go_through(merging);
    take_facts(merging);
    tie_api_dumps(merging);
    tell_of_parts(merging);
    merging.contents->merged = merging.dumps;
    merging.contents->first_text = merge::first_text_of(merging.of_first, merging.dumps);
    Scan scan = merging.contents->scan;
    return Merge{ScanReport(std::move(merging.contents)), std::move(scan), merging.counts};
}

}  // namespace v0
}  // namespace opdebug
