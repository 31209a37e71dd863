#include "scan_summary.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "arguments.hpp"

namespace opdebug::tool {
namespace {

std::string dumps(std::uint64_t count) {
    return fmt::format("{} dump{}", count, count == 1 ? "" : "s");
}

}  // namespace

std::string scan_summary(const Scan& scanned, std::uint64_t damaged) {
    const ScanCounts& counts = scanned.counts;
    return (scanned.complete ? dumps(counts.dumps)
                             : fmt::format("stopped: {} of {} read", counts.dumps, dumps(scanned.dumps_found))) +
           findings_of(scanned, damaged);
}

std::string findings_of(const Scan& scanned, std::uint64_t damaged) {
    const ScanCounts& counts = scanned.counts;
    std::string text;
    text += fmt::format(", {} overflowed", counts.overflowed);
    const auto add = [&text](std::uint64_t count, std::string_view what) {
        text += count != 0 ? fmt::format(", {} {}", count, what) : std::string();
    };
    add(counts.failed, "failed");
    add(damaged, "damaged");
    add(scanned.failures.size(), scanned.failures.size() == 1 ? "path not read" : "paths not read");
    return text;
}

void say_what_is_missing(const Scan& scanned, const std::vector<Diagnostic>& said) {
    for (const Error& failure : scanned.failures) {
        say(to_string(failure));
    }
    for (const Diagnostic& remark : scanned.diagnostics) {
        const bool is_said = std::any_of(said.begin(), said.end(), [&remark](const Diagnostic& one) {
            return one.code == remark.code && one.message == remark.message;
        });
        if (!is_said) {
            say(remark.message);
        }
    }
}

}  // namespace opdebug::tool
