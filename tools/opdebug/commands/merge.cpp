// opdebug merge: merges reports of shards and hosts to one report.
#include <opdebug/report.hpp>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "commands/scan_parts.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

struct MergeSettings {
    const ParsedArguments& arguments;
    std::vector<MergeInput> inputs = {};
    WriteReport write = nullptr;
    MergeOptions options = {};
};

MergeSettings read_merge_settings(const ParsedArguments& arguments) {
    MergeSettings settings{arguments};
    ScanReportOptions& report = settings.options.report;
    for (const std::string& path : arguments.positionals) {
        settings.inputs.push_back({path, path});
    }
    report.ties.traces = arguments.texts("trace");
    report.ties.stop = interrupted;
    settings.write = writer_of(arguments.form, report);
    report.first = arguments.number("first");
    report.temporary_folder = temporary_folder();
    report.report = read_report_options(arguments);
    report.report.utc_offset_minutes = local_time_of(std::nullopt);
    read_page_options(arguments, report);
    return settings;
}

std::string summary_of(const Merge& merge) {
    const MergeCounts& counts = merge.counts;
    const ScanDamage& damage = merge.scan.damage;
    const bool is_stopped = damage.not_read != 0 || !damage.every_folder_searched;
    std::string text = scan_summary(merge.scan, damage.damaged, merge.scan.complete || is_stopped);
    const auto add = [&text](std::uint64_t count, std::string_view id) {
        text += count != 0 ? sentence(id, {{"count", count}}) : std::string();
    };
    add(counts.missing, "merge.missing");
    add(counts.cut, "merge.cut");
    add(counts.unusable, "merge.unusable");
    for (const Diagnostic& diagnostic : merge.scan.diagnostics) {
        text += diagnostic.code == "trees_differ" ? sentence("merge.trees_differ") : "";
    }
    add(counts.repeated, "merge.repeated");
    return sentence("merge.merged", {{"merged", counts.merged}, {"count", counts.given}, {"rest", text}});
}

int exit_status_of(const Merge& merge, const MergeSettings& settings) {
    const MergeCounts& counts = merge.counts;
    const bool damaged = counts.unusable + counts.cut + counts.missing + merge.scan.damage.not_read != 0 ||
                         has_damage(merge.scan, merge.report.api_diagnostics()) || has_errors(merge.scan.diagnostics) ||
                         !merge.scan.complete;
    const bool misses_traces = !missing_traces(merge.scan, settings.options.report.ties.traces).empty();
    return settings.arguments.has("fail-on") && has_overflow(merge.scan) ? kOverflowFound
           : damaged || misses_traces                                    ? kSomethingDamaged
                                                                         : kEverythingHandled;
}

int merge_and_write(const MergeSettings& settings) {
    const Result<Merge> merge = merge_reports(settings.inputs, settings.options);
    if (!merge) {
        print_message(merge.error());
        return merge.error().code == ErrorCode::invalid_argument ? kUsage : kSomethingDamaged;
    }
    if (const auto failed = write_report(merge->report, settings.write, settings.arguments.output, interrupted)) {
        return *failed;
    }
    const int status = exit_status_of(*merge, settings);
    if (settings.write == &ScanReport::write_csv) {
        print_missing(merge->scan);
        print_errors(merge->report.api_diagnostics());
        print_csv_omissions(merge->scan);
    }
    print_unused_traces(merge->scan, settings.options.report.ties.traces, "merge.trace_unused");
    if (!settings.arguments.has("quiet") && (settings.arguments.output || status != kEverythingHandled)) {
        print_summary(settings.arguments.output, summary_of(*merge));
    }
    return status;
}

}  // namespace

int merge_command(const ParsedArguments& arguments) {
    catch_interrupts();
    return merge_and_write(read_merge_settings(arguments));
}

}  // namespace opdebug::tool
