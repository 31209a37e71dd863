// Findings, overflows and a short trace for tests of ties by traces.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "made_ties.hpp"
#include "temporary_directory.hpp"
#include "trace_builder.hpp"

namespace opdebug::test {

inline constexpr const char* kMatMul = "aclnnAddmm_MatMulCommon_MatMulV2";

inline ApiFinding of_step(std::uint64_t step, const char* api, std::uint64_t position = 0) {
    ApiFinding finding = made_finding(api, position);
    finding.step = step;
    return finding;
}

inline KernelOverflow of_task(std::uint64_t stream, std::uint64_t task, const char* type = "MatMulV2") {
    KernelOverflow overflow = made_overflow(type);
    overflow.stream_id = stream;
    overflow.task_id = task;
    return overflow;
}

/// Two microseconds into a task's run.
inline KernelOverflow of_task_at(std::uint64_t stream, std::uint64_t task, std::uint64_t start,
                                 const char* type = "MatMulV2") {
    KernelOverflow overflow = of_task(stream, task, type);
    overflow.timestamp_us = MadeTrace::kBegin + start + 2;
    return overflow;
}

/// Step 2 with one call of linear only.
inline MadeTrace one_linear(const char* kernel = kMatMul, std::uint64_t step = 2) {
    MadeTrace trace;
    trace.step(step, 0, 10'000);
    trace.operation("aten::linear", 100, 50);
    trace.launch(3, 19, kernel, 540, 115);
    return trace;
}

class TraceFolder {
public:
    ApiTies ties(const std::string& trace, const ApiReport& report, const std::vector<KernelOverflow>& overflows,
                 const std::string& path = "trace_view.json") {
        ApiTieOptions options;
        options.traces = {write_file(folder_ / path, trace)};
        Result<ApiTies> ties = tie_api_findings(report, overflows, options);
        REQUIRE_MESSAGE(ties.ok(), to_string(ties.error()));
        return std::move(*ties);
    }
    std::string lines(const std::string& trace, const ApiReport& report, const std::vector<KernelOverflow>& overflows) {
        return lines_of(ties(trace, report, overflows));
    }
    const TemporaryDirectory& folder() const { return folder_; }

private:
    TemporaryDirectory folder_;
};

}  // namespace opdebug::test
