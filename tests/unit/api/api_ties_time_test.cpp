// Ties by time: kernels of a statistic.csv, and values that were saved beside a dump.
#include <chrono>
#include <filesystem>

#include <doctest/doctest.h>

#include "api_run.hpp"
#include "made_ties.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr std::uint64_t kTime = 1'700'000'000'000'000;

ApiFinding kernel_row(std::uint64_t time) {
    ApiFinding finding = made_finding("Default/network/MatMul-op3", 4);
    finding.source = ApiSource::statistic_csv;
    finding.operator_type = "MatMulV2";
    finding.stream_id = 7;
    finding.task_id = 21;
    finding.timestamp_us = time;
    return finding;
}

KernelOverflow of_task(std::uint64_t stream, std::uint64_t task, std::uint64_t time) {
    KernelOverflow overflow = made_overflow("MatMulV2", time);
    overflow.stream_id = stream;
    overflow.task_id = task;
    return overflow;
}

/// A time of a file, microseconds behind kTime.
void set_time(const std::string& path, std::int64_t microseconds) {
    const auto since = std::chrono::microseconds(static_cast<std::int64_t>(kTime) + microseconds);
    std::filesystem::last_write_time(
        path, std::chrono::file_clock::from_sys(std::chrono::sys_time<std::chrono::microseconds>(since)));
}

}  // namespace

