// Line reader and formats against real logs of 2021 and 2023, where they are at hand.
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "logs/formats/formats.hpp"
#include "reference_data.hpp"

using namespace opdebug::logs;
using opdebug::test::reference_data;

namespace {

using TaskKey = std::pair<std::uint64_t, std::uint64_t>;

constexpr const char* host_2021 = "/logs/2021-resnet50-offline/plog/plog-10043_20210331185941176.log";
constexpr const char* device_2021 = "/logs/2021-resnet50-offline/device-0/device-10043_20210331185942505.log";
constexpr const char* host_2023 = "/logs/2023-tensorflow/debug/plog/plog-370_20230713074107861.log";

std::vector<std::string> lines_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    REQUIRE_MESSAGE(file, path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) {
        lines.push_back(line);
    }
    return lines;
}

std::vector<Fact> facts_of(const std::string& path) {
    std::vector<Fact> facts;
    for (const std::string& text : lines_of(path)) {
        const std::optional<LogLine> line = parse_line(text);
        if (std::optional<Match> match = line ? built_in_log_formats()->match(*line) : std::nullopt) {
            facts.push_back(std::move(match->fact));
        }
    }
    return facts;
}

/// One "ID COUNT" per line, sorted by id: a failure shows both sides whole.
std::string counts_by_format(const std::vector<Fact>& facts) {
    std::map<std::string, int> counts;
    for (const Fact& fact : facts) {
        ++counts[fact.format_id];
    }
    std::string text;
    for (const auto& [id, count] : counts) {
        text += id + " " + std::to_string(count) + "\n";
    }
    return text;
}

}  // namespace

TEST_CASE("real logs: every entry of RUNTIME, GE and ASCENDCL has module, pid, time and thread (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    // Counted with grep '^\[[A-Z]*\] MODULE(' over each file.
    const std::map<std::string, std::map<std::string, int>> expected{
        {host_2021, {{"RUNTIME", 1618}, {"GE", 1242}, {"ASCENDCL", 126}}},
        {host_2023, {{"RUNTIME", 1004}, {"GE", 5479}}},
    };
    for (const auto& [file, modules] : expected) {
        std::map<std::string, int> found;
        for (const std::string& text : lines_of(folder->string() + file)) {
            const std::optional<LogLine> line = parse_line(text);
            CHECK_MESSAGE(line.has_value() == text.starts_with('['), text);
            if (line && modules.count(std::string(line->module)) != 0) {
                ++found[std::string(line->module)];
                // GE prints some lines without a thread: "[opt_info.cc:90]Func:".
                const bool has_thread =
                    line->tid || (line->module == "GE" && text.find("[opt_info.c") != std::string::npos);
                CHECK_MESSAGE((line->pid && line->local_time_us && has_thread && !line->function.empty()), text);
            }
        }
        CHECK(found == modules);
    }
}

TEST_CASE("real logs: 60 of 60 kernel names of 2021 are the node names with a prefix (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    std::map<TaskKey, std::string> operators;
    std::map<TaskKey, std::string> kernels;
    for (const Fact& fact : facts_of(folder->string() + host_2021)) {
        if (fact.format_id == "ge.save_dump_task") {
            operators[{*fact.stream_id, *fact.task_id}] = fact.operator_name;
        } else if (fact.format_id == "runtime.launch_2021") {
            kernels[{*fact.stream_id, *fact.task_id}] = fact.kernel_name;
        }
    }
    CHECK(operators.size() == 60);
    CHECK(kernels.size() == 60);
    CHECK(operators.at({5, 61}) == "trans_TransData_170");
    CHECK(operators.at({5, 6}) == "res2a_branch2ares2a_branch2a_relu");
    for (const auto& [key, name] : operators) {
        CHECK(kernels.at(key) == "-1_0_1_" + name);
    }
}

TEST_CASE("real logs: the host log of 2021 states these facts and no others (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    // Each number counted with grep for the text. 61 tasks: 60 operators and the end of the graph.
    CHECK(counts_by_format(facts_of(folder->string() + host_2021)) ==
          "acl.model_load_begin 1\n"
          "acl.model_load_done 1\n"
          "acl.model_load_end 1\n"
          "ge.dump_folder_of_application 1\n"
          "ge.end_graph_distribute 1\n"
          "ge.end_graph_info 1\n"
          "ge.logical_stream 1\n"
          "ge.save_dump_task 60\n"
          "ge.unload_success 1\n"
          "runtime.bind_flag_false 1\n"
          "runtime.bind_flag_true 1\n"
          "runtime.callback_fault_2021 1\n"
          "runtime.device_error 1\n"
          "runtime.fault_kernel 1\n"
          "runtime.launch_2021 60\n"
          "runtime.model_bind_stream_2021 1\n"
          "runtime.model_destroyed 1\n"
          "runtime.model_execute_2021 1\n"
          "runtime.model_fault 1\n"
          "runtime.model_get_task_id 61\n"
          "runtime.model_id_free 1\n"
          "runtime.model_unbind_stream_2021 1\n"
          "runtime.persistent_task 66\n"
          "runtime.public_task 25\n"
          "runtime.stream_alloc 6\n"
          "runtime.stream_free 6\n"
          "runtime.unbind_stream_end 1\n");
}

