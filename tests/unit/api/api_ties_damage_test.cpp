// Traces that are cut, damaged or made to do harm.
#include <optional>

#include <doctest/doctest.h>

#include "api_run.hpp"
#include "api_ties/trace.hpp"
#include "made_ties.hpp"
#include "packed_text.hpp"
#include "random.hpp"
#include "temporary_directory.hpp"
#include "trace_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// What a trace gives: the number of its events and the codes of remarks, or the code of the error.
std::string outcome(const std::string& path, const ApiTieOptions& options = {}) {
    std::size_t events = 0;
    const auto told = api_ties::read_trace_file(path, options, [&events](const api_ties::TraceEvent&) { ++events; });
    return told ? std::to_string(events) + " " + codes_of(*told) : std::string(to_string(told.error().code));
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

MadeTrace one_linear() {
    MadeTrace trace;
    trace.step(0, 0, 1000);
    trace.operation("aten::linear", 10, 10);
    trace.launch(3, 5, "aclnnAddmm_MatMulCommon_MatMulV2", 100, 11);
    return trace;
}

}  // namespace

TEST_CASE("trace: of every prefix the whole events are used, and it is told") {
    TemporaryDirectory folder;
    const MadeTrace trace = one_linear();
    const std::string text = trace.text();
    std::vector<std::size_t> ends;  // where each event ends
    for (std::size_t end = 1; const std::string& event : trace.events()) {
        ends.push_back(end += event.size());
        end += 2;  // ", "
    }
    CHECK(outcome(write_file(folder / "t", "")) == "trace_invalid");
    for (std::size_t length = 1; length < text.size(); ++length) {
        std::size_t whole = 0;
        while (whole < ends.size() && ends[whole] <= length) {
            ++whole;
        }
        CAPTURE(length);
        REQUIRE(outcome(write_file(folder / "t", text.substr(0, length))) == std::to_string(whole) + " trace_cut ");
    }
    CHECK(outcome(write_file(folder / "t", text)) == std::to_string(ends.size()) + " ");
}

TEST_CASE("trace: the events in front of the damage are used") {
    TemporaryDirectory folder;
    const auto outcome_of = [&](const std::string& events) { return outcome(write_file(folder / "t", events)); };
    CHECK(outcome_of(R"([{"ph": "X"}, {"ph": oops}, {"ph": "X"}])") == "1 trace_damaged ");
    CHECK(outcome_of(R"([oops, {"ph": "X"}])") == "0 trace_damaged ");
    CHECK(outcome_of(R"([{"ph": "X"}, {"ph": "X"} {"ph": "X"}])") == "2 trace_damaged ");
    CHECK(outcome_of(R"([{"ph": "X"}, ])") == "1 trace_damaged ");
    CHECK(outcome_of(R"([{"ph": "X"}}, {"ph": "X"}])") == "1 trace_damaged ");
    CHECK(outcome_of(R"([{"ph": "X"}], {"ph": "X"}])") == "1 trace_damaged ");
    CHECK(outcome_of(R"({"traceEvents": [{"ph": "X"}, {"ph": oops}], "x": 1})") == "1 trace_damaged ");
    CHECK(outcome_of("[{\"ph\": \"X\"}, " + std::string(3'000'000, '[') + "}") == "1 trace_damaged ");
    const auto read = api_ties::read_trace_file(write_file(folder / "t", R"([{"ph": "X"}, {"ph": oops}])"), {},
                                                [](const api_ties::TraceEvent&) {});
    REQUIRE(read.ok());
    CHECK(read->at(0).message.find("incomplete trace (at byte 21: JSON was expected); the 1 events before it are "
                                   "used") != std::string::npos);
    CHECK(read->at(0).severity == Severity::error);
}

