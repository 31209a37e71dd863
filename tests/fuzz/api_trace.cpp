// A profiler's trace: whatever is in it, the ties hold together, and a prefix has no other events.
#include <opdebug/api.hpp>

#include <optional>
#include <tuple>
#include <vector>

#include <opdebug/result.hpp>

#include "api_ties/trace.hpp"
#include "made_ties.hpp"
#include "memory_file.hpp"
#include "require.hpp"
#include "target.hpp"

using namespace opdebug;

namespace {

/// Findings and overflows that the seeds' traces are about.
ApiReport report() {
    std::vector<ApiFinding> findings;
    for (const char* const api :
         {"Functional.linear.0.forward", "Functional.linear.1.forward", "Functional.linear.1.backward",
          "Tensor.add_.0.forward", "Tensor.__iadd__.0.forward"}) {
        findings.push_back(test::made_finding(api, findings.size()));
    }
    return test::made_report(std::move(findings));
}

std::vector<KernelOverflow> overflows() {
    std::vector<KernelOverflow> all;
    for (std::uint64_t task = 0; task < 4; ++task) {
        all.push_back(test::made_overflow(task == 3 ? "Add" : task == 2 ? "" : "MatMulV2"));
        all.back().stream_id = 3;
        all.back().task_id = task;
        if (task == 1) {
            all.back().timestamp_us = 1'699'529'623'000'600;
        }
    }
    return all;
}

void require_sound(const ApiTies& ties, std::size_t findings, std::size_t overflows) {
    std::vector<std::size_t> of_overflow(overflows);
    for (std::size_t i = 0; i < ties.ties.size(); ++i) {
        const ApiTie& tie = ties.ties[i];
        fuzz::require(tie.overflow < overflows, "a tie is of an overflow that was given");
        fuzz::require(!tie.finding || *tie.finding < findings, "a tie is to a finding that was given", tie.api);
        fuzz::require(tie.finding || !tie.api.empty(), "a tie says what it leads to");
        fuzz::require(!tie.because.empty(), "a tie says why", tie.api);
        fuzz::require(++of_overflow[tie.overflow] <= 10, "an overflow has few ties", tie.api);
        const auto order = [](const ApiTie& each) { return std::tie(each.overflow, each.level, each.finding); };
        fuzz::require(i == 0 || order(ties.ties[i - 1]) <= order(tie), "ties are in order", tie.api);
    }
}

/// The number of events; nothing where the trace cannot be read.
std::optional<std::size_t> events_of(Bytes bytes) {
    const test::MemoryFile file(bytes);
    std::size_t events = 0;
    const std::optional<Error> error =
        api_ties::read_trace_file(file.path(), {}, [&events](const api_ties::TraceEvent&) { ++events; });
    fuzz::require(!error || !error->message.empty(), "an error says what is wrong");
    return error ? std::nullopt : std::optional(events);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const test::MemoryFile file({data, size});
    ApiTieOptions options;
    options.traces = {file.path()};
    const ApiReport findings = report();
    const std::vector<KernelOverflow> dumps = overflows();
    const Result<ApiTies> ties = tie_api_findings(findings, dumps, options);
    fuzz::require(ties.ok(), "a trace that cannot be read is a remark");
    require_sound(*ties, findings.findings.size(), dumps.size());
    const bool is_packed = size > 1 && data[0] != '[' && data[0] != '{' && data[0] != ' ' && data[0] != '\n';
    const std::optional<std::size_t> whole = events_of({data, size});  // nothing also for what looks like an archive
    fuzz::require(is_packed || !whole || events_of({data, size / 2}).value_or(0) <= *whole,
                  "a prefix has no further events");
    return 0;
}
