// opdebug api: the origin of the first bad value, from API dumps.
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
#include "report/pages/pages.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

constexpr std::uint64_t kLargestOffset = 1'000'000'000;

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

ApiSettings read_api_settings(const ParsedArguments& arguments) {
    ApiSettings settings;
    settings.paths = arguments.positionals;
    settings.output = output_path(arguments);
    settings.as_text = arguments.form == "text";
    settings.fail_on_overflow = arguments.has("fail-on");  // its only word is overflow
    settings.page.all = arguments.has("all");
    settings.page.report = read_report_options(arguments);
    settings.page.filter = read_filters(arguments, settings.page.report);
    settings.page.top = arguments.has("top") ? read_top(arguments) : settings.page.top;
    if (arguments.has("first")) {
        settings.api.findings_per_verdict = read_count(arguments, "first", "usage.number_of_findings", 1);
    }
    settings.bench = arguments.texts("bench");
    if (arguments.has("bench-step-offset")) {
        const std::string text = arguments.text("bench-step-offset");
        const bool is_negative = text.starts_with("-");
        const std::optional<std::uint64_t> number = parse_count(text.substr(is_negative ? 1 : 0));
        if (!number || *number > kLargestOffset) {
            throw UsageError(sentence("usage.step_offset", {{"value", text}}));
        }
        settings.bench_step_offset = (is_negative ? -1 : 1) * static_cast<std::int64_t>(*number);
    }
    settings.api.threads = read_threads(arguments);
    settings.api.read.limits = read_limits(arguments);
    settings.api.read.stop = interrupted;
    return settings;
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
        say(sentence(is_empty ? "api.none" : "api.no_bench", {{"there", what_is_there(settings.paths)}}));
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

int api_command(const ParsedArguments& arguments) {
    catch_interrupts();
    return run(read_api_settings(arguments));
}

}  // namespace opdebug::tool
