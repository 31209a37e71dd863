// opdebug api: the origin of the first bad value, from API dumps.
#include <array>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/api.hpp>
#include <opdebug/report.hpp>

#include "command_line/arguments.hpp"
#include "command_line/options.hpp"
#include "command_line/page_options.hpp"
#include "commands/commands.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "system/interrupt.hpp"

namespace opdebug::tool {
namespace {

constexpr const char* kApiUsage = "opdebug api PATH... [options]";
constexpr std::array kApiFilters{"rank", "step", "op"};  // calls have no device, model, cause or time

struct ApiSettings {
    std::vector<std::string> paths;
    std::optional<std::string> output;
    bool as_text = false;
    bool fail_on_overflow = false;
    ApiPageOptions page;
    ApiOptions api;
};

/// Reads the settings. Returns a message for wrong usage.
std::optional<std::string> read_settings(const ParsedArguments& arguments, ApiSettings& settings) {
    settings.paths = arguments.positionals;
    if (settings.paths.empty()) {
        return sentence("api.expected");
    }
    settings.output = output_path(arguments);
    settings.as_text = arguments.form == "text";
    settings.fail_on_overflow = arguments.has("fail-on");  // its only word is overflow
    settings.page.all = arguments.has("all");
    settings.page.report.verbose = arguments.has("verbose");
    read_report_options(arguments, settings.page.report);
    if (auto message = read_filters(arguments, settings.page.report, settings.page.filter)) {
        return message;
    }
    if (auto message = read_top(arguments, settings.page.top)) {
        return message;
    }
    if (arguments.has("first")) {
        const std::optional<std::uint64_t> number = parse_count(arguments.text("first"));
        if (!number || *number == 0) {
            return sentence("usage.number_of_findings", {{"value", arguments.text("first")}});
        }
        settings.api.findings_per_verdict = *number;
    }
    if (auto message = read_threads(arguments, settings.api.threads)) {
        return message;
    }
    return read_limit_option(arguments, settings.api.read.limits);
}

/// Whether part of the input is damaged: a rejected or truncated file.
bool is_damaged(const ApiReport& report) {
    return !report.failures.empty() || has_errors(report.diagnostics);
}

int exit_status(const ApiReport& report, const ApiSettings& settings) {
    return settings.fail_on_overflow && !report.first.empty() ? kOverflowFound
           : is_damaged(report)                               ? kSomethingDamaged
                                                              : kEverythingHandled;
}

/// JSON contains the findings that the filter selects.
std::string document_of(ApiReport& report, const ApiSettings& settings) {
    if (settings.as_text) {
        return api_report_to_text(report, settings.page);
    }
    std::erase_if(report.findings,
                  [&settings](const ApiFinding& finding) { return !matches(settings.page.filter, finding); });
    return api_report_to_json(report, settings.page.report) + "\n";
}

int run(const ApiSettings& settings) {
    Result<ApiReport> report = find_api_culprits(settings.paths, settings.api);
    if (!report) {
        say(report.error());
        return interrupted() ? interrupted_status() : kUsage;
    }
    if (!report->complete) {
        say(sentence("api.stopped"));
        return interrupted_status();
    }
    say_failures(report->failures);
    say_errors(report->diagnostics);
    if (report->counts.files == 0 && report->failures.empty()) {
        say(sentence("api.none"));
        return kUsage;
    }
    const int written = show_result(settings.output, document_of(*report, settings));
    return written != kEverythingHandled ? written : exit_status(*report, settings);
}

}  // namespace

CommandLine api_command_line() {
    CommandLine line;
    line.usage = kApiUsage;
    line.summary =
        "Names the API call, with step and rank, that made the first NaN, Inf or overflow. Reads dumps of msprobe\n"
        "(dump.json), ptdbg_ascend (.pkl text) and MindSpore (statistic.csv).\n"
        "A path is a dump's folder, a step, a rank or one file.";
    line.positionals = {repeated(file_or_folder_value("PATH"))};
    line.options = {form_option({"text", "json"}),
                    {"all", {}, "text: list all findings, also calls that only inherited a bad value"},
                    {"verbose,v", {}, "text with all details, whole names, stacks and paths"}};
    add_filter_options(line, kApiFilters);
    line.options.insert(
        line.options.end(),
        {{"top", number_value("N"), "text: other culprits in the list (default: 10)"},
         {"first", number_value("N"), "at most N findings of each verdict and file (default 1000)"},
         {"fail-on", word_value("WHAT", {"overflow"}), "overflow: exit status 3 when a culprit is found"},
         jobs_option(),
         limit_option()});
    add_report_options(line);
    line.examples = {{"opdebug api ~/dump/step0", "the first bad value of one step, per rank"},
                     {"opdebug api ~/dump --rank 5 --all", "every finding of one rank"}};
    return line;
}

int api_command(const std::vector<std::string>& arguments) {
    catch_interrupts();
    const ParsedArguments parsed = parse_arguments(api_command_line(), arguments);
    if (parsed.exit_status) {
        return *parsed.exit_status;
    }
    ApiSettings settings;
    if (const auto message = read_settings(parsed, settings)) {
        return usage_error(kApiUsage, *message);
    }
    settings.api.read.stop = interrupted;
    return run(settings);
}

}  // namespace opdebug::tool
