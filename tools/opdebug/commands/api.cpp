// opdebug api: the origin of the first bad value, from API dumps.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/api.hpp>
#include <opdebug/report.hpp>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "commands/path_kinds.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "report/json/json_parts.hpp"
#include "report/pages/text_api.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

constexpr const char* kApiUsage = "opdebug api PATH... [options]";
constexpr std::uint64_t kLargestOffset = 1'000'000'000;
constexpr std::array kApiFilters{"rank", "step", "op"};  // calls have no device, model, cause or time

struct ApiSettings {
    std::vector<std::string> paths;
    std::optional<std::string> output;
    bool as_text = false;
    bool fail_on_overflow = false;
    ApiPageOptions page;
    ApiOptions api;
    std::vector<std::string> bench;
    std::int64_t bench_step_offset = 0;
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
    settings.bench = arguments.texts("bench");
    if (arguments.has("bench-step-offset")) {
        const std::string text = arguments.text("bench-step-offset");
        const bool is_negative = text.starts_with("-");
        const std::optional<std::uint64_t> number = parse_count(text.substr(is_negative ? 1 : 0));
        if (!number || *number > kLargestOffset) {
            return sentence("usage.step_offset", {{"value", text}});
        }
        settings.bench_step_offset = (is_negative ? -1 : 1) * static_cast<std::int64_t>(*number);
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

int exit_status(const ApiReport& report, const api_pairs::BenchComparison* bench, const ApiSettings& settings) {
    const bool is_bench_damaged = bench != nullptr && (!bench->failures.empty() || has_errors(bench->diagnostics));
    return settings.fail_on_overflow && !report.first.empty() ? kOverflowFound
           : is_damaged(report) || is_bench_damaged           ? kSomethingDamaged
                                                              : kEverythingHandled;
}

/// JSON contains the findings that the filter selects.
std::string document_of(ApiReport& report, const api_pairs::BenchComparison* bench, const ApiSettings& settings) {
    if (settings.as_text) {
        const std::string page = api_report_to_text(report, settings.page);
        return bench == nullptr ? page : report::bench_to_text(*bench, settings.page.report) + page;
    }
    std::erase_if(report.findings,
                  [&settings](const ApiFinding& finding) { return !matches(settings.page.filter, finding); });
    return report::api_report_to_json(report, bench, settings.page.report) + "\n";
}

/// `bench`: null without a benchmark.
int show(ApiReport& report, const api_pairs::BenchComparison* bench, const ApiSettings& settings) {
    if (!report.complete) {
        say(sentence("api.stopped"));
        return interrupted_status();
    }
    const bool is_empty = report.counts.files == 0 && report.failures.empty();
    const bool is_only_path = settings.paths.size() == 1 && report.failures.size() == 1 &&
                              report.failures.front().file == settings.paths.front();
    const auto other = is_empty || is_only_path ? other_command_for(settings.paths.front(), "api") : std::nullopt;
    if (other) {
        say(*other);
        if (is_empty || (settings.as_text && !settings.output)) {
            return is_empty ? kUsage : kSomethingDamaged;
        }
    } else {
        say_failures(report.failures);
    }
    say_errors(report.diagnostics);
    if (bench != nullptr) {
        say_failures(bench->failures);
        say_errors(bench->diagnostics);
    }
    if (is_empty || (bench != nullptr && bench->counts.files == 0 && bench->failures.empty())) {
        say(sentence(is_empty ? "api.none" : "api.no_bench"));
        return kUsage;
    }
    const int written = show_result(settings.output, document_of(report, bench, settings));
    return written != kEverythingHandled ? written : exit_status(report, bench, settings);
}

int say_unread(const Error& error) {
    say(error);
    return interrupted() ? interrupted_status() : kUsage;
}

int run(const ApiSettings& settings) {
    if (settings.bench.empty()) {
        Result<ApiReport> report = find_api_culprits(settings.paths, settings.api);
        return report ? show(*report, nullptr, settings) : say_unread(report.error());
    }
    Result<api_pairs::BenchReport> report =
        api_pairs::compare_with_bench(settings.paths, settings.bench, {settings.api, settings.bench_step_offset});
    if (!report) {
        return say_unread(report.error());
    }
    std::erase_if(report->bench.breaks, [&settings](const api_pairs::Break& one) {
        ApiFinding finding;
        finding.step = one.step;
        finding.rank = one.rank;
        finding.api = one.api;
        return !matches(settings.page.filter, finding);
    });
    return show(report->here, &report->bench, settings);
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
                    {"bench", repeated(file_or_folder_value("PATH")),
                     "compare with the dumps of a benchmark, for example on a GPU"},
                    {"bench-step-offset", number_value("N"), "step of the benchmark minus step here (default 0)"},
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
                     {"opdebug api ~/npu --bench ~/gpu", "the first step that is bad only on the NPU, and its call"}};
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
