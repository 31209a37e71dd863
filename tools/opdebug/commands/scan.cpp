// opdebug scan: every dump below some paths, one report.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <future>
#include <string>
#include <system_error>
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

/// Runs prepare_to_read_logs() in its own thread, if possible, in parallel to decoding. The destructor of the future
/// waits for the thread, which uses the settings. Start it after the search for dumps: earlier it would delay the
/// search, and an interrupt would leave nothing to report.
std::future<void> prepare_logs_beside(const LogSettings& settings) {
    if (settings.paths.empty() || settings.reading.threads == 1) {
        return {};
    }
    try {
        return std::async(std::launch::async, [&settings] { prepare_to_read_logs(settings.reading); });
    } catch (const std::system_error&) {  // no thread available: reading the logs does it
        return {};
    }
}

/// Reads the logs for the tasks of the dumps. Returns false if a log was unreadable. Logs are not used after an
/// interrupt: the unread part may contain a later use of the same ids, so the answer could be wrong.
bool use_logs_of(const DumpTree& tree, ScanSettings& settings, ProgressLine& progress) {
    if (settings.logs.paths.empty()) {
        return true;
    }
    const std::future<void> prepared_logs = prepare_logs_beside(settings.logs);
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

void tell_of_cut_logs(Scan& scanned) {
    scanned.complete = false;
    scanned.diagnostics.push_back(remarks::diagnose("logs_cut_off"));
}

/// A shard without dumps also writes a part, so merge can distinguish hosts without dumps from failed ones.
void tell_of_no_dumps(Scan& scanned, const std::string& host) {
    const std::string paths = fmt::format("{}", fmt::join(scanned.inputs, ", "));
    scanned.diagnostics.push_back(
        remarks::diagnose(host.empty() ? "no_dumps" : "no_dumps.host", {{"paths", paths}, {"host", host}}));
}

/// Facts for the exit status.
struct ScanOutcome {
    bool damaged = false;
    bool overflow = false;
    bool nothing = false;   ///< no dump of any kind
    bool not_read = false;  ///< an unreadable path or folder, which may contain dumps
    bool interrupted = false;

    int exit_status(bool fail_on_overflow) const {
        return interrupted                    ? interrupted_status()
               : nothing                      ? (not_read ? kSomethingDamaged : kUsage)
               : overflow && fail_on_overflow ? kOverflowFound
               : damaged                      ? kSomethingDamaged
                                              : kEverythingHandled;
    }
};

/// An interrupt after the end of the scan changes nothing: the report is complete.
ScanOutcome outcome_of(const Scan& scanned, bool damaged, const ScanReport& report, bool writes_part) {
    ScanOutcome outcome;
    outcome.damaged = damaged || has_damage(scanned, report.api_diagnostics());
    outcome.overflow = has_overflow(scanned);
    const bool is_empty_share = scanned.shard && scanned.tree.dumps != 0;
    outcome.nothing = scanned.counts.dumps == 0 && !is_empty_share && !writes_part && !scanned.api;
    outcome.not_read = !scanned.failures.empty();
    outcome.interrupted = !scanned.complete;
    return outcome;
}

/// Writes the report. Returns the exit status on failure. An interrupt meanwhile leaves a moment to finish. The report
/// of an interrupted scan is written completely.
std::optional<int> write_report(const ScanReport& report, const ScanSettings& settings) {
    const bool ended_early = interrupted();
    const auto gives_up = [ended_early] { return !ended_early && interrupted_for(kWritingAfterInterrupt); };
    Output output(settings.output);
    std::optional<Error> error =
        (report.*settings.write)([&](std::string_view text) { return !gives_up() && output.write(text); });
    if (gives_up()) {
        say_stopped_writing(settings.output);
        return interrupted_status();
    }
    error = error ? error : output.finish();
    return error ? std::optional(say_not_written(*error)) : std::nullopt;
}

void say_what_the_report_lacks(const ScanReport& report, const Scan& scanned, int status, std::uint64_t damaged_dumps,
                               const ScanSettings& settings) {
    if (scanned.tree.dumps == 0 && !scanned.api && scanned.complete && !settings.quiet) {
        say(sentence("scan.no_dump_in_part"));
    } else if (scanned.shard && scanned.counts.dumps == 0 && scanned.tree.dumps != 0 && !settings.quiet) {
        say(sentence(
            "scan.none_of_shard",
            {{"dumps", scanned.tree.dumps}, {"index", scanned.shard->index}, {"count", scanned.shard->count}}));
    }
    if (settings.write == &ScanReport::write_csv) {
        say_what_is_missing(scanned, settings.scan.diagnostics);
        say_errors(report.api_diagnostics());
        say_what_csv_leaves_out(scanned);
        if (scanned.shard && scanned.dumps_found < scanned.tree.dumps) {
            say(sentence("scan.rows_of_shard", {{"index", scanned.shard->index},
                                                {"count", scanned.shard->count},
                                                {"done", scanned.dumps_found},
                                                {"dumps", scanned.tree.dumps}}));
        }
    }
    if (!settings.report.ties.traces.empty() && !scanned.api) {
        say(sentence("scan.trace_unused"));
        say_failures(missing_traces(settings.report.ties.traces));
    }
    if (!settings.scan.locate.task_map && scanned.counts.overflowed != 0 && !settings.quiet) {
        say_found_logs(settings.paths);
    }
    if (!settings.quiet && (settings.output || status != kEverythingHandled)) {
        say_summary(settings.output, scan_summary(scanned, damaged_dumps));
    }
}

/// Writes the report, and reports facts that its format cannot contain; returns the exit status.
int tell(const ScanReport& report, const Scan& scanned, const ScanOutcome& outcome, std::uint64_t damaged_dumps,
         const ScanSettings& settings) {
    const int status = outcome.exit_status(settings.fail_on_overflow);
    const bool reads_nothing = outcome.nothing || (scanned.dumps_found == 1 && scanned.counts.failed == 1);
    const auto other = reads_nothing && !outcome.interrupted && settings.paths.size() == 1
                           ? other_command_for(settings.paths.front(), "scan")
                           : std::nullopt;
    if (other && !outcome.nothing) {
        say(*other);
        if (!settings.output && settings.write == &ScanReport::write_text) {
            return status;  // the text would repeat it
        }
    }
    if (outcome.nothing && !outcome.interrupted) {
        say_what_is_missing(scanned, settings.scan.diagnostics);
        say(other.value_or(sentence("scan.none", {{"there", what_is_there(settings.paths)}})));
        return status;
    }
    if (const auto failed = write_report(report, settings)) {
        return *failed;
    }
    say_what_the_report_lacks(report, scanned, status, damaged_dumps, settings);
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
        say(tree.error());
        return kUsage;
    }
    ScanReport report(settings.report);
    const std::vector<Diagnostic> unread =
        report.read_training_logs(settings.training_logs, settings.logs.utc_offset_minutes, interrupted);
    progress.clear();
    say_errors(unread);
    const bool logs_are_whole = use_logs_of(*tree, settings, progress) && unread.empty();
    const bool logs_cut_off = !settings.logs.paths.empty() && interrupted();
    settings.scan.stop = stop_decoding();
    Scan scanned = report.add_all(*tree, settings.scan);
    progress.clear();
    if (logs_cut_off) {
        tell_of_cut_logs(scanned);
    }
    if (settings.report.partial && scanned.complete && scanned.tree.dumps == 0 && !scanned.api) {
        tell_of_no_dumps(scanned, settings.report.report.host);
    }
    if (const auto error = report.finish(scanned)) {
        say(*error);
        return kSomethingDamaged;
    }
    const bool misses_traces = !scanned.api && !missing_traces(settings.report.ties.traces).empty();
    const bool damaged = !logs_are_whole || misses_traces;
    const ScanOutcome outcome = outcome_of(scanned, damaged, report, settings.report.partial);
    return tell(report, scanned, outcome, scanned.damage.damaged, settings);
}

}  // namespace

int scan_command(const ParsedArguments& arguments) {
    catch_interrupts();
    return run(read_scan_settings(arguments));
}

}  // namespace opdebug::tool
