#include "commands/scan_parts.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "output/messages.hpp"

namespace opdebug::tool {
namespace {

const ApiReport* api_report_of(const Scan& scanned) {
    return scanned.api ? scanned.api->report.get() : nullptr;
}

/// ", 8 API dumps with 1 first culprit".
std::string api_findings_of(const Scan& scanned) {
    const ApiReport* const report = api_report_of(scanned);
    if (report == nullptr) {
        return {};
    }
    const auto files = report->counts.files, failed = report->counts.failed;
    const std::size_t first = report->first.size();
    std::string text = sentence("scan.api_dumps", {{"count", files}});
    text += first == 0 ? std::string() : sentence("scan.api_first", {{"count", first}});
    return failed == 0 ? text : text + sentence("scan.api_failed", {{"count", failed}});
}

}  // namespace

std::string scan_summary(const Scan& scanned, std::uint64_t damaged, bool is_whole) {
    const ScanCounts& counts = scanned.counts;
    const std::string dumps = scanned.complete || !is_whole
                                  ? sentence("scan.dumps", {{"count", counts.dumps}})
                                  : sentence("scan.stopped", {{"done", counts.dumps}, {"count", scanned.dumps_found}});
    std::string text = is_whole ? dumps : sentence("merge.incomplete", {{"dumps", dumps}});
    text += sentence("scan.overflowed", {{"count", counts.overflowed}});
    const auto add = [&text](std::uint64_t count, std::string_view id) {
        text += count != 0 ? sentence(id, {{"count", count}}) : std::string();
    };
    add(scanned.damage.clean_with_warning, "scan.clean_with_warning");
    add(counts.failed, "scan.failed");
    add(damaged, "scan.damaged");
    add(scanned.failures.size(), "scan.not_read");
    return text + api_findings_of(scanned);
}

void say_summary(const std::optional<std::string>& output, const std::string& summary) {
    say(output ? sentence("report.of_file", {{"file", *output}, {"summary", summary}}) : summary);
}

void say_stopped_writing(const std::optional<std::string>& output) {
    say(output ? sentence("report.stopped", {{"file", *output}}) : sentence("report.stopped_output"));
}

bool has_damage(const Scan& scanned, const std::vector<Diagnostic>& remarks) {
    const ApiReport* const report = api_report_of(scanned);
    return scanned.damage.damaged + scanned.damage.unmeasured + scanned.counts.failed + scanned.failures.size() != 0 ||
           (report != nullptr && !report->failures.empty()) || has_errors(remarks);
}

bool has_overflow(const Scan& scanned) {
    const ApiReport* const report = api_report_of(scanned);
    return scanned.counts.overflowed != 0 || (report != nullptr && !report->first.empty());
}

std::vector<Error> missing_traces(const std::vector<std::string>& traces) {
    std::vector<Error> missing;
    for (const std::string& trace : traces) {
        std::error_code absent;
        if (!std::filesystem::exists(trace, absent)) {
            missing.push_back({ErrorCode::file_not_found, "not found: expected trace_view.json of the PyTorch profiler",
                               trace, std::nullopt});
        }
    }
    return missing;
}

void say_failures(const Scan& scanned) {
    say_failures(scanned.failures);
    if (const ApiReport* const report = api_report_of(scanned)) {
        say_failures(report->failures);
    }
}

void say_what_is_missing(const Scan& scanned, const std::vector<Diagnostic>& said) {
    say_failures(scanned);
    for (const Diagnostic& remark : scanned.diagnostics) {
        const bool is_said = std::any_of(said.begin(), said.end(), [&remark](const Diagnostic& one) {
            return one.code == remark.code && one.message == remark.message;
        });
        if (!is_said) {
            say(remark);
        }
    }
}

void say_what_csv_leaves_out(const Scan& scanned) {
    const ApiReport* const report = api_report_of(scanned);
    const std::size_t findings = report == nullptr ? 0 : report->findings.size();
    if (findings != 0) {
        say(sentence("scan.csv_findings", {{"count", findings}}));
    }
}

}  // namespace opdebug::tool
