// Traces that are cut, damaged or made to do harm.
#include <optional>

#include <doctest/doctest.h>

#include "api_run.hpp"
#include "api_ties/trace.hpp"
#include "made_ties.hpp"
#include "packed_text.hpp"
#include "random.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"
#include "trace_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// What a trace gives: the number of its events, or the code of the error.
std::string outcome(const std::string& path, const ApiTieOptions& options = {}) {
    std::size_t events = 0;
    const auto error = api_ties::read_trace_file(path, options, [&events](const api_ties::TraceEvent&) { ++events; });
    return error ? std::string(to_string(error->code)) : std::to_string(events);
}

Result<ApiTies> ties_by(const std::string& trace, const TemporaryDirectory& folder,
                        std::optional<std::uint64_t> time = MadeTrace::kBegin + 102) {
    ApiTieOptions options;
    options.traces = {write_file(folder / "trace_view.json", trace)};
    KernelOverflow overflow = made_overflow("MatMulV2");
    overflow.stream_id = 3;
    overflow.task_id = 5;
    overflow.timestamp_us = time;
    return tie_api_findings(made_report({made_finding("Functional.linear.0.forward")}), {overflow}, options);
}

MadeTrace traced_linear() {
    MadeTrace trace;
    trace.step(0, 0, 1000);
    trace.operation("aten::linear", 10, 10);
    trace.launch(3, 5, "aclnnAddmm_MatMulCommon_MatMulV2", 100, 11);
    return trace;
}

}  // namespace

TEST_CASE("trace: a part of a trace is not used") {
    TemporaryDirectory folder;
    const std::string text = traced_linear().text();
    for (std::size_t length = 0; length < text.size(); ++length) {
        CAPTURE(length);
        REQUIRE(outcome(write_file(folder / "t", text.substr(0, length))) == "trace_invalid");
    }
    CHECK(outcome(write_file(folder / "t", text)) == std::to_string(traced_linear().events().size()));
}

TEST_CASE("trace: a damaged trace is not used") {
    TemporaryDirectory folder;
    for (const std::string& events :
         {std::string(R"([{"ph": "X"}, {"ph": oops}, {"ph": "X"}])"), std::string(R"([oops, {"ph": "X"}])"),
          std::string(R"([{"ph": "X"}, {"ph": "X"} {"ph": "X"}])"), std::string(R"([{"ph": "X"}, ])"),
          std::string(R"([{"ph": "X"}}, {"ph": "X"}])"), std::string(R"([{"ph": "X"}], {"ph": "X"}])"),
          std::string(R"({"traceEvents": [{"ph": "X"}, {"ph": oops}], "x": 1})"),
          "[{\"ph\": \"X\"}, " + std::string(3'000'000, '[') + "}"}) {
        CAPTURE(events.substr(0, 80));
        CHECK(outcome(write_file(folder / "t", events)) == "trace_invalid");
    }
    MadeTrace trace = traced_linear();
    trace.event("{\"ph\": oops}");
    const Result<ApiTies> ties = ties_by(trace.text(), folder);
    REQUIRE(ties.ok());
    CHECK(lines_of(*ties) == "0 type_only Functional.linear.0.forward\n");
    CHECK(codes_of(ties->diagnostics) == "trace_unread ");
    CHECK(contains(ties->diagnostics[0].message, "the trace is damaged or truncated"));
}

TEST_CASE("trace: packed events that are cut are not used") {
    TemporaryDirectory folder;
    const std::string packed = gzip_of(traced_linear().text());
    CHECK(outcome(write_file(folder / "t", packed)) == std::to_string(traced_linear().events().size()));
    CHECK(outcome(write_file(folder / "t", packed.substr(0, packed.size() / 2))) == "trace_invalid");
}

TEST_CASE("trace: what is no trace is an error") {
    TemporaryDirectory folder;
    for (const char* const text : {"Hello", "{}", "{\"traceEvents\": 3}", "\"[]\"", "{\"traceEvents\": {}}", "null"}) {
        CAPTURE(text);
        CHECK(outcome(write_file(folder / "t", text)) == "trace_invalid");
    }
    CHECK(outcome(write_file(folder / "t", "PK\x03\x04zip")) == "trace_invalid");
    CHECK(outcome(folder / "none") == "file_not_found");
    CHECK(outcome(write_file(folder / "t", "[]")) == "0");
    CHECK(outcome(write_file(folder / "t", R"({"a": [1, {"b": 2}], "traceEvents": [{}]})")) == "1");
    ApiTieOptions stopped;
    stopped.stop = [] { return true; };
    CHECK(outcome(write_file(folder / "t", "[]"), stopped) == "interrupted");
}

