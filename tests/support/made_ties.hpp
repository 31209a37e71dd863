// Findings and overflows for tests of ties, and what the library states about them in short lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/api.hpp>

namespace opdebug::test {

/// A call of step 0 on rank 0 that made NaN of clean inputs.
inline ApiFinding made_finding(std::string api, std::uint64_t position = 0,
                               ApiVerdict verdict = ApiVerdict::born_here) {
    ApiFinding finding;
    finding.step = 0;
    finding.rank = 0;
    finding.api = std::move(api);
    finding.position = position;
    finding.verdict = verdict;
    finding.file = "dump/step0/rank0/dump.json";
    ApiFindingValue bad;
    bad.value.kind = ApiValueKind::output;
    bad.value.dtype = "float16";
    bad.value.shape = {4, 8};
    bad.state = ApiState::nan;
    finding.values.push_back(bad);
    return finding;
}

inline ApiReport made_report(std::vector<ApiFinding> findings) {
    ApiReport report;
    report.findings = std::move(findings);
    return report;
}

/// An overflow on rank 0.
inline KernelOverflow made_overflow(std::string type, std::optional<std::uint64_t> time = std::nullopt) {
    KernelOverflow overflow;
    overflow.file = "Opdebug.Node_OpDebug.0.0.0";
    overflow.rank = 0;
    overflow.operator_type = std::move(type);
    overflow.timestamp_us = time;
    return overflow;
}

/// "0 type_only Functional.linear.0.forward", one line for each tie: overflow, level, call; "-" after calls that are
/// no finding.
inline std::string lines_of(const ApiTies& ties) {
    std::string lines;
    for (const ApiTie& tie : ties.ties) {
        lines += std::to_string(tie.overflow) + " " + std::string(to_string(tie.level)) + " " + tie.api +
                 (tie.finding ? "" : " -") + "\n";
    }
    return lines;
}

inline std::string tied(const ApiReport& report, const std::vector<KernelOverflow>& overflows,
                        const ApiTieOptions& options = {}) {
    const Result<ApiTies> ties = tie_api_findings(report, overflows, options);
    return ties ? lines_of(*ties) : to_string(ties.error());
}

}  // namespace opdebug::test
