// opdebug scan: every dump below some paths, one report.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include <opdebug/scan.hpp>
#include <opdebug/scan_report.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "environment.hpp"
#include "exit_status.hpp"
#include "input_files.hpp"
#include "interrupt.hpp"
#include "log_options.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "report_options.hpp"

namespace opdebug::tool {
namespace {

constexpr const char* kUsageLine = "opdebug scan PATH... [--logs PATH]... [options]";

CommandLine command_line() {
    CommandLine line;
    line.usage = kUsageLine;
    line.summary =
        "Decodes every overflow dump below the paths and writes one report: what overflowed first, where, why, how\n"
        "often. Nothing is written into the folders that are read.";
    line.positional_name = "PATH";
    line.visible.add_options()  //
        ("format", options::value<std::string>()->value_name("FORM"),
         "text (default on a terminal), json (default elsewhere), jsonl (one line each), csv or html")          //
        ("first", options::value<std::string>()->value_name("N"), "only the N earliest dumps in the timeline")  //
        ("all", "clean dumps in the timeline as well")                                                          //
        ("tensors", kTensorsHelp)                                                                               //
        ("fail-on", options::value<std::string>()->value_name("WHAT"),
         "overflow: exit status 3 when there is an overflow")  //
        ("jobs,j", options::value<std::string>()->value_name("N"),
         "threads (default: as many as this machine runs at once); the report does not depend on it")  //
        ("quiet,q", "no progress line");
    add_log_options(line.visible);
    add_report_options(line.visible);
    return line;
}

using WriteReport = std::optional<Error> (ScanReport::*)(const TextSink&) const;

struct Form {
    std::string_view name;
    WriteReport write;
};
constexpr Form kForms[] = {{"text", &ScanReport::write_text},
                           {"json", &ScanReport::write_json},
                           {"jsonl", &ScanReport::write_json_lines},
                           {"csv", &ScanReport::write_csv},
                           {"html", &ScanReport::write_html}};

struct Settings {
    std::vector<std::string> paths;
    std::optional<std::string> output;
    WriteReport write = nullptr;
    ScanReportOptions report;
    LogSettings logs;
    ScanOptions scan;
    bool fail_on_overflow = false;
    bool quiet = false;
};

std::optional<std::string> read_form(const ParsedArguments& arguments, Settings& settings) {
    const bool on_terminal = !settings.output && ::isatty(STDOUT_FILENO) == 1;
    const std::string name = arguments.has("format") ? arguments.text("format") : on_terminal ? "text" : "json";
    const auto* const form =
        std::find_if(std::begin(kForms), std::end(kForms), [&name](const Form& known) { return known.name == name; });
    if (form == std::end(kForms)) {
        return "--format is text, json, jsonl, csv or html, not '" + name + "'";
    }
    settings.write = form->write;
    settings.report.color = on_terminal && std::getenv("NO_COLOR") == nullptr;
    return std::nullopt;
}

std::optional<std::string> read_limits(const ParsedArguments& arguments, Settings& settings) {
    settings.report.all = arguments.has("all");
    settings.quiet = arguments.has("quiet");
    settings.scan.tensors = settings.report.report.tensors = arguments.has("tensors");
    if (arguments.has("first")) {
        settings.report.first = parse_count(arguments.text("first"));
        if (!settings.report.first) {
            return "--first is a number of dumps, not '" + arguments.text("first") + "'";
        }
    }
    if (arguments.has("fail-on")) {
        if (arguments.text("fail-on") != "overflow") {
            return "--fail-on is overflow, not '" + arguments.text("fail-on") + "'";
        }
        settings.fail_on_overflow = true;
    }
    return read_threads(arguments, settings.scan.threads);
}

/// Reads the settings; a message when the usage is wrong.
std::optional<std::string> read_settings(const ParsedArguments& arguments, Settings& settings) {
    settings.paths = arguments.texts("PATH");
    if (settings.paths.empty()) {
        return "a folder or a dump was expected";
    }
    settings.output = output_path(arguments);
    std::optional<std::string> message = read_form(arguments, settings);
    message = message ? message : read_limits(arguments, settings);
    message = message ? message : read_language(arguments, settings.report.report);
    message = message ? message : read_log_settings(arguments, settings.logs);
    settings.logs.reading.threads = settings.scan.threads;
    settings.report.temporary_folder = temporary_folder();
    return message;
}

/// Whether the result would take the place of something that it is made from. Trees may be large: they are searched
/// only when there is a file that could be replaced.
bool replaces_input(const Settings& settings) {
    std::error_code absent;
    if (!std::filesystem::exists(*settings.output, absent)) {
        return false;
    }
    InputFiles inputs;
    for (const std::vector<std::string>* paths : {&settings.paths, &settings.logs.paths}) {
        for (const std::string& path : *paths) {
            inputs.add_below(path);
        }
    }
    return inputs.holds(*settings.output);
}

/// What the logs shall tell about. The dumps are read again later: to keep many of them would need much memory.
Result<WantedTasks> wanted_tasks(const Settings& settings) {
    WantedTasks wanted;
    if (settings.logs.paths.empty()) {
        return wanted;
    }
    ScanOptions options = settings.scan;
    options.locate_overflowed = false;
    options.tensors = false;
    const Result<Scan> scanned = scan(settings.paths, options, [&wanted](ScannedDump&& dump) {
        if (dump.state == DumpState::overflowed) {
            add_wanted(*dump.dump, wanted);
        }
    });
    return scanned ? Result<WantedTasks>(std::move(wanted)) : Result<WantedTasks>(scanned.error());
}

/// What the exit status depends on.
struct Outcome {
    bool damaged = false;
    bool overflow = false;
    bool nothing = false;
    bool interrupted = false;

