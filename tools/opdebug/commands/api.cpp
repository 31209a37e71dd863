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
    const ParsedArguments& arguments;
    ApiPageOptions page = {};
    ApiOptions api = {};
    std::int64_t bench_step_offset = 0;
};

ApiSettings read_api_settings(const ParsedArguments& arguments) {
    ApiSettings settings{arguments};
    settings.page.all = arguments.has("all");
    settings.page.report = read_report_options(arguments);
    settings.page.filter = read_filters(arguments, settings.page.report);
    settings.page.top = arguments.number("top").value_or(settings.page.top);
    settings.api.findings_per_verdict = arguments.number("first").value_or(settings.api.findings_per_verdict);
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
    return settings.arguments.has("fail-on") && !report.first.empty() ? kOverflowFound
           : is_damaged(report) || is_bench_damaged                   ? kSomethingDamaged
                                                                      : kEverythingHandled;
}

/// JSON contains the findings that the filter selects.
std::string document_of(ApiReport& report, const api_pairs::BenchComparison* bench, const ApiSettings& settings) {
    if (settings.arguments.form == "text") {
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
        print_phrase("api.stopped");
        return interrupted_status();
    }
    const bool is_empty = report.counts.files == 0 && report.failures.empty();
    const bool is_only_path = settings.arguments.positionals.size() == 1 && report.failures.size() == 1 &&
                              report.failures.front().file == settings.arguments.positionals.front();
    const auto other =
        is_empty || is_only_path ? other_command_for(settings.arguments.positionals.front(), "api") : std::nullopt;
    if (other) {
        print_message(*other);
        if (is_empty || (settings.arguments.form == "text" && !settings.arguments.output)) {
            return is_empty ? kUsage : kSomethingDamaged;
        }
    } else {
        print_failures(report.failures);
    }
    print_errors(report.diagnostics);
    if (bench != nullptr) {
        print_failures(bench->failures);
        print_errors(bench->diagnostics);
    }
    if (is_empty || (bench != nullptr && bench->counts.files == 0 && bench->failures.empty())) {
        print_message(sentence(is_empty ? "api.none" : "api.no_bench",
                               {{"there", what_is_there(settings.arguments.positionals)}}));
        return kUsage;
    }
    const int status = exit_status(report, bench, settings);
    return show_result(settings.arguments.output, document_of(report, bench, settings), status);
}

int print_unread(const Error& error) {
    print_message(error);
    return interrupted() ? interrupted_status() : kUsage;
}

int run(const ApiSettings& settings) {
    if (!settings.arguments.has("bench")) {
        Result<ApiReport> report = find_api_culprits(settings.arguments.positionals, settings.api);
        return report ? show(*report, nullptr, settings) : print_unread(report.error());
    }
    Result<api_pairs::BenchReport> report = api_pairs::compare_with_bench(
        settings.arguments.positionals, settings.arguments.texts("bench"), {settings.api, settings.bench_step_offset});
    if (!report) {
        return print_unread(report.error());
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