TEST_CASE("trace: a longer part of a damaged trace has no fewer events") {
    TemporaryDirectory folder;
    constexpr std::uint64_t kSeed = 0x7ACE;
    Random random(kSeed);
    constexpr std::string_view kBytes = "\"{}[],:\\\n#7";
    const auto events_of = [&](std::string_view text) {
        std::size_t events = 0;
        (void)api_ties::read_trace_file(write_file(folder / "t", text), {},
                                        [&events](const api_ties::TraceEvent&) { ++events; });
        return events;
    };
    for (int run = 0; run < 50; ++run) {
        std::string text = one_linear().text();
        for (std::uint64_t changes = 1 + random.below(4); changes > 0; --changes) {
            text[1 + static_cast<std::size_t>(random.below(text.size() - 1))] =
                kBytes[static_cast<std::size_t>(random.below(kBytes.size()))];
        }
        std::size_t before = 0;
        for (std::size_t length = 1; length <= text.size(); length += 1 + random.below(250)) {
            const std::size_t events = events_of(std::string_view(text).substr(0, length));
            CAPTURE(kSeed);
            CAPTURE(run);
            REQUIRE(events >= before);
            before = events;
        }
        REQUIRE(events_of(text) >= before);
    }
}

TEST_CASE("trace: a trace that lost an event makes nothing sure") {
    TemporaryDirectory folder;
    MadeTrace trace = one_linear();
    trace.event("{\"ph\": oops}");
    const Result<ApiTies> ties = ties_by(trace.text(), folder);
    REQUIRE(ties.ok());
    CHECK(lines_of(*ties) == "0 type_only Functional.linear.0.forward\n");
    CHECK(ties->ties[0].because.find("the trace is incomplete: counts may be too small") != std::string::npos);
    CHECK(codes_of(ties->diagnostics) == "trace_damaged steps_assumed ");
}

TEST_CASE("trace: a byte order mark is passed") {
    TemporaryDirectory folder;
    const std::string text = "\xEF\xBB\xBF" + one_linear().text();
    CHECK(outcome(write_file(folder / "t", text)) == outcome(write_file(folder / "u", one_linear().text())));
    CHECK(outcome(write_file(folder / "t", gzip_of(text))) == outcome(folder / "u"));
    CHECK(outcome(write_file(folder / "t", "\xEF\xBB\xBF{\"traceEvents\": [{}]}")) == "1 ");
    CHECK(outcome(write_file(folder / "t", "\xEF\xBB")) == "trace_invalid");
}

TEST_CASE("trace: members in front of the events are of any length") {
    TemporaryDirectory folder;
    const std::string text =
        R"({"deviceProperties": ")" + std::string(200'000, 'x') + R"(", "traceEvents": )" + one_linear().text() + "}";
    CHECK(outcome(write_file(folder / "t", text)) == std::to_string(one_linear().events().size()) + " ");
}

TEST_CASE("trace: the checksum behind packed events is always looked at") {
    TemporaryDirectory folder;
    const std::string packed = gzip_of(one_linear().text());
    const std::string whole = outcome(write_file(folder / "t", packed));
    CHECK(whole == std::to_string(one_linear().events().size()) + " ");
    for (std::size_t back = 1; back <= 8; ++back) {  // 4 bytes of checksum, 4 of length
        CAPTURE(back);
        std::string damaged = packed;
        damaged[damaged.size() - back] = static_cast<char>(damaged[damaged.size() - back] ^ 0x55);
        CHECK(outcome(write_file(folder / "t", damaged)) == whole + "trace_damaged ");
        CHECK(outcome(write_file(folder / "t", packed.substr(0, packed.size() - back))) == whole + "trace_damaged ");
    }
    const auto told = api_ties::read_trace_file(folder / "t", {}, [](const api_ties::TraceEvent&) {});
    REQUIRE(told.ok());
    CHECK(told->at(0).message.find("its compressed data are damaged or end early") != std::string::npos);
    CHECK(told->at(0).message.find("line") == std::string::npos);
}

TEST_CASE("trace: what is no trace is an error") {
    TemporaryDirectory folder;
    for (const char* const text : {"Hello", "{}", "{\"traceEvents\": 3}", "\"[]\"", "{\"traceEvents\": {}}", "null"}) {
        CAPTURE(text);
        CHECK(outcome(write_file(folder / "t", text)) == "trace_invalid");
    }
    CHECK(outcome(write_file(folder / "t", "PK\x03\x04zip")) == "trace_invalid");
    CHECK(outcome(folder / "none") == "file_not_found");
    CHECK(outcome(write_file(folder / "t", "[]")) == "0 ");
    CHECK(outcome(write_file(folder / "t", R"({"a": [1, {"b": 2}], "traceEvents": [{}]})")) == "1 ");
    ApiTieOptions stopped;
    stopped.stop = [] { return true; };
    CHECK(outcome(write_file(folder / "t", "[]"), stopped) == "interrupted");
}