TEST_CASE("real logs: the device log of 2021 names operators with types and the end of the graph (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    std::map<TaskKey, std::pair<std::string, std::string>> operators;
    std::set<TaskKey> ends;
    std::set<std::string> models;
    for (const Fact& fact : facts_of(folder->string() + device_2021)) {
        if (fact.format_id == "device.op_mapping") {
            operators[{*fact.stream_id, *fact.task_id}] = {fact.operator_name, fact.operator_type};
        } else if (fact.kind == FactKind::end_of_graph_task) {
            ends.insert({*fact.stream_id, *fact.task_id});
        } else if (fact.kind == FactKind::ge_model) {
            models.insert(fact.model_name + "=" + std::to_string(*fact.ge_model_id));
        }
    }
    CHECK(operators.size() == 60);
    CHECK(operators.at({5, 61}) == std::pair<std::string, std::string>{"trans_TransData_170", "TransData"});
    CHECK(operators.at({5, 3}) == std::pair<std::string, std::string>{"trans_TransData_0", "TransData"});
    CHECK(ends == std::set<TaskKey>{{5, 64}});
    CHECK(models == std::set<std::string>{"resnet50=1"});
}

TEST_CASE("real logs: the operators of 2023 come from several lines that agree (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    std::map<TaskKey, std::set<std::string>> operators;
    std::map<TaskKey, std::set<std::string>> kernels;
    for (const Fact& fact : facts_of(folder->string() + host_2023)) {
        if (fact.kind == FactKind::operator_of_task) {
            operators[{*fact.stream_id, *fact.task_id}].insert(fact.operator_name);
        } else if (fact.kind == FactKind::kernel_of_task) {
            kernels[{*fact.stream_id, *fact.task_id}].insert(fact.kernel_name);
        }
    }
    const std::map<TaskKey, std::set<std::string>> expected{
        {{135, 2}, {"Variable/Assign"}}, {{2, 4}, {"Unique"}}, {{2, 6}, {"GatherV2"}}};
    CHECK(operators == expected);
    CHECK(kernels.at({135, 2}) == std::set<std::string>{"00_1_Variable/Assign"});
    CHECK(kernels.at({2, 6}) == std::set<std::string>{"2_0_11_GatherV2"});
}

TEST_CASE("real logs: the host log of 2023 states these facts and no others (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    // Counted with grep as well; 40 lines of SubmitTask, of which 3 have stream_id=-1 and state nothing.
    CHECK(counts_by_format(facts_of(folder->string() + host_2023)) ==
          "ge.aic_info_node 1\n"
          "ge.end_graph_distribute 1\n"
          "ge.find_exception_op 1\n"
          "ge.graph_to_model 2\n"
          "ge.kernel_trace 2\n"
          "ge.logical_stream 1\n"
          "ge.model_execute 1\n"
          "ge.model_run_begin 2\n"
          "ge.model_run_end 2\n"
          "ge.save_exception_info 3\n"
          "ge.unload_success 2\n"
          "runtime.bind_flag_false 1\n"
          "runtime.bind_flag_true 1\n"
          "runtime.callback_fault_2023 1\n"
          "runtime.device_error 2\n"
          "runtime.fault_code 1\n"
          "runtime.fault_kernel 2\n"
          "runtime.launch_2023 2\n"
          "runtime.model_bind_stream_2023 6\n"
          "runtime.model_destroyed 6\n"
          "runtime.model_execute_2023 1\n"
          "runtime.model_id_free 1\n"
          "runtime.model_unbind_stream 6\n"
          "runtime.persistent_task 3\n"
          "runtime.public_task 34\n"
          "runtime.reason 1\n"
          "runtime.stream_free 7\n"
          "runtime.stream_setup 22\n"
          "runtime.submit_2023 37\n"
          "runtime.task_exception 1\n"
          "runtime.unbind_stream_end 6\n");
}
