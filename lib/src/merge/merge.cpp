// Reports → one report: parts are opened, their dumps gone through once for what all show together, and read again when
// the report is written.
#include <opdebug/report.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/scan.hpp>

#include "merge/part.hpp"
#include "remarks/diagnose.hpp"
#include "report/parts/part_lines.hpp"
#include "report/scan/scan_contents.hpp"
#include "report/scan/scan_page.hpp"
#include "report/text/joined_lists.hpp"
#include "scan/overview.hpp"
#include "scan/totals.hpp"

namespace opdebug::merge {
namespace {

using report::PartFacts;

/// The text of the first overflow, as its part has it; of a part that was cut, the dump in one line.
report::FirstText first_text_of(const std::shared_ptr<const Part>& part, const ScanItem& item) {
    return [part, item](Language language) {
        report::FirstWords words;
        if (part && part->end) {
            const report::FirstTexts& texts = part->end->first_text;
            words = (language == Language::chinese ? texts.chinese : texts.english).value_or(words);
        }
        if (part && words.record.empty()) {
            words.record = item_to_line(item, language) + "\n";
            words.op = report::show_operator(item.operator_name, item.operator_type);
        }
        return words;
    };
}

void add_counts(const PartFacts& facts, Scan& scan) {
    scan.counts.dumps += facts.unlisted_overflowed + facts.unlisted_clean;
    scan.counts.overflowed += facts.unlisted_overflowed;
    scan.counts.clean += facts.unlisted_clean;
    scan.counts.op_dumps += facts.op_dumps;
    scan.counts.other_files += facts.other_files;
    scan.complete = scan.complete && facts.complete;
    scan_stage::add_damage(facts.damage, scan.damage);
}

/// Adds to what the dumps of the parts gave: counts of what is no dump, inputs, failures and remarks.
void put_together(const std::vector<PartFacts>& parts, Scan& scan) {
    report::RemarksOnce of_dumps, of_logs;  // those on logs come last
    for (const PartFacts& facts : parts) {
        for (const std::string& input : facts.name.inputs) {
            if (std::find(scan.inputs.begin(), scan.inputs.end(), input) == scan.inputs.end()) {
                scan.inputs.push_back(input);
            }
        }
        add_counts(facts, scan);
        report::append(facts.failures, scan.failures);
        for (const Diagnostic& remark : facts.diagnostics) {
            (remark.code == "logs_cut_off" ? of_logs : of_dumps).insert(remark);
        }
    }
    std::stable_sort(scan.failures.begin(), scan.failures.end(),
                     [](const Error& a, const Error& b) { return a.file < b.file; });
    scan.dumps_found = scan.counts.dumps + scan.damage.not_read;
    report::append(of_dumps.all(), scan.diagnostics);
    const bool stopped = scan.damage.not_read != 0 || !scan.damage.every_folder_searched;
    scan_stage::report_damage(scan.damage, scan.complete || !stopped, scan.diagnostics);
    report::append(of_logs.all(), scan.diagnostics);
}

/// The inside of the report, and what the merge found out on the way.
struct Merging {
    Merging(const ScanReportOptions& options, OpenedParts opened)
        : contents(std::make_unique<ScanReport::Contents>(options)),
          parts(std::move(opened.parts)),
          counts(opened.counts),
          diagnostics(std::move(opened.diagnostics)),
          overflows(std::move(opened.overflows)) {}