TEST_CASE("trace: an event is no larger and no deeper than the limits") {
    TemporaryDirectory folder;
    ApiTieOptions options;
    options.limits.call_bytes = 1000;
    const std::string large = R"([{"ph": "X"}, {"name": ")" + std::string(2'000'000, 'n') + "\"}]";
    CHECK(outcome(write_file(folder / "t", large), options) == "1 trace_damaged ");
    const std::string deep =
        R"([{"ph": "X"}, {"args": )" + std::string(100'000, '[') + std::string(100'000, ']') + "}]";
    CHECK(outcome(write_file(folder / "t", deep)) == "1 trace_damaged ");
}

TEST_CASE("trace: values of unexpected kinds count as missing") {
    TemporaryDirectory folder;
    MadeTrace trace = one_linear();
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

TEST_CASE("trace: operations of the host that lost a part make counts doubtful") {
    TemporaryDirectory folder;
    for (const char* const event :
         {R"({"ph": "X", "ts": 1, "dur": 1, "cat": "cpu_op", "name": null, "pid": 1, "tid": 2})",
          R"({"ph": "X", "ts": -5, "dur": 1, "cat": "cpu_op", "name": "aten::linear", "pid": 1, "tid": 2})",
          R"({"ph": null, "ts": 1, "dur": 1, "cat": "cpu_op", "name": "aten::linear", "pid": 1, "tid": 2})",
          R"({"ph": "X", "ts": 1, "dur": "x", "cat": "cpu_op", "name": "aten::linear", "pid": 1, "tid": 2})",
          R"({"ph": "X", "ts": 1, "dur": 1, "cat": "cpu_op", "name": "aten::linear", "pid": [], "tid": 2})",
          R"({"ph": "X", "ts": 1, "dur": 1, "cat": "cpu_op", "name": "aten::linear", "pid": 1})"}) {
        CAPTURE(event);
        MadeTrace trace = one_linear();
        trace.event(event);
        const Result<ApiTies> ties = ties_by(trace.text(), folder);
        REQUIRE(ties.ok());
        CHECK(lines_of(*ties) == "0 type_only Functional.linear.0.forward\n");
        CHECK(codes_of(ties->diagnostics) == "trace_operations_incomplete steps_assumed ");
    }
}

TEST_CASE("trace: flows that share an id give candidates") {
    TemporaryDirectory folder;
    MadeTrace trace = one_linear();
    trace.operation("aten::gelu", 40, 10);
    // Two tasks that begin in the same nanosecond have the same id: torch_npu takes the time for it.
    trace.flow("async_npu", std::to_string(MadeTrace::kBegin + 100) + "003", 41, 1, 100, 96, 9);
    const Result<ApiTies> ties = ties_by(trace.text(), folder);
    REQUIRE(ties.ok());
    CHECK(lines_of(*ties) == "0 type_only aten::gelu -\n0 type_only Functional.linear.0.forward\n");
}

TEST_CASE("trace: hundreds of thousands of operations inside one another are passed") {
    TemporaryDirectory folder;
    MadeTrace trace = one_linear();
    constexpr std::uint64_t kDeep = 50'000;
    for (std::uint64_t i = 0; i < kDeep; ++i) {
        trace.operation("aten::deep", 2000 + i, 4 * kDeep - 2 * i, 7);
    }
    for (std::uint64_t i = 0; i < 2000; ++i) {
        trace.launch(3, 5, "aclnnAddmm_MatMulCommon_MatMulV2", 300'000 + i, 2000 + kDeep, 7);
    }
    const Result<ApiTies> ties = ties_by(trace.text(), folder, std::nullopt);
    REQUIRE(ties.ok());
    CHECK(lines_of(*ties).find("exact") == std::string::npos);
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
