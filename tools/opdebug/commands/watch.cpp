// opdebug watch: follows the dumps of a running job.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "commands/scan_parts.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "report/pages/pages.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

struct WatchSettings {
    ScanSettings scan;                                 ///< paths, decoding, the report and its location
    std::chrono::milliseconds interval{2000};          ///< --poll
    bool as_json_lines = false;                        ///< format of immediate output
    std::optional<std::string> command;                ///< --exec
    std::optional<std::chrono::milliseconds> idle;     ///< --until-idle
    std::optional<std::chrono::milliseconds> longest;  ///< --duration
};

constexpr double kMostSeconds = 1e9;

/// Seconds as a decimal number, "0.5"; empty for other texts.
std::optional<std::chrono::milliseconds> parse_seconds(const std::string& text) {
    double seconds = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), seconds, std::chars_format::fixed);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || !(seconds >= 0) ||
        seconds > kMostSeconds) {
        return std::nullopt;
    }
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

std::optional<std::chrono::milliseconds> read_seconds(const ParsedArguments& arguments, const std::string& name) {
    if (!arguments.has(name)) {
        return std::nullopt;
    }
    const auto value = parse_seconds(arguments.text(name));
    if (!value) {
        throw UsageError(sentence("usage.seconds", {{"option", name}, {"value", arguments.text(name)}}));
    }
    return value;
}

