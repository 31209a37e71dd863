// `opdebug scan` and its sisters: operators that files next to an overflow dump name.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "reference_data.hpp"
#include "scan_job.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

/// The timeline of a scan without problems.
ordered_json timeline_of(const std::string& root, std::vector<std::string> more = {}) {
    const ProcessResult run = scan_in(root, "json", std::move(more));
    CAPTURE(run.err);
    CHECK(run.exit_status == 0);
    return report_of(run)["timeline"];
}

/// "NAME|TYPE|CONFIDENCE" of a record's operator; "none".
std::string operator_of(const ordered_json& record) {
    const ordered_json& op = record["operator"];
    return op.is_null() ? "none"
                        : op["name"].get<std::string>() + "|" + op["type"].get<std::string>() + "|" +
                              op["confidence"].get<std::string>();
}

struct FieldCase {
    const char* folder;
    const char* op;
    std::size_t tensors;  ///< with --tensors; 0: only names are there
};

/// Cases from reports of users; the answers are those of their expected.txt.
constexpr FieldCase field_cases[] = {
    {"20b-npy-beside/bin",
     "Gradients_Default_network-MFTrainOneStepCell_network-_VirtualDatasetCell__backbone-Baichuan13BV2ForCausalLM_"
     "lm_head-NormHead_gradSqrt_SqrtGrad-op1000|SqrtGrad|exact",
     3},
    {"20b-npy-beside/json",
     "Gradients_Default_network-MFTrainOneStepCell_network-_VirtualDatasetCell__backbone-Baichuan13BV2ForCausalLM_"
     "lm_head-NormHead_gradSqrt_SqrtGrad-op1000|SqrtGrad|exact",
     3},
    {"29-mindspore-debugfiles", "Default/network-Net/Mul-op3|Mul|exact", 3},
    {"30-msaccucmp-converted", "bert_Add_17|Add|exact", 2},
    {"31-statistic-csv", "Default_network-Net_Mul-op3|Mul|exact", 0},
    {"npy-beside-converted-json", "Add-op3|Add|exact", 1},
};

}  // namespace

TEST_CASE("names: scan and decode name the operator of each reported case (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    for (const FieldCase& field : field_cases) {
        CAPTURE(field.folder);
        const std::string root = *folder / "field/logs" / field.folder;
        const ordered_json timeline = timeline_of(root, {"--tensors"});
        REQUIRE(timeline.size() == 1);
        CHECK(operator_of(timeline[0]) == field.op);
        CHECK((timeline[0].contains("tensors") ? timeline[0]["tensors"].size() : 0) == field.tensors);
        const std::string file = timeline[0]["file"];
        const ProcessResult decoded = run_tool({"decode", file});
        CHECK(decoded.exit_status == 0);
        CHECK(operator_of(ordered_json::parse(decoded.out)) == field.op);
    }
}

TEST_CASE("names: MindSpore's overflow folder has step and rank (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    const ordered_json timeline = timeline_of(*folder / "field/logs/29-mindspore-debugfiles");
    REQUIRE(timeline.size() == 1);
    CHECK(timeline[0]["path_ids"]["data_index"] == 3);
    CHECK(timeline[0]["path_ids"]["rank"] == 0);
}

TEST_CASE("names: tensors reads a .npy file (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    const std::string dump = *folder / "field/logs/30-msaccucmp-converted/dump";
    const ProcessResult one = run_tool({"tensors", dump + "/Add.bert_Add_17.57.563.1597922031178400.output.0.npy"});
    CHECK(one.exit_status == 0);
    const ordered_json document = ordered_json::parse(one.out);
    CHECK(document["op_name"] == "bert_Add_17");
    CHECK(document["task_id"] == 57);
    CHECK(document["tensors"].size() == 1);
    CHECK(document["diagnostics"].empty());
    const ProcessResult all = run_tool({"tensors", dump});
    CHECK(all.exit_status == 0);
    CHECK(lines_of(all.out).size() == 2);
}

TEST_CASE("names: TorchAir's folders name the rank (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    const ordered_json timeline = timeline_of(*folder / "field/logs/torchair-rank-folder");
    REQUIRE(timeline.size() == 2);
    CHECK(timeline[0]["path_ids"]["rank"] == 3);
    CHECK(timeline[1]["path_ids"]["rank"] == 5);
}
