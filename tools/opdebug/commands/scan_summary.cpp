#include "commands/scan_summary.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

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
    std::string text = ", " + counted(files, "API dump");
    text += first == 0 ? std::string() : " with " + counted(first, "first culprit");
    return failed == 0 ? text : text + ", " + counted(failed, "API dump") + " failed";
}

}  // namespace

std::string scan_summary(const Scan& scanned, std::uint64_t damaged) {
    const ScanCounts& counts = scanned.counts;
    return (scanned.complete
                ? counted(counts.dumps, "dump")
                : fmt::format("stopped: {} of {} read", counts.dumps, counted(scanned.dumps_found, "dump"))) +
           findings_of(scanned, damaged);
}

std::string what_is_there(const ScanCounts& counts) {
    if (counts.op_dumps + counts.other_files == 0) {
        return "";
    }
    const std::string op_dumps =
        counts.op_dumps == 0 ? ""
                             : fmt::format("{} ('opdebug tensors' reads such)", counted(counts.op_dumps, "op dump"));
    const std::string others = counts.other_files == 0 ? "" : counted(counts.other_files, "other file");
    return fmt::format("; found there: {}{}{}", op_dumps, op_dumps.empty() || others.empty() ? "" : ", ", others);
}

std::string findings_of(const Scan& scanned, std::uint64_t damaged) {
    const ScanCounts& counts = scanned.counts;
    std::string text;
    text += fmt::format(", {} overflowed", counts.overflowed);
    const auto add = [&text](std::uint64_t count, std::string_view what) {
        text += count != 0 ? fmt::format(", {} {}", count, what) : std::string();
    };
    add(scanned.damage.clean_with_warning, "clean with a warning");
    add(counts.failed, "failed");
    add(damaged, "damaged");
    add(scanned.failures.size(), scanned.failures.size() == 1 ? "path not read" : "paths not read");
    return text + api_findings_of(scanned);
}

bool has_damaged_api_dumps(const Scan& scanned, const std::vector<Diagnostic>& remarks) {
    const ApiReport* const report = api_report_of(scanned);
    return (report != nullptr && !report->failures.empty()) || has_errors(remarks);
}

std::vector<Error> missing_traces(const std::vector<std::string>& traces) {
    std::vector<Error> missing;
    for (const std::string& trace : traces) {
        std::error_code absent;
        if (!std::filesystem::exists(trace, absent)) {
            missing.push_back({ErrorCode::file_not_found,
                               "not found: trace_view.json of PyTorch's profiler was expected", trace, std::nullopt});
        }
    }
    return missing;
}

bool has_api_culprit(const Scan& scanned) {
    const ApiReport* const report = api_report_of(scanned);
    return report != nullptr && !report->first.empty();
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
        say(
            fmt::format("{} in API dumps ha{} no place in CSV: the other forms of the report (--format text, json or "
                        "html) and 'opdebug api' show {}",
                        findings == 1 ? "1 finding" : fmt::format("{} findings", findings), findings == 1 ? "s" : "ve",
                        findings == 1 ? "it" : "them"));
    }
}

}  // namespace opdebug::tool