TEST_CASE("ties: stream, task and a near time of statistic.csv") {
    const ApiReport report = made_report({kernel_row(kTime)});
    CHECK(tied(report, {of_task(7, 21, kTime + 900)}) == "0 same_run_time Default/network/MatMul-op3\n");
    // Hours apart it may be another execution of that task of the model.
    CHECK(tied(report, {of_task(7, 21, kTime + 7'200'000'000)}) == "0 type_and_order Default/network/MatMul-op3\n");
    KernelOverflow untyped = of_task(7, 21, kTime + 7'200'000'000);
    untyped.operator_type.clear();
    CHECK(tied(report, {untyped}) == "0 rank_or_device_only Default/network/MatMul-op3\n");
    // Another task of that type.
    const ApiTies other = *tie_api_findings(report, {of_task(7, 22, kTime)});
    REQUIRE(other.ties.size() == 1);
    CHECK(other.ties[0].because.find("stream") == std::string::npos);
    // The same ids, another operator: no tie by them.
    KernelOverflow add = of_task(7, 21, kTime);
    add.operator_type = "Add";
    CHECK(tied(report, {add}) == "0 rank_or_device_only Default/network/MatMul-op3\n");
}

TEST_CASE("ties: of several executions of a task the nearest in time counts") {
    const ApiReport report =
        made_report({kernel_row(kTime), kernel_row(kTime + 5'000'000), kernel_row(kTime + 10'000'000)});
    const ApiTies ties = *tie_api_findings(report, {of_task(7, 21, kTime + 5'000'400)});
    REQUIRE(ties.ties.size() == 1);
    CHECK(ties.ties[0].finding == std::size_t{1});
    CHECK(ties.ties[0].because == "stream 7 and task 21 are equal, the times are 400 us apart");
    // Two executions within a second: the nearest need not be the one.
    const ApiReport close = made_report({kernel_row(kTime), kernel_row(kTime + 200'000)});
    const ApiTies either = *tie_api_findings(close, {of_task(7, 21, kTime + 400)});
    REQUIRE(either.ties.size() == 1);
    CHECK(either.ties[0].level == ApiTieLevel::type_and_order);
    CHECK(either.ties[0].because.find("another execution of the task is less than a second away") != std::string::npos);
}

TEST_CASE("ties: an overflow while the values of a call were being saved") {
    ApiFinding first = made_finding("MyKernels.one.0.forward", 0), second = made_finding("MyKernels.two.0.forward", 1);
    first.saved_after_us = kTime;
    first.saved_at_us = second.saved_after_us = kTime + 1000;
    second.saved_at_us = kTime + 5000;
    const ApiReport report = made_report({first, second});
    const auto at = [&](std::uint64_t time) { return tied(report, {made_overflow("", time)}); };
    CHECK(at(kTime + 1) == "0 same_run_time MyKernels.one.0.forward\n");
    CHECK(at(kTime + 1000) == "0 same_run_time MyKernels.one.0.forward\n");
    CHECK(at(kTime + 1001) == "0 same_run_time MyKernels.two.0.forward\n");
    CHECK(at(kTime + 5000) == "0 same_run_time MyKernels.two.0.forward\n");
    CHECK(at(kTime).find("same_run_time") == std::string::npos);
    CHECK(at(kTime + 5001).find("same_run_time") == std::string::npos);
}

TEST_CASE("ties: the time at which values were saved can contradict a tie by type") {
    const auto saved = [](const char* api, std::uint64_t position, std::uint64_t after, std::uint64_t at) {
        ApiFinding finding = made_finding(api, position);
        finding.saved_after_us = kTime + after;
        finding.saved_at_us = kTime + at;
        return finding;
    };
    const ApiReport one = made_report({saved("Torch.exp.1.forward", 1, 1000, 2000)});
    const auto tie = [](const ApiReport& report, const std::vector<KernelOverflow>& overflows) {
        ApiTies ties = *tie_api_findings(report, overflows);
        REQUIRE(!ties.ties.empty());
        return ties.ties[0];
    };
    const ApiTie later = tie(one, {made_overflow("Exp", kTime + 900'002'000)});
    CHECK(later.level == ApiTieLevel::type_only);
    CHECK(later.because.find("it overflowed 900000000 us behind the time at which the call's values were saved, so it "
                             "is of another call, or the clocks differ") != std::string::npos);
    const ApiTie earlier = tie(one, {made_overflow("Exp", kTime + 400)});
    CHECK(earlier.level == ApiTieLevel::type_only);
    CHECK(earlier.because.find("it overflowed 600 us before the values of the call before were saved") !=
          std::string::npos);
    // The first call of a folder has no time in front of it; without a time of the overflow nothing contradicts.
    ApiFinding first = made_finding("Torch.exp.0.forward");
    first.saved_at_us = kTime + 500;
    CHECK(tied(made_report({first}), {made_overflow("Exp", kTime + 400)}) == "0 type_and_order Torch.exp.0.forward\n");
    CHECK(tied(made_report({first}), {made_overflow("Exp", kTime + 501)}) == "0 type_only Torch.exp.0.forward\n");
    CHECK(tied(one, {made_overflow("Exp")}) == "0 type_and_order Torch.exp.1.forward\n");
    // Of two calls the one goes before whose time does not contradict.
    const ApiReport two =
        made_report({saved("Torch.exp.1.forward", 1, 1000, 2000), made_finding("Torch.exp.4.forward", 9)});
    CHECK(tied(two, {made_overflow("Exp", kTime + 900'000)}) == "0 type_only Torch.exp.4.forward\n");
    // As many on both sides, but not at these times.
    const ApiReport both =
        made_report({saved("Torch.exp.1.forward", 1, 1000, 2000), saved("Torch.exp.4.forward", 9, 3000, 4000)});
    CHECK(tied(both, {made_overflow("Exp", kTime + 2500), made_overflow("Exp", kTime + 9000)}).find("order") ==
          std::string::npos);
    // Where nothing but the place fits it is said, too.
    const ApiTie place = tie(one, {made_overflow("", kTime + 9000)});
    CHECK(place.level == ApiTieLevel::rank_or_device_only);
    CHECK(place.because.find("it overflowed 7000 us behind") != std::string::npos);
}

TEST_CASE("api verdicts: the times of saved values are those of the files beside the dump") {
    ApiRun run;
    const auto value = [](const std::string& name, const char* max) {
        return R"({"type": "torch.Tensor", "dtype": "torch.float16", "shape": [2], "Max": )" + std::string(max) +
               R"(, "Min": -1.0, "Mean": 0.0, "Norm": 1.0, "requires_grad": false, "data_name": ")" + name + R"("})";
    };
    const auto call = [&](const std::string& name, const char* out) {
        return '"' + name + R"(": {"input_args": [)" + value(name + ".input.0.pt", "1.0") +
               R"(], "input_kwargs": {}, "output": [)" + value(name + ".output.0.pt", out) + "]}";
    };
    const std::string head = R"({"task": "tensor", "level": "L1", "framework": "pytorch", "data": {)";
    run.add_file("step0/rank0/dump.json", head + call("Functional.relu.0.forward", "1.0") + ", " +
                                              call("Functional.linear.0.forward", "Infinity") + "}}");
    const std::string saved = run.path() + "/step0/rank0/dump_tensor_data/";
    const std::pair<const char*, std::int64_t> times[] = {{"Functional.relu.0.forward.input.0.pt", 0},
                                                          {"Functional.relu.0.forward.output.0.pt", 40},
                                                          {"Functional.linear.0.forward.input.0.pt", 100},
                                                          {"Functional.linear.0.forward.output.0.pt", 900},
                                                          {"Functional.gelu.0.forward.input.0.pt", 950}};
    for (const auto& [name, time] : times) {
        run.add_file("step0/rank0/dump_tensor_data/" + std::string(name), "x");
        set_time(saved + name, time);
    }
    const ApiReport report = run.report();
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].saved_after_us == kTime + 40);
    CHECK(report.findings[0].saved_at_us == kTime + 900);
    CHECK(tied(report, {made_overflow("", kTime + 500)}) == "0 same_run_time Functional.linear.0.forward\n");

    // The first call of a folder has no time in front of it; without the folder there are none.
    std::filesystem::remove(saved + "Functional.relu.0.forward.input.0.pt");
    std::filesystem::remove(saved + "Functional.relu.0.forward.output.0.pt");
    CHECK_FALSE(run.report().findings[0].saved_after_us);
    CHECK(run.report().findings[0].saved_at_us == kTime + 900);
    std::filesystem::remove_all(saved);
    CHECK_FALSE(run.report().findings[0].saved_at_us);
}

TEST_CASE("api verdicts: findings of statistic.csv keep the ids of their kernel") {
    ApiRun run;
    run.add_file("rank_0/net/0/3/statistic.csv",
                 "Op Type,Op Name,Task ID,Stream ID,Timestamp,IO,Slot,Data Size,Data Type,Shape,Max Value,Min Value\n"
                 "MatMulV2,Default/MatMul-op3,21,7,1700000000000000,input,0,8,float16,\"(2,2)\",1,0\n"
                 "MatMulV2,Default/MatMul-op3,21,7,1700000000000000,output,0,8,float16,\"(2,2)\",inf,0\n");
    const ApiReport report = run.report();
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].operator_type == "MatMulV2");
    CHECK(report.findings[0].task_id == 21U);
    CHECK(report.findings[0].stream_id == 7U);
    CHECK(report.findings[0].timestamp_us == kTime);
    CHECK(tied(report, {of_task(7, 21, kTime + 1000)}) == "0 same_run_time Default/MatMul-op3\n");
}