WatchSettings read_watch_settings(const ParsedArguments& arguments) {
    WatchSettings settings;
    ScanSettings& scan = settings.scan;
    scan.paths = arguments.positionals;
    settings.as_json_lines = arguments.form == "jsonl";
    scan.output = arguments.output;
    if (arguments.has("report") && !scan.output) {
        throw UsageError(sentence("watch.report_alone"));
    }
    // JSON lines are a part for `opdebug merge`: hosts with their own disks are watched separately.
    scan.report.partial = true;
    scan.report.lists.unreadable = true;  // the report at the end has no options for its lists
    scan.write = writer_of(scan.output ? arguments.report_form : "text", scan.report);
    settings.interval = read_seconds(arguments, "poll").value_or(settings.interval);
    if (settings.interval < std::chrono::milliseconds(10)) {
        throw UsageError(sentence("watch.poll"));
    }
    settings.idle = read_seconds(arguments, "until-idle");
    settings.longest = read_seconds(arguments, "duration");
    if (arguments.has("exec")) {
        settings.command = arguments.text("exec");
    }
    scan.quiet = arguments.has("quiet");
    scan.fail_on_overflow = arguments.has("fail-on");
    scan.report.report = read_report_options(arguments);
    scan.report.report.utc_offset_minutes = local_time_of(std::nullopt);
    scan.scan.tensors = scan.report.report.tensors = arguments.has("tensors");
    scan.report.temporary_folder = temporary_folder();
    scan.scan.decode.limits = read_limits(arguments);
    return settings;
}

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// Maximum delay before a signal or the end of the command is noticed.
constexpr milliseconds kLongestSleep{200};
/// Time for the final scan: schedulers wait ten seconds or more before they kill a job. A second signal ends the
/// program immediately.
constexpr milliseconds kFinalScanAfterInterrupt{8000};
/// Time for a notification to finish.
constexpr milliseconds kCommandAfterEnd{10'000};

/// Prints new overflows, and at the end the report of a scan.
class Follower {
public:
    explicit Follower(WatchSettings& settings)
        : settings_(settings), lines_(std::nullopt), watch_(settings.scan.paths, watch_options()) {}

    int run();

private:
    WatchOptions watch_options();
    void look(bool last = false);
    void print(const WatchedOverflow& overflow);
    std::string document_of(const WatchedOverflow& overflow) const;
    void run_command(const WatchedOverflow& overflow);
    bool is_over() const;
    void sleep() const;
    int end();
    std::optional<Error> write(const ScanReport& report, const Scan& scanned);

    WatchSettings& settings_;
    Output lines_;
    DumpWatch watch_;
    StartedCommand command_;
    bool command_started_ = false, unread_ = false, ending_ = false;
    Clock::time_point begin_ = Clock::now(), last_dump_ = Clock::now();
};

WatchOptions Follower::watch_options() {
    ScanOptions& scan = settings_.scan.scan;
    scan.host_utc_offset_minutes = system_utc_offset_minutes;
    scan.stop = [this] { return ending_ ? interrupted_for(kFinalScanAfterInterrupt) : interrupted(); };
    WatchOptions options;
    options.scan = scan;
    return options;
}

void Follower::print(const WatchedOverflow& overflow) {
    const std::string text = settings_.as_json_lines
                                 ? document_of(overflow)
                                 : report::watched_overflow_text(overflow, settings_.scan.report.report);
    unread_ = unread_ || (!text.empty() && !lines_.write(text));
}

std::string Follower::document_of(const WatchedOverflow& overflow) const {
    ReportOptions one_line = settings_.scan.report.report;
    one_line.one_line = true;
    const ScannedDump& scanned = overflow.scanned;
    return record_to_json(*scanned.dump, scanned.location, scanned.tensors, one_line) + "\n";
}

void Follower::run_command(const WatchedOverflow& overflow) {
    if (settings_.command && !std::exchange(command_started_, true)) {
        if (const auto error = command_.start(*settings_.command, document_of(overflow))) {
            print_message(*error);
        }
    }
}

void Follower::look(bool last) {
    const std::uint64_t decoded = watch_.look(
        [this](WatchedOverflow&& overflow) {
            print(overflow);
            run_command(overflow);
        },
        last);
    if (decoded != 0) {
        last_dump_ = Clock::now();
    }
    for (const Diagnostic& remark : watch_.take_diagnostics()) {
        if (!settings_.scan.quiet) {
            print_message(remark);
        }
    }
    if (const auto words = command_.ended()) {
        print_message(*words);
    }
}

bool Follower::is_over() const {
    const Clock::time_point now = Clock::now();
    return interrupted() || unread_ || (settings_.longest && now - begin_ >= *settings_.longest) ||
           (settings_.idle && watch_.waiting() == 0 && now - last_dump_ >= *settings_.idle);
}

/// Sleeps until the next poll. Files that may still be written are polled when they may be complete.
void Follower::sleep() const {
    const milliseconds settle = WatchOptions().settle;
    const Clock::time_point next =
        Clock::now() + (watch_.waiting() != 0 ? std::min(settings_.interval, settle) : settings_.interval);
    while (!is_over() && Clock::now() < next) {
        const auto left = std::chrono::ceil<milliseconds>(next - Clock::now());
        std::this_thread::sleep_for(std::clamp(left, milliseconds(1), kLongestSleep));
    }
}

std::optional<Error> Follower::write(const ScanReport& report, const Scan& scanned) {
    if (settings_.scan.output) {
        Output output(settings_.scan.output);
        const auto error =
            (report.*settings_.scan.write)([&output](std::string_view text) { return output.write(text); });
        return error ? error : output.finish();
    }
    if (settings_.as_json_lines || scanned.counts.dumps == 0 || unread_) {
        return std::nullopt;
    }
    lines_.write("\n");
    return report.write_text([this](std::string_view text) { return lines_.write(text); });
}

int Follower::end() {
    const Result<DumpTree> tree = find_dump_tree(settings_.scan.paths, settings_.scan.scan);
    if (!tree) {
        print_message(tree.error());
        return kSomethingDamaged;
    }
    ScanReport report(settings_.scan.report);
    const bool has_no_report = !settings_.scan.output && settings_.as_json_lines;
    const Scan scanned = scan(*tree, settings_.scan.scan, [&](ScannedDump&& dump) {
        if (has_no_report && dump.failure) {
            print_message(*dump.failure);
        }
        report.add(dump);
    });
    std::optional<Error> error = report.finish(scanned);
    error = error ? error : write(report, scanned);
    error = error ? error : lines_.finish();
    if (error) {
        return print_not_written(*error);
    }
    if (!settings_.scan.output && (settings_.as_json_lines || scanned.counts.dumps == 0)) {
        settings_.scan.quiet ? print_failures(scanned) : print_missing(scanned);
    }
    if (!settings_.scan.quiet) {
        print_summary(settings_.scan.output, scan_summary(scanned, scanned.damage.damaged));
    }
    return settings_.scan.fail_on_overflow && has_overflow(scanned) ? kOverflowFound
           : interrupted()                                          ? interrupted_status()
           : has_damage(scanned, report.api_diagnostics())          ? kSomethingDamaged
                                                                    : kEverythingHandled;
}

int Follower::run() {
    look();
    if (!settings_.scan.quiet) {
        print_phrase("watch.watching");
    }
    last_dump_ = Clock::now();
    while (!is_over()) {
        sleep();
        if (!interrupted()) {
            look();
        }
    }
    ending_ = true;
    look(true);
    const int status = end();
    if (const auto words = command_.wait(kCommandAfterEnd)) {
        print_message(*words);
    }
    return status;
}

}  // namespace

int watch_command(const ParsedArguments& arguments) {
    catch_interrupts();
    WatchSettings settings = read_watch_settings(arguments);
    Follower follower(settings);
    return follower.run();
}

}  // namespace opdebug::tool