    int exit_status(bool fail_on_overflow) const {
        return interrupted                    ? kInterrupted
               : nothing                      ? kUsage
               : overflow && fail_on_overflow ? kOverflowFound
               : damaged                      ? kSomethingDamaged
                                              : kEverythingHandled;
    }
};

/// An interrupt that comes behind the scan's end changes nothing: the report is complete.
Outcome outcome_of(const Scan& scanned, bool damaged) {
    Outcome outcome;
    outcome.damaged = damaged || scanned.counts.failed != 0 || !scanned.failures.empty();
    outcome.overflow = scanned.counts.overflowed != 0;
    outcome.nothing = scanned.counts.dumps == 0;
    outcome.interrupted = !scanned.complete;
    return outcome;
}

/// Writes the report to its place; false when that failed.
bool write_report(const ScanReport& report, const Settings& settings) {
    Output output(settings.output);
    std::optional<Error> error =
        (report.*settings.write)([&output](std::string_view text) { return output.write(text); });
    error = error ? error : output.finish();
    if (error) {
        say(to_string(*error));
    }
    return !error;
}

int run(Settings& settings) {
    ProgressLine progress(settings.quiet);
    settings.scan.stop = interrupted;
    settings.scan.progress = [&progress](const ScanProgress& done) { progress.show(done); };
    settings.scan.host_utc_offset_minutes = host_utc_offset_minutes;
    Result<WantedTasks> wanted = wanted_tasks(settings);
    progress.clear();
    if (!wanted) {
        say(to_string(wanted.error()));
        return kUsage;
    }
    const bool logs_usable = use_logs(settings.logs, std::move(*wanted), settings.scan.locate, progress);
    ScanReport report(settings.report);
    bool damaged = !logs_usable;
    const Result<Scan> scanned = scan(settings.paths, settings.scan, [&](ScannedDump&& dump) {
        damaged = damaged || (dump.dump && !dump.dump->complete()) || !dump.tensors.complete();
        report.add(dump);
    });
    progress.clear();
    if (!scanned) {
        say(to_string(scanned.error()));
        return kUsage;
    }
    if (const auto error = report.finish(*scanned)) {
        say(to_string(*error));
        return kSomethingDamaged;
    }
    const Outcome outcome = outcome_of(*scanned, damaged);
    if (outcome.nothing && !outcome.interrupted) {
        say("no overflow dump was found: files named Opdebug.Node_OpDebug.* were expected below the paths");
    } else if (!write_report(report, settings)) {
        return kSomethingDamaged;
    }
    return outcome.exit_status(settings.fail_on_overflow);
}

}  // namespace

int scan_command(const std::vector<std::string>& arguments) {
    const ParsedArguments parsed = parse_arguments(command_line(), arguments);
    if (parsed.exit_status) {
        return *parsed.exit_status;
    }
    Settings settings;
    if (const auto message = read_settings(parsed, settings)) {
        return usage_error(kUsageLine, *message);
    }
    if (settings.output && replaces_input(settings)) {
        return usage_error(kUsageLine, "-o " + *settings.output + " is one of the inputs, it would be replaced");
    }
    catch_interrupts();
    return run(settings);
}

}  // namespace opdebug::tool
