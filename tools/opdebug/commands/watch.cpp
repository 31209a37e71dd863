// opdebug watch: follows the dumps of a running job.
#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include <opdebug/report.hpp>
#include <opdebug/scan_report.hpp>
#include <opdebug/watch.hpp>

#include "command_line/arguments.hpp"
#include "commands/commands.hpp"
#include "commands/scan_summary.hpp"
#include "commands/watch_settings.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "system/exit_status.hpp"
#include "system/interrupt.hpp"
#include "system/started_command.hpp"

namespace opdebug::tool {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// So often at most it is looked whether a signal came or the command ended; changes are told at once.
constexpr milliseconds kLongestWait{500};
/// What was found and not decoded yet when the end comes, and what may have another answer now. Whoever ends jobs
/// leaves them ten seconds and more, and a second signal ends at once.
constexpr milliseconds kDecodingAfterInterrupt{2000};
/// A notification may take a moment.
constexpr milliseconds kCommandAfterEnd{10'000};

struct Words {
    const char *first, *group;
};
constexpr Words kEnglish{"first overflow", "new group"};
constexpr Words kChinese{"首个溢出", "新的分组"};

/// Prints, keeps and counts what comes.
class Follower {
public:
    explicit Follower(WatchSettings& settings)
        : settings_(settings), report_(settings.scan.report), lines_(std::nullopt) {
        settings_.watch.scan.stop = [this] {
            return ending_ ? interrupted_for(kDecodingAfterInterrupt) : interrupted();
        };
        settings_.watch.scan.host_utc_offset_minutes = system_utc_offset_minutes;
    }

    int run();

private:
    void take(WatchedDump&& dump);
    void print(const WatchedDump& dump);
    void run_command(const WatchedDump& dump);
    bool is_over(const DumpWatch& watch) const;
    void say_news(DumpWatch& watch);
    int end(const Scan& scan);

    WatchSettings& settings_;
    ScanReport report_;
    Output lines_;
    StartedCommand command_;
    bool command_started_ = false, unread_ = false, ending_ = false;
    std::vector<Diagnostic> said_;
    Clock::time_point begin_ = Clock::now(), last_dump_ = Clock::now();
};

void Follower::print(const WatchedDump& dump) {
    const ReportOptions& options = settings_.scan.report.report;
    std::string text;
    if (settings_.as_json_lines) {
        ReportOptions one_line = options;
        one_line.one_line = true;
        text = record_to_json(*dump.scanned.dump, dump.scanned.location, dump.scanned.tensors, one_line) + "\n";
    } else {
        const Words& words = options.language == Language::chinese ? kChinese : kEnglish;
        if (dump.first_of_rank) {
            text += fmt::format("{}: {}\n", words.first, item_to_line(dump.item, options.language));
        }
        for (const ScanGroup& group : dump.new_groups) {
            text += fmt::format("{}: {}\n", words.group, group_to_line(group, options.language));
        }
    }
    unread_ = unread_ || (!text.empty() && !lines_.write(text));
}

void Follower::run_command(const WatchedDump& dump) {
    if (!settings_.command || std::exchange(command_started_, true)) {
        return;
    }
    ReportOptions one_line = settings_.scan.report.report;
    one_line.one_line = true;
    const std::string document =
        record_to_json(*dump.scanned.dump, dump.scanned.location, dump.scanned.tensors, one_line) + "\n";
    if (const auto error = command_.start(*settings_.command, document)) {
        say(error->message);
    }
}

void Follower::take(WatchedDump&& dump) {
    last_dump_ = Clock::now();
    const bool was_told = dump.reason == WatchReason::looked_again;
    if (dump.scanned.state == DumpState::overflowed && !was_told) {
        print(dump);
        run_command(dump);
    } else if (dump.scanned.state == DumpState::failed && dump.scanned.failure && !was_told) {
        say(to_string(*dump.scanned.failure));
    }
    dump.reason == WatchReason::came ? report_.add(dump.scanned) : report_.replace(dump.number, dump.scanned);
}

void Follower::say_news(DumpWatch& watch) {
    for (Diagnostic& remark : watch.take_diagnostics()) {
        if (!settings_.scan.quiet || remark.severity == Severity::error) {
            say(remark.message);
        }
        said_.push_back(std::move(remark));
    }
    if (const auto words = command_.ended()) {
        say(*words);
    }
}

bool Follower::is_over(const DumpWatch& watch) const {
    const Clock::time_point now = Clock::now();
    return interrupted() || unread_ || (settings_.longest && now - begin_ >= *settings_.longest) ||
           (settings_.idle && watch.waiting() == 0 && now - last_dump_ >= *settings_.idle);
}

/// How long to wait: until the next end that is known, and not longer than a signal may wait.
milliseconds wait_before(const std::optional<milliseconds>& end, Clock::time_point begin, milliseconds longest) {
    if (!end) {
        return longest;
    }
    const auto left = std::chrono::ceil<milliseconds>(begin + *end - Clock::now());
    return std::clamp(left, milliseconds(1), longest);
}

int Follower::end(const Scan& scan) {
    const bool damaged =
        scan.damage.damaged != 0 || scan.damage.unmeasured != 0 || scan.counts.failed != 0 || !scan.failures.empty();
    const int status = settings_.scan.fail_on_overflow && scan.counts.overflowed != 0 ? kOverflowFound
                       : damaged                                                      ? kSomethingDamaged
                                                                                      : kEverythingHandled;
    std::optional<Error> error = report_.finish(scan);
    if (!error && settings_.scan.output) {
        Output output(settings_.scan.output);
        error = (report_.*settings_.scan.write)([&output](std::string_view text) { return output.write(text); });
        error = error ? error : output.finish();
    } else if (!error && !settings_.as_json_lines && scan.counts.dumps != 0 && !unread_) {
        lines_.write("\n");
        error = report_.write_text([this](std::string_view text) { return lines_.write(text); });
    }
    error = error ? error : lines_.finish();
    if (error) {
        return say_not_written(*error);
    }
    const bool is_reported = settings_.scan.output || (!settings_.as_json_lines && scan.counts.dumps != 0);
    if (!is_reported) {
        if (settings_.scan.quiet) {
            say_failures(scan);
        } else {
            say_what_is_missing(scan, said_);
        }
    }
    if (!settings_.scan.quiet) {
        say((settings_.scan.output ? *settings_.scan.output + ": " : "") + scan_summary(scan, scan.damage.damaged));
    }
    return status;
}

int Follower::run() {
    const auto use = [this](WatchedDump&& dump) { take(std::move(dump)); };
    DumpWatch watch(settings_.scan.paths, settings_.watch);
    watch.look(use);
    say_news(watch);
    if (!settings_.scan.quiet) {
        say(fmt::format("watching ({}); Ctrl-C ends with a report", to_string(watch.method())));
    }
    last_dump_ = Clock::now();
    while (!is_over(watch)) {
        watch.wait(wait_before(settings_.longest, begin_, wait_before(settings_.idle, last_dump_, kLongestWait)));
        watch.look(use);
        say_news(watch);
    }
    ending_ = true;
    watch.finish(use);
    say_news(watch);
    const Scan scan = watch.scan();
    const int status = end(scan);
    if (const auto words = command_.wait(kCommandAfterEnd)) {
        say(*words);
    }
    return status;
}

}  // namespace

int watch_command(const std::vector<std::string>& arguments) {
    catch_interrupts();
    const ParsedArguments parsed = parse_arguments(watch_command_line(), arguments);
    if (parsed.exit_status) {
        return *parsed.exit_status;
    }
    WatchSettings settings;
    if (const auto message = read_watch_settings(parsed, settings)) {
        return usage_error(kWatchUsage, *message);
    }
    if (const auto refused = refuse_output(settings.scan)) {
        return usage_error(kWatchUsage, *refused);
    }
    Follower follower(settings);
    return follower.run();
}

}  // namespace opdebug::tool
