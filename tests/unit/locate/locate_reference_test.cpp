// Operators and models of the real logs of 2021 and 2023, whose answers are known.
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "location.hpp"
#include "logs/lines/line.hpp"
#include "outcome.hpp"
#include "reference_data.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

std::shared_ptr<const TaskMap> logs_in(const std::filesystem::path& folder) {
    const Result<ReadLogs> logs = read_logs({folder.string()});
    REQUIRE_MESSAGE(logs.ok(), outcome(logs));
    CHECK(logs->failures.empty());
    return logs->task_map;
}

std::int64_t local_us(const std::string& time) {
    const std::string line = "[INFO] GE(1,a):" + time + " [a.cc:1]1 F:x";
    const auto parsed = logs::parse_line(line);
    REQUIRE_MESSAGE((parsed && parsed->local_time_us), time);
    return *parsed->local_time_us;
}

Location at(const std::shared_ptr<const TaskMap>& map, const RecordIds& ids, const std::string& time) {
    Dump dump = dump_of(ids, 0);
    dump.timestamp_us = static_cast<std::uint64_t>(local_us(time));
    return locate_in(map, dump);
}

/// Between the load of the model (18:59:41.99) and its unbinding (18:59:42.316).
constexpr const char* running_2021 = "2021-03-31-18:59:42.200.000";

}  // namespace

TEST_CASE("real logs: all 60 operators of 2021 with kernel, type and model (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    const auto logs = *folder / "logs/2021-resnet50-offline";
    const auto map = logs_in(logs);
    std::ifstream file(logs / "plog/plog-10043_20210331185941176.log");
    int operators = 0;
    for (std::string line; std::getline(file, line);) {
        // "... Save dump task NAME, task id: T, stream id: S"
        const std::size_t begin = line.find("Save dump task ");
        if (begin == std::string::npos) {
            continue;
        }
        const std::size_t task_at = line.find(", task id: ", begin), stream_at = line.find(", stream id: ", begin);
        const std::string name = line.substr(begin + 15, task_at - begin - 15);
        const Location location = at(
            map, {std::stoull(line.substr(stream_at + 13)), std::stoull(line.substr(task_at + 11)), 0}, running_2021);
        REQUIRE_MESSAGE(location.op.has_value(), line);
        const OperatorAnswer& answer = location.op->best;
        CHECK_MESSAGE(answer.name == name, line);
        CHECK_MESSAGE(answer.kernel == "-1_0_1_" + name, line);
        CHECK_MESSAGE(!answer.type.value_or("").empty(), line);
        CHECK_MESSAGE(answer.confidence == Confidence::exact, line);
        CHECK_MESSAGE(candidates_of(location).empty(), candidates_of(location));
        CHECK_MESSAGE(shown(location.model) == "resnet50|0|1|-", line);
        ++operators;
    }
    CHECK(operators == 60);
}

TEST_CASE("real logs: two operators of 2021 by name and type (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    const auto map = logs_in(*folder / "logs/2021-resnet50-offline");
    const std::string last = shown(at(map, {5, 61, 0}, running_2021).op);
    CHECK(last == "trans_TransData_170|TransData|-1_0_1_trans_TransData_170|exact");
    const Location fused = at(map, {5, 6, 0}, running_2021);
    REQUIRE(fused.op.has_value());
    CHECK(fused.op->best.name == "res2a_branch2ares2a_branch2a_relu");
}

TEST_CASE("real logs: the end-of-graph task of 2021 is not an operator (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    check_located(at(logs_in(*folder / "logs/2021-resnet50-offline"), {5, 64, 0}, running_2021),
                  {.op = "none", .model = "resnet50|0|-|-", .remarks = "warning end_of_graph_task"});
}

TEST_CASE("real logs: the static and the dynamic graph of 2023 (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    const auto map = logs_in(*folder / "logs/2023-tensorflow");
    check_located(at(map, {135, 2, 36}, "2023-07-13-07:41:26.000.000"),
                  {.op = "Variable/Assign|-|00_1_Variable/Assign|exact", .model = "-|36|1|1"});
    const Location gather = at(map, {2, 6}, "2023-07-13-07:42:40.500.000");
    CHECK(shown(gather.op) == "GatherV2|GatherV2|2_0_11_GatherV2|exact");
    CHECK_FALSE((gather.model && gather.model->runtime_id));
    CHECK(remarks_of(gather) == "warning task_failed");  // the log holds "Aicore kernel execute failed" for it
}

TEST_CASE("real logs: after the stream of 2023 was freed its ids mean nothing (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    check_located(at(logs_in(*folder / "logs/2023-tensorflow"), {135, 2, 36}, "2023-07-13-07:42:57.000.000"),
                  {.op = "none", .remarks = "warning stream_closed"});
}