    std::unique_ptr<ScanReport::Contents> contents;
    std::vector<std::shared_ptr<Part>> parts;
    std::vector<PartFacts> facts;
    MergeCounts counts;
    std::vector<Diagnostic> diagnostics;  ///< on the parts
    ApiOverflows overflows;
    PassNotes notes;
    std::shared_ptr<const Part> of_first;  ///< the part that holds the first overflow
};

/// The merged timeline shows what the timelines of all parts show.
void adopt_options(Merging& merging) {
    ScanReportOptions& options = merging.contents->options;
    bool any_all = false, any_not_all = false, any_tensors = false;
    for (const auto& part : merging.parts) {
        any_all = any_all || part->head.options.all;
        any_not_all = any_not_all || !part->head.options.all;
        any_tensors = any_tensors || part->head.options.tensors;
        if (part->head.options.first) {
            options.first = std::min(options.first.value_or(*part->head.options.first), *part->head.options.first);
        }
    }
    options.all = any_all && !any_not_all;
    if ((any_all && any_not_all) || any_tensors != options.report.tensors) {
        merging.diagnostics.push_back(remarks::diagnose("parts_differ"));
    }
}

/// Reads each dump of all parts once.
void read_dumps(Merging& merging) {
    ScanReport::Contents& contents = *merging.contents;
    const std::set<std::string, std::less<>> sharing = sharing_hosts(merging.parts);
    scan_stage::OverviewBuilder overview(sharing);
    std::vector<ScanItem> overflowed;
    const auto add = [&](const report::DumpInOrder& dump, std::size_t part) {
        const ScanItem& item = dump.entry.item;
        scan_stage::count(item.state, contents.scan.counts);
        overview.add(item);
        if (item.state != DumpState::overflowed) {
            return true;
        }
        if (!merging.of_first) {
            merging.of_first = merging.parts[part];
            contents.first_item = item;
        }
        if (contents.options.report.tensors) {
            overflowed.push_back(item);
            if (sharing.count(item.host) != 0) {
                overflowed.back().host.clear();  // chains compare sources, as groups do
            }
        }
        return true;
    };
    (void)each_merged_dump({merging.parts.begin(), merging.parts.end()}, add, merging.notes);
    for (std::size_t i = 0; i < merging.parts.size(); ++i) {
        merging.parts[i]->checked = merging.notes.parts[i];
    }
    contents.overview = overview.finish();
    if (contents.options.report.tensors) {
        contents.chains = chains_of(overflowed);
    }
    merging.counts.repeated_dumps = merging.notes.repeated.count;
    for (const auto& [id, dumps] : {std::pair("dumps_repeated", merging.notes.repeated),
                                    std::pair("dumps_repeated.differing", merging.notes.differing)}) {
        if (dumps.count != 0) {
            merging.diagnostics.push_back(remarks::diagnose(id, {{"count", dumps.count}, {"first", dumps.first}}));
        }
    }
}

/// Adds the facts of the parts to the scan.
void gather_all_facts(Merging& merging) {
    ScanReport::Contents& contents = *merging.contents;
    adopt_options(merging);
    merging.facts = gather_facts(merging.parts);
    merging.counts.cut = static_cast<std::uint64_t>(
        std::count_if(merging.parts.begin(), merging.parts.end(), [](const auto& part) { return part->is_cut(); }));
    report_unlisted(merging.facts, merging.diagnostics);
    merging.overflows.distribute(merging.facts);
    put_together(merging.facts, contents.scan);
}

/// Calls and dumps are tied once all of them are there.
void tie_api_dumps(Merging& merging) {
    ScanReport::Contents& contents = *merging.contents;
    contents.api = report::scan_api_of(merging.facts, contents.options.ties, false);
    if (contents.api) {
        contents.scan.api = ScanApiDumps{contents.api->report, {}, 0};
    }
}

/// The merged report is a part for another merge.
void describe_as_part(ScanReport::Contents& contents) {
    contents.facts = report::facts_of(contents.scan, "");
    if (contents.api) {
        contents.facts.api->overflows = contents.api->overflows;
    }
}

void report_parts(Merging& merging) {
    merging.counts.missing = report_missing(merging.parts, merging.diagnostics);
    Scan& scan = merging.contents->scan;
    const MergeCounts& counts = merging.counts;
    const bool trees_differ =
        std::any_of(merging.diagnostics.begin(), merging.diagnostics.end(),
                    [](const Diagnostic& diagnostic) { return diagnostic.code == "trees_differ"; });
    scan.complete = scan.complete && !trees_differ && counts.missing == 0 && counts.cut == 0 && counts.unusable == 0;
    report::append(merging.diagnostics, scan.diagnostics);
}

}  // namespace
}  // namespace opdebug::merge

opdebug::Result<opdebug::Merge> opdebug::merge_reports(const std::vector<MergeInput>& inputs,
                                                       const MergeOptions& options) {
    Result<merge::OpenedParts> opened = merge::open_parts(inputs, options.report.temporary_folder);
    if (!opened) {
        return std::move(opened.error());
    }
    if (opened->parts.empty()) {
        Error error =
            opened->unusable.value_or(Error{ErrorCode::invalid_argument, "no report was given to merge", "", {}});
        error.code = ErrorCode::invalid_argument;
        error.message.insert(0, opened->unusable ? "no report can be merged: " : "");
        return error;
    }
    merge::Merging merging(options.report, *std::move(opened));
    ScanReportOptions& shown = merging.contents->options;
    shown.partial = false;
    shown.report.tensors = std::all_of(merging.parts.begin(), merging.parts.end(),
                                       [](const auto& part) { return part->head.options.tensors; });
    merge::read_dumps(merging);
    merge::gather_all_facts(merging);
    merge::tie_api_dumps(merging);
    merge::report_parts(merging);
    merging.contents->merged = [parts = std::vector<std::shared_ptr<const merge::Part>>(
                                    merging.parts.begin(), merging.parts.end())](const report::UseDump& use) {
        merge::PassNotes notes;
        return merge::each_merged_dump(
            parts, [&use](const report::DumpInOrder& dump, std::size_t) { return use(dump); }, notes);
    };
    merging.contents->first_text = merge::first_text_of(merging.of_first, merging.contents->first_item);
    merge::describe_as_part(*merging.contents);
    Scan scan = merging.contents->scan;
    return Merge{ScanReport(std::move(merging.contents)), std::move(scan), merging.counts};
}
