// opdebug scan: every dump below some paths, one report.
#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <opdebug/logs.hpp>
#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "commands/path_kinds.hpp"
#include "commands/scan_parts.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "remarks/diagnose.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

using std::chrono::milliseconds;

// Time for the scan after an interrupt: the program must end within a second.
constexpr milliseconds kScanAfterInterrupt{500};
constexpr milliseconds kWritingAfterInterrupt{800};

/// Reads the logs for the tasks of the dumps. Returns false if a log was unreadable. Logs are not used after an
/// interrupt: the unread part may contain a later use of the same ids, so the answer could be wrong.
bool use_logs_of(const DumpTree& tree, ScanSettings& settings, ProgressLine& progress) {
    if (settings.logs.paths.empty()) {
        return true;
    }
    Result<WantedTasks> wanted = wanted_tasks(tree, settings.scan);
    progress.clear();
    if (!wanted || interrupted()) {
        return true;
    }
    UsedLogs used = use_logs(settings.logs, std::move(*wanted), settings.scan.locate, progress);
    settings.scan.diagnostics = std::move(used.remarks);
    if (interrupted()) {
        settings.scan.locate.task_map.reset();
    }
    return used.whole;
}

/// An interrupt stops decoding immediately. An interrupt before the first dump leaves a moment for decoding, because an
/// empty report is useless.
std::function<bool()> stop_decoding() {
    if (interrupted()) {
        return [] { return interrupted_for(kScanAfterInterrupt); };
    }
    return interrupted;
}

/// A shard without dumps also writes a part, so merge can distinguish hosts without dumps from failed ones.
void remark_no_dumps(Scan& scanned, const std::string& host) {
    const std::string paths = fmt::format("{}", fmt::join(scanned.inputs, ", "));
    scanned.diagnostics.push_back(
        remarks::diagnose(host.empty() ? "no_dumps" : "no_dumps.host", {{"paths", paths}, {"host", host}}));
}

/// Whether there is no dump of any kind. A part for `merge` may be empty.
bool has_nothing(const Scan& scanned, const ScanSettings& settings) {
    const bool is_empty_share = scanned.shard && scanned.tree.dumps != 0;
    return scanned.counts.dumps == 0 && !is_empty_share && !settings.report.partial && !scanned.api;
}

/// An interrupt after the end of the scan changes nothing: the report is complete.
int exit_status_of(const Scan& scanned, bool is_damaged, const ScanSettings& settings) {
    return !scanned.complete                                    ? interrupted_status()
           : has_nothing(scanned, settings)                     ? scanned.failures.empty() ? kUsage : kSomethingDamaged
           : settings.fail_on_overflow && has_overflow(scanned) ? kOverflowFound
           : is_damaged                                         ? kSomethingDamaged
                                                                : kEverythingHandled;
}

void print_notes(const ScanReport& report, const Scan& scanned, int status, const ScanSettings& settings) {
    if (scanned.tree.dumps == 0 && !scanned.api && scanned.complete && !settings.quiet) {
        print_phrase("scan.no_dump_in_part");
    } else if (scanned.shard && scanned.counts.dumps == 0 && scanned.tree.dumps != 0 && !settings.quiet) {
        print_phrase("scan.none_of_shard",
                     {{"dumps", scanned.tree.dumps}, {"index", scanned.shard->index}, {"count", scanned.shard->count}});
    }
    if (settings.write == &ScanReport::write_csv) {
        print_missing(scanned, settings.scan.diagnostics);
        print_errors(report.api_diagnostics());
        print_csv_omissions(scanned);
        if (scanned.shard && scanned.dumps_found < scanned.tree.dumps) {
            print_phrase("scan.rows_of_shard", {{"index", scanned.shard->index},
                                                {"count", scanned.shard->count},
                                                {"done", scanned.dumps_found},
                                                {"dumps", scanned.tree.dumps}});
        }
    }
    print_unused_traces(scanned, settings.report.ties.traces, "scan.trace_unused");
    if (!settings.scan.locate.task_map && scanned.counts.overflowed != 0 && !settings.quiet) {
        suggest_logs(settings.paths);
    }
    if (!settings.quiet && (settings.output || status != kEverythingHandled)) {
        print_summary(settings.output, scan_summary(scanned, scanned.damage.damaged));
    }
}

/// Writes the report, and reports facts that its format cannot contain; returns the exit status.
int show_report(const ScanReport& report, const Scan& scanned, int status, const ScanSettings& settings) {
    const bool is_empty = has_nothing(scanned, settings);
    const bool reads_nothing = is_empty || (scanned.dumps_found == 1 && scanned.counts.failed == 1);
    const auto other = reads_nothing && scanned.complete && settings.paths.size() == 1
                           ? other_command_for(settings.paths.front(), "scan")
                           : std::nullopt;
    if (other && !is_empty) {
        print_message(*other);
        if (!settings.output && settings.write == &ScanReport::write_text) {
            return status;  // the text would repeat it
        }
    }
    if (is_empty && scanned.complete) {
        print_missing(scanned, settings.scan.diagnostics);
        print_message(other.value_or(sentence("scan.none", {{"there", what_is_there(settings.paths)}})));
        return status;
    }
    // An interrupt meanwhile leaves a moment to finish. The report of an interrupted scan is written completely.
    const auto gives_up = [ended_early = interrupted()] {
        return !ended_early && interrupted_for(kWritingAfterInterrupt);
    };
    if (const auto failed = write_report(report, settings.write, settings.output, gives_up)) {
        return *failed;
    }
    print_notes(report, scanned, status, settings);
    return status;
}

int run(ScanSettings settings) {
    ProgressLine progress(settings.quiet);
    settings.scan.stop = interrupted;
    settings.scan.progress = [&progress](const ScanProgress& done) { progress.show(done); };
    settings.scan.host_utc_offset_minutes = system_utc_offset_minutes;
    settings.report.ties.stop = interrupted;
    Result<DumpTree> tree = find_dump_tree(settings.paths, settings.scan);
    if (!tree) {
        progress.clear();
        print_message(tree.error());
        return kUsage;
    }
    ScanReport report(settings.report);
    const std::vector<Diagnostic> unread =
        report.read_training_logs(settings.training_logs, settings.logs.utc_offset_minutes, interrupted);
    progress.clear();
    print_errors(unread);
    const bool logs_are_whole = use_logs_of(*tree, settings, progress) && unread.empty();
    const bool logs_cut_off = !settings.logs.paths.empty() && interrupted();
    settings.scan.stop = stop_decoding();
    Scan scanned = report.add_all(*tree, settings.scan);
    progress.clear();
    if (logs_cut_off) {
        scanned.complete = false;
        scanned.diagnostics.push_back(remarks::diagnose("logs_cut_off"));
    }
    if (settings.report.partial && scanned.complete && scanned.tree.dumps == 0 && !scanned.api) {
        remark_no_dumps(scanned, settings.report.report.host);
    }
    if (const auto error = report.finish(scanned)) {
        print_message(*error);
        return kSomethingDamaged;
    }
    const bool misses_traces = !missing_traces(scanned, settings.report.ties.traces).empty();
    const bool is_damaged = !logs_are_whole || misses_traces || has_damage(scanned, report.api_diagnostics());
    return show_report(report, scanned, exit_status_of(scanned, is_damaged, settings), settings);
}

}  // namespace

int scan_command(const ParsedArguments& arguments) {
    catch_interrupts();
    return run(read_scan_settings(arguments));
}

}  // namespace opdebug::tool