TEST_CASE("trace: an event is no larger and no deeper than the limits") {
    TemporaryDirectory folder;
    ApiTieOptions options;
    options.limits.call_bytes = 1000;
    const std::string large = R"([{"ph": "X"}, {"name": ")" + std::string(2'000'000, 'n') + "\"}]";
    CHECK(outcome(write_file(folder / "t", large), options) == "call_too_large");
    const std::string deep =
        R"([{"ph": "X"}, {"args": )" + std::string(100'000, '[') + std::string(100'000, ']') + "}]";
    CHECK(outcome(write_file(folder / "t", deep)) == "trace_invalid");
}

TEST_CASE("trace: values of unexpected kinds count as missing") {
    TemporaryDirectory folder;
    MadeTrace trace = traced_linear();
    for (const char* const event :
         {R"({"ph": 1, "ts": [], "pid": {}, "tid": null, "name": 4, "args": 3})", R"([1, 2, [3]])", "null", "17",
          "\"s\"", R"({"ph": "X", "ts": -5, "dur": "x", "cat": "kernel", "name": "aten::linear"})",
          R"({"ph": "X", "ts": 1e400, "dur": 99999999999999999999999, "name": "aten::linear"})",
          R"({"ph": "X", "ts": 9223372036854774, "dur": 9223372036854774, "cat": "cpu_op", "name": "aten::gelu",
              "pid": 4242, "tid": 2})",
          R"({"ph": "s", "ts": 1, "id": null, "cat": "async_npu"})", R"({"ph": "f", "ts": 1, "cat": "async_npu"})",
          R"({"ph": "X", "ts": 1, "args": {"Stream Id": "three", "Task Id": -5}})",
          R"({"ph": "X", "ts": 1, "args": {"Stream Id": 18446744073709551616, "Task Id": 1.5}})",
          R"({"ph": "B", "ts": 1, "ph": "Q", "args": {"Stream Id": 3, "Task Id": 5}})"}) {
        trace.event(event);
    }
    const Result<ApiTies> ties = ties_by(trace.text(), folder);
    REQUIRE(ties.ok());
    CHECK(lines_of(*ties) == "0 exact Functional.linear.0.forward\n");
    CHECK(codes_of(ties->diagnostics) == "steps_assumed ");
}

TEST_CASE("trace: hundreds of thousands of operations inside one another are passed") {
    TemporaryDirectory folder;
    MadeTrace trace = traced_linear();
    constexpr std::uint64_t kDeep = 50'000;
    for (std::uint64_t i = 0; i < kDeep; ++i) {
        trace.operation("aten::deep", 2000 + i, 4 * kDeep - 2 * i, 7);
    }
    for (std::uint64_t i = 0; i < 2000; ++i) {
        trace.launch(3, 5, "aclnnAddmm_MatMulCommon_MatMulV2", 300'000 + i, 2000 + kDeep, 7);
    }
    const Result<ApiTies> ties = ties_by(trace.text(), folder, std::nullopt);
    REQUIRE(ties.ok());
    CHECK_FALSE(contains(lines_of(*ties), "exact"));
}

TEST_CASE("trace: times in all spellings") {
    using api_ties::nanoseconds_in;
    CHECK(nanoseconds_in("1699529623106750.790") == 1699529623106750790);
    CHECK(nanoseconds_in("1699529623106750.7") == 1699529623106750700);
    CHECK(nanoseconds_in("1699529623106750") == 1699529623106750000);
    CHECK(nanoseconds_in("12.3456") == 12345);
    CHECK(nanoseconds_in("1.5e3") == 1500000);
    CHECK(nanoseconds_in("0") == 0);
    for (const char* const text : {"", "x", "-1", "1.2.3", "1.x", "9223372036854776", "1e300", "NaN", "Infinity"}) {
        CAPTURE(text);
        CHECK_FALSE(nanoseconds_in(text));
    }
}
