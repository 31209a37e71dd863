// The settings of a next run: every purpose, with exactly the keys of the tools, and the facts of each kind of report.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <fmt/format.h>

#include "next/next.hpp"

#include "text.hpp"

using namespace opdebug::next;
using nlohmann::ordered_json;
using opdebug::test::contains;

namespace {

const opdebug::Limits kLimits;

const std::string kApiReport = R"({"schema": "opdebug.api_report/1", "first": [
    {"api": "Functional.linear.41.backward", "step": 12, "rank": 3, "verdict": "born_here"}]})";

const std::string kRecord = R"({"schema": "opdebug.record/1", "overflow": true, "rank": null,
    "operator": {"name": "bert/Exp"}, "model": {"name": "bert_train"}, "path_ids": {"data_index": 12, "rank": 2}})";

std::string mindspore_record() {
    std::string text = kRecord;
    return text.replace(text.find("bert/Exp"), 8, "Default/Exp-op12");
}

NextRun run_for(const std::string& report, const std::string& purpose, bool all_steps = false) {
    return next_run(facts_of(report, kLimits), {purpose, "./opdebug_next", all_steps});
}

/// The body of the only file.
ordered_json body_for(const std::string& report, const std::string& purpose) {
    const NextRun run = run_for(report, purpose);
    REQUIRE(run.files.size() == 1);
    CHECK(run.missing.empty());
    return run.files.front().body;
}

ordered_json parsed(const std::string& text) {
    return ordered_json::parse(text);
}

}  // namespace

TEST_CASE("next: msprobe's settings for every purpose") {
    CHECK(body_for(kApiReport, "tensor") == parsed(R"({"task": "tensor", "dump_path": "./opdebug_next", "rank": [3],
        "step": [12], "level": "L1", "risk_level": "ALL", "tensor": {
        "list": ["Functional.linear.41.backward", "Functional.linear.41.forward"],
        "data_mode": ["all"], "summary_mode": "md5"}})"));
    CHECK(body_for(kApiReport, "bench") == parsed(R"({"task": "statistics", "dump_path": "./opdebug_next", "rank": [3],
        "step": [12], "level": "mix", "risk_level": "ALL", "statistics": {
        "data_mode": ["all"], "summary_mode": "statistics"}})"));
    CHECK(body_for(kApiReport, "watch") == parsed(R"({"task": "tensor", "dump_path": "./opdebug_next", "rank": [3],
        "step": [12], "level": "L1", "async_dump": true, "risk_level": "ALL", "tensor": {
        "list": ["Functional.linear.41.backward", "Functional.linear.41.forward"],
        "data_mode": ["all"], "summary_mode": "statistics"}})"));
    CHECK(body_for(kApiReport, "kernel") == parsed(R"({"task": "tensor", "dump_path": "./opdebug_next", "rank": [3],
        "step": [12], "level": "L2", "tensor": {
        "list": ["Functional.linear.41.backward"], "data_mode": ["all"]}})"));
    CHECK(body_for(kApiReport, "nan_check") == parsed(R"({"task": "nan_check", "dump_path": "./opdebug_next",
        "rank": [3], "step": [12], "level": "L1", "risk_level": "ALL", "nan_check": {"data_mode": ["all"]}})"));
    CHECK(body_for(kApiReport, "train") == parsed(R"({"task": "statistics", "dump_path": "./opdebug_next", "rank": [3],
        "step": [12], "level": "L1", "risk_level": "ALL", "statistics": {
        "data_mode": ["all"], "summary_mode": "statistics"}})"));
}

TEST_CASE("next: modules need the level mix") {
    std::string report = kApiReport;
    const std::string module = "Module.head.Linear.forward.0";
    report.replace(report.find("Functional.linear.41.backward"), 29, module);
    const ordered_json body = body_for(report, "tensor");
    CHECK(body["level"] == "mix");
    CHECK(body["tensor"]["list"] == parsed("[\"" + module + "\"]"));
    const auto puts = [](const std::string& from, const char* purpose, const char* text) {
        return run_for(from, purpose).files.at(0).put.en.find(text) != std::string::npos;
    };
    CHECK(puts(report, "tensor", "start(model=model)"));
    CHECK(puts(kApiReport, "bench", "start(model=model)"));
    CHECK(!puts(kApiReport, "tensor", "start(model=model)"));
    // PyTorch writes .pt files, which opdebug does not read; both runs of watch need a folder of their own.
    CHECK(puts(kApiReport, "tensor", "numpy.save"));
    CHECK(puts(kApiReport, "watch", "another dump_path"));
    CHECK(!puts(kApiReport, "bench", "numpy.save"));
}

TEST_CASE("next: gradients are found by the name of their module") {
    const ordered_json body = body_for(R"({"schema": "opdebug.api_report/1", "first": [
        {"api": "Module.fc.Linear.parameters_grad", "step": 1, "rank": 0}]})",
                                       "tensor");
    CHECK(body["level"] == "mix");
    CHECK(body["tensor"]["list"] == parsed(R"(["Module.fc.Linear"])"));
}

TEST_CASE("next: kernels need a call of a function, flags need PyTorch") {
    const auto report_of = [](const std::string& calls) {
        return R"({"schema": "opdebug.api_report/1", "first": [)" + calls + "]}";
    };
    const std::string module = R"({"api": "Module.head.Linear.forward.0", "step": 1, "rank": 0})";
    const std::string function = R"({"api": "Torch.exp.0.forward", "step": 1, "rank": 0})";
    CHECK(body_for(report_of(module + ", " + function), "kernel")["tensor"]["list"] ==
          parsed(R"(["Torch.exp.0.forward"])"));
    CHECK(run_for(report_of(module), "kernel").missing.at(0).needs == "call");
    const std::string cell = R"({"api": "Mint.exp.0.forward", "step": 1, "rank": 0})";
    CHECK(run_for(report_of(cell), "kernel").missing.at(0).needs == "pytorch");
    CHECK(run_for(report_of(cell), "nan_check").missing.at(0).needs == "pytorch");
    CHECK(run_for(report_of(cell), "nan_check").files.empty());
    CHECK(run_for(report_of(cell), "tensor").files.size() == 1);
}

TEST_CASE("next: a benchmark names the calls and the step") {
    const std::string begin = R"({"schema": "opdebug.api_report/1",
        "first": [{"api": "Torch.log.9.forward", "step": 1, "rank": 0}], "bench": {)";
    const Facts here = facts_of(begin + R"("problem_step": 7, "breaks": [
        {"kind": "also_there", "api": "Torch.log.9.forward", "step": 7, "rank": 0},
        {"kind": "breaks_here", "api": "Torch.exp.3.forward", "step": 7, "rank": 2}]}})",
                                kLimits);
    CHECK(here.calls == std::vector<std::string>{"Torch.exp.3.forward"});
    CHECK(here.steps == std::vector<std::uint64_t>{7});
    CHECK(here.ranks == std::vector<std::uint64_t>{2});
    const Facts only_step = facts_of(begin + R"("problem_step": 7, "breaks": []}})", kLimits);
    CHECK(only_step.has_culprit);
    CHECK(only_step.calls.empty());
    CHECK(only_step.steps == std::vector<std::uint64_t>{7});
    const Facts alike = facts_of(begin + R"("problem_step": null, "breaks": []}})", kLimits);
    CHECK(alike.calls == std::vector<std::string>{"Torch.log.9.forward"});
    CHECK(alike.steps == std::vector<std::uint64_t>{1});
}

TEST_CASE("next: steps of a training log count from the start of the process") {
    const auto run_of = [](const std::string& run, const std::string& bench) {
        return run_for(R"({"schema": "opdebug.train_report/1", "verdict": "nan_loss", "deciding_run": 0, "runs": [{)" +
                           run + R"(}], "culprit_ranks": [], "bench": )" + bench + "}",
                       "");
    };
    const auto step_of = [](const NextRun& run) { return run.files.at(0).body["step"]; };
    const NextRun resumed =
        run_of(R"("first_step": 5001, "interval": 1, "findings": [{"step": 5028, "steps": 1}])", "null");
    CHECK(step_of(resumed) == parsed("[26, 27]"));
    CHECK(contains(resumed.files[0].put.en,
                   "Training step 5028 is msprobe step 27 if the process begins with training "
                   "step 5001, because msprobe counts from 0"));
    CHECK(step_of(run_of(R"("first_step": 1, "resumed_at": 21, "interval": 1, "findings": [{"step": 30, "steps": 1}])",
                         "null")) == parsed("[8, 9]"));
    // The line of step 2900 is about steps 2801 to 2900, which are 2800 to 2899 for msprobe; and the step before.
    CHECK(step_of(run_of(R"("first_step": 100, "interval": 100, "findings": [{"step": 2900, "steps": 100}])",
                         "null")) == parsed(R"(["2799-2899"])"));
    CHECK(step_of(run_of(R"("first_step": 1, "interval": 1, "findings": [{"step": 30, "steps": 1}])",
                         R"({"problem_step": 12, "problem_steps": 1})")) == parsed("[10, 11]"));
    // A guessed log may count from 0; counted lines are no steps.
    CHECK(step_of(run_of(R"("first_step": 1, "interval": 1, "guessed": true, "findings": [{"step": 30, "steps": 1}])",
                         "null")) == parsed("[28, 29, 30]"));
    const NextRun counted = run_of(
        R"("first_step": 1, "interval": 1, "steps_counted": true, "findings": [{"step": 30, "steps": 1}])", "null");
    CHECK(counted.missing.at(0).needs == "steps");
    const NextRun before = run_of(R"("first_step": 50, "interval": 1, "findings": [{"step": 3, "steps": 1}])", "null");
    CHECK(before.missing.at(0).needs == "steps");
}

TEST_CASE("next: a training log of MindSpore gets no settings of PyTorch") {
    for (const char* const format :
         {"MindFormers", "mindone", "mindcv", "mindyolo", "MindSpore LossMonitor, MindFormers"}) {
        const std::string report = R"({"schema": "opdebug.train_report/1", "verdict": "nan_loss", "deciding_run": 0,
            "runs": [{"format": ")" +
                                   std::string(format) +
                                   R"(", "findings": [{"step": 30, "steps": 1}]}], "culprit_ranks": []})";
        for (const char* const purpose : {"", "bench", "nan_check"}) {
            const NextRun run = run_for(report, purpose);
            CHECK(run.files.empty());
            REQUIRE(run.missing.size() == 1);
            CHECK(run.missing[0].needs == "pynative");
        }
    }
}

TEST_CASE("next: acl.json and MindSpore's JSON for operators") {
    CHECK(body_for(kRecord, "tensor") == parsed(R"({"dump": {"dump_path": "./opdebug_next", "dump_mode": "all",
        "dump_op_switch": "off", "dump_list": [{"model_name": "bert_train", "layer": ["bert/Exp"]}]}})"));
    CHECK(body_for(kRecord, "watch") == parsed(R"({"dump": {"dump_path": "./opdebug_next", "dump_scene": "watcher",
        "dump_mode": "output", "dump_list": [{"layer": ["bert/Exp"], "watcher_nodes": ["bert/Exp"]}]}})"));
    const ordered_json mindspore = parsed(R"({"common_dump_settings": {"op_debug_mode": 0, "dump_mode": 1,
        "path": "./opdebug_next", "net_name": "opdebug_next", "iteration": "12", "saved_data": "tensor",
        "input_output": 0, "kernels": ["Default/Exp-op12"], "support_device": [0, 1, 2, 3, 4, 5, 6, 7]},
        "e2e_dump_settings": {"enable": true, "trans_flag": true}})");
    CHECK(body_for(mindspore_record(), "tensor") == mindspore);
    CHECK(body_for(mindspore_record(), "kernel") == mindspore);
    // The operators of GE have no such settings, and no step of msprobe.
    for (const char* const purpose : {"kernel", "bench", "nan_check", "train"}) {
        const NextRun none = run_for(kRecord, purpose);
        CHECK(none.files.empty());
        REQUIRE(none.missing.size() == 1);
        CHECK(none.missing[0].needs == "settings");
    }
    // A second run: opdebug scan would find no overflow dump in it.
    const NextRun second = run_for(kRecord, "tensor");
    CHECK_FALSE(contains(second.files.at(0).answers.en, "scan"));
    CHECK(contains(second.files.at(0).put.en, "in a second run"));
}

// name-regex: MindSpore's dump.md, kernels. A dump_list without layer: CANN's 18_dump_configuration.md.
TEST_CASE("next: names of dump files are not those of the graph") {
    const auto with_text = [](const std::string& name, const std::string& text) {
        return R"({"schema": "opdebug.record/1", "overflow": true, "operator": {"name": ")" + name +
               R"(", "evidence": [{"kind": "op_dump", "text": ")" + text + R"("}]}, "model": {"name": "net"},
               "path_ids": {"data_index": 7}})";
    };
    const std::string of_file =
        "Add.Default_net_Add-op12.1.2.3 (the name is from the file name, where / . and spaces are _)";
    const ordered_json kernels = ordered_json::array({"name-regex(Default[_/.]net[_/.]Add-op12)"});
    CHECK(body_for(with_text("Default_net_Add-op12", of_file), "tensor")["common_dump_settings"]["kernels"] == kernels);
    CHECK(body_for(with_text("net_Add", of_file), "tensor")["dump"]["dump_list"] ==
          parsed(R"([{"model_name": "net"}])"));
    const NextRun watch = run_for(with_text("net_Add", of_file), "watch");
    CHECK(watch.files.empty());
    REQUIRE(watch.missing.size() == 1);
    CHECK(watch.missing[0].needs == "exact_name");
    // A list of operators has the names of dump files.
    const std::string listed = R"({"schema": "opdebug.record/1", "overflow": true, "operator": {"name":
        "Default_net_Add-op12", "evidence": [{"kind": "op_dump", "file": "0/statistic.csv", "text": "Add"}]},
        "path_ids": {"data_index": 7}})";
    CHECK(body_for(listed, "tensor")["common_dump_settings"]["kernels"] == kernels);
    CHECK(run_for(with_text("net/Add", "net_Add.1.2.3"), "watch").files.size() == 1);
}

// CANN's 18_dump_configuration.md: single operators need dump_op_switch "on" and a dump_list with an empty entry.
TEST_CASE("next: operators outside of graphs") {
    const auto report = [](const std::string& ids) {
        return R"({"schema": "opdebug.record/1", "overflow": true, "operator": {"name": "aclnnAdd", "evidence": []},
            "model": {"name": null}, "path_ids": {)" +
               ids + "}}";
    };
    CHECK(body_for(report(R"("time": "20241120060505", "device_id": 0)"), "tensor") ==
          parsed(R"({"dump": {"dump_path": "./opdebug_next", "dump_mode": "all", "dump_op_switch": "on",
              "dump_list": [{}]}})"));
    for (const char* const ids : {"", R"("time": "20241120060505", "device_id": 0, "model_id": 3)"}) {
        const NextRun unknown = run_for(report(ids), "tensor");
        CHECK(unknown.files.empty());
        REQUIRE(unknown.missing.size() == 1);
        CHECK(unknown.missing[0].needs == "model");
    }
}

TEST_CASE("next: the source of a finding decides whose settings are written") {
    const auto report = [](const std::string& source, const std::string& api, const std::string& file) {
        return R"({"schema": "opdebug.api_report/1", "first": [{"source": ")" + source + R"(", "api": ")" + api +
               R"(", "file": ")" + file + R"(", "step": 2, "rank": 0}]})";
    };
    const ordered_json mindspore =
        body_for(report("statistic_csv", "Default_Mul-op2", "m/rank_0/Net/0/2/statistic.csv"), "tensor");
    CHECK(mindspore["common_dump_settings"]["kernels"] == ordered_json::array({"name-regex(Default[_/.]Mul-op2)"}));
    CHECK(mindspore["common_dump_settings"]["iteration"] == "2");
    CHECK(mindspore["common_dump_settings"]["op_debug_mode"] == 0);
    const std::string below_model = "s/20241120060505/0/net/1/2/Mul.mul.65.396.1732082705900500.csv";
    CHECK(body_for(report("statistic_csv", "mul", below_model), "tensor")["dump"]["dump_list"] ==
          parsed(R"([{"model_name": "net", "layer": ["mul"]}])"));
    CHECK(body_for(report("statistic_csv", "mul_1", below_model), "tensor")["dump"]["dump_list"] ==
          parsed(R"([{"model_name": "net"}])"));
    CHECK(body_for(report("statistic_csv", "mul_1", "s/20241120060505/0/Mul.mul_1.6.5.1732082705900500.csv"),
                   "tensor")["dump"]["dump_op_switch"] == "on");
    // msprobe's atb_data_dump_instruct.md, aclgraph_dump_instruct.md and config_json_introduct.md (list).
    CHECK(body_for(report("statistic_csv", "Prefill_layer/Attention", "atb_dump_data/data/0_39943/2/statistic.csv"),
                   "tensor") ==
          parsed(R"({"task": "all", "dump_enable": true, "exec_range": "2,2", "ids": "", "op_name": "Prefill_layer",
              "save_child": true, "device": "", "filter_level": 1})"));
    CHECK(body_for(report("msprobe", "toy.forward", "step2/pid9527/dump.json"), "tensor") ==
          parsed(R"({"task": "tensor", "dump_path": "./opdebug_next", "rank": [0], "level": "mix",
              "tensor": {"list": ["toy"]}})"));
    CHECK(body_for(report("ptdbg", "Tensor_add__1_forward", "rank0/Tensor_add__1_forward_1.pkl"),
                   "tensor")["tensor"]["list"] == parsed(R"(["Tensor.add_.1.forward"])"));
    // A saved value, and a module of ptdbg, have no name that msprobe finds: the calls of the step.
    const ordered_json calls = parsed(R"({"task": "statistics", "dump_path": "./opdebug_next", "rank": [0],
        "step": [2], "level": "L1", "risk_level": "ALL",
        "statistics": {"data_mode": ["all"], "summary_mode": "statistics"}})");
    CHECK(body_for(report("msprobe", "h.0.debug", "step2/rank0/debug.json"), "tensor") == calls);
    CHECK(body_for(report("ptdbg", "layer1_ReLU_0_forward", "rank0/a.pkl"), "tensor") == calls);
}

TEST_CASE("next: a report without statistics, without calls or of a cut dump") {
    for (const char* const code : {"no_statistics", "no_calls", "api_dump_cut"}) {
        const std::string report = fmt::format(
            R"({{"schema": "opdebug.api_report/1", "first": [], "diagnostics": [
                {{"severity": "warning", "code": "{}", "message": "d/dump.json: ..."}}]}})",
            code);
        CAPTURE(code);
        const ordered_json body = body_for(report, "tensor");
        CHECK(body["task"] == "statistics");
        CHECK(body["statistics"]["summary_mode"] == "statistics");
        CHECK(body["step"] == ordered_json::array());
        CHECK(run_for(report, "tensor").environment.empty());
    }
}

TEST_CASE("next: what the evidence of a culprit lacks is dumped, too") {
    const auto body_with = [](const char* code) {
        return body_for(fmt::format(R"({{"schema": "opdebug.api_report/1", "first": [{{"source": "msprobe", "step": 5,
            "rank": 0, "api": "Module.layers.0.Linear.forward.0", "diagnostics": [{{"code": "{}"}}]}}]}})",
                                    code),
                        "tensor");
    };
    const ordered_json plain = body_with("last_clean");
    CHECK(plain["step"] == ordered_json::array({5}));
    CHECK(plain["rank"] == ordered_json::array({0}));
    CHECK(body_with("weight_of_step_before")["step"] == ordered_json::array({4, 5}));
    CHECK(body_with("ranks_missing")["rank"] == ordered_json::array());  // all ranks
}

TEST_CASE("next: environment variables") {
    const NextRun watch = run_for(kApiReport, "watch");
    REQUIRE(watch.environment.size() == 1);
    CHECK(watch.environment[0].name == "ASCEND_LAUNCH_BLOCKING");
    const NextRun flags = run_for(kApiReport, "nan_check");
    REQUIRE(flags.environment.size() == 1);
    CHECK(flags.environment[0].name == "INF_NAN_MODE_FORCE_DISABLE");
    CHECK(run_for(kApiReport, "tensor").environment.empty());
    const NextRun nameless = run_for(R"({"schema": "opdebug.record/1", "overflow": true, "operator": null})", "tensor");
    REQUIRE(nameless.environment.size() == 1);
    CHECK(nameless.environment[0].name == "ASCEND_GLOBAL_LOG_LEVEL");
    CHECK(nameless.files.empty());
    CHECK(nameless.missing.size() == 2);
}

TEST_CASE("next: what a report lacks is named, never guessed") {
    std::string report = kApiReport;
    report.replace(report.find("\"step\": 12"), 10, "\"step\": null");
    const NextRun without_step = run_for(report, "tensor");
    CHECK(without_step.files.empty());
    REQUIRE(without_step.missing.size() == 1);
    CHECK(without_step.missing[0].needs == "steps");
    const NextRun all_steps = run_for(report, "tensor", true);
    REQUIRE(all_steps.files.size() == 1);
    CHECK(all_steps.files[0].body["step"] == ordered_json::array());

    std::string nameless_model = kRecord;
    nameless_model.replace(nameless_model.find("{\"name\": \"bert_train\"}"), 22, "null");
    const NextRun without_model = run_for(nameless_model, "tensor");
    CHECK(without_model.files.empty());
    REQUIRE(without_model.missing.size() == 1);
    CHECK(without_model.missing[0].needs == "model");
}

TEST_CASE("next: facts of every report") {
    const Facts api = facts_of(kApiReport, kLimits);
    CHECK(api.has_culprit);
    CHECK(api.steps == std::vector<std::uint64_t>{12});
    CHECK(api.ranks == std::vector<std::uint64_t>{3});

    // JSON lines of a scan: the first overflow counts.
    const std::string begin = R"({"schema": "opdebug.report/1", "type": "begin"})";
    const std::string clean = R"({"schema": "opdebug.record/1", "overflow": false, "operator": {"name": "net/Clean"}})";
    std::string record = kRecord;
    for (std::size_t end = record.find('\n'); end != std::string::npos; end = record.find('\n')) {
        record.erase(end, 1);
    }
    const std::string later = R"({"schema": "opdebug.record/1", "overflow": true, "operator": {"name": "net/Later"}})";
    const Facts lines = facts_of(begin + "\n" + clean + "\n" + record + "\n" + later + "\n", kLimits);
    CHECK(lines.schema == "opdebug.report/1");
    CHECK(lines.operators == std::vector<std::string>{"bert/Exp"});
    CHECK(lines.model == "bert_train");
    CHECK(lines.iterations == std::vector<std::uint64_t>{12});
    CHECK(lines.ranks == std::vector<std::uint64_t>{2});

    // One document of a scan, with API dumps.
    const Facts scan = facts_of(R"({"schema": "opdebug.report/1", "first": null, "api": )" + kApiReport + "}", kLimits);
    CHECK(scan.calls.size() == 2);

    // Step 30 of the log is step 29 of msprobe; the step before it is dumped, too.
    const Facts train = facts_of(R"({"schema": "opdebug.train_report/1", "verdict": "nan_loss", "deciding_run": 0,
        "runs": [{"findings": [{"step": 30, "steps": 1}]}], "culprit_ranks": [5]})",
                                 kLimits);
    CHECK(train.steps == std::vector<std::uint64_t>{28, 29});
    CHECK(train.ranks == std::vector<std::uint64_t>{5});
    CHECK(next_run(train, {"", "x", false}).purpose == "train");
    const Facts first = facts_of(R"({"schema": "opdebug.train_report/1", "verdict": "sinking", "deciding_run": 0,
        "runs": [{"findings": [{"step": 1, "steps": 1}]}], "culprit_ranks": []})",
                                 kLimits);
    CHECK(first.steps == std::vector<std::uint64_t>{0});

    const Facts difference = facts_of(R"({"schema": "opdebug.tensor_difference/1", "verdict": "region_overwritten",
        "a": {"op_name": "net/Split"}, "b": {"op_name": "net/Norm"}})",
                                      kLimits);
    const NextRun watch = next_run(difference, {"", "x", false});
    CHECK(watch.purpose == "watch");
    REQUIRE(watch.files.size() == 1);
    CHECK(watch.files[0].body["dump"]["dump_list"][0] ==
          parsed(R"({"layer": ["net/Split"], "watcher_nodes": ["net/Norm"]})"));
}

TEST_CASE("next: reports without a culprit, other documents, wrong types") {
    for (const char* const text :
         {R"({"schema": "opdebug.api_report/1", "first": []})", R"({"schema": "opdebug.record/1", "overflow": false})",
          R"({"schema": "opdebug.train_report/1", "verdict": "probing", "deciding_run": 0, "runs": []})",
          R"({"schema": "opdebug.tensor_difference/1", "verdict": "identical"})",
          R"({"schema": "opdebug.tensor_difference/1", "verdict": "noise", "a": {"op_name": "net/Split"}})",
          R"({"schema": "opdebug.report/1", "first": null, "api": null})"}) {
        const Facts facts = facts_of(text, kLimits);
        CHECK(!facts.schema.empty());
        CHECK(!facts.has_culprit);
    }
    for (const char* const text : {"", "no JSON", "[]", "3", R"({"schema": 3})", R"({"schema": "other/1"})"}) {
        CHECK(facts_of(text, kLimits).schema.empty());
    }
    const Facts odd =
        facts_of(R"({"schema": "opdebug.api_report/1", "first": [3, {"api": 3, "step": -1, "rank": "x"}]})", kLimits);
    CHECK(odd.has_culprit);
    CHECK(odd.calls.empty());
    CHECK(odd.steps.empty());
    CHECK(facts_of(R"({"schema": "opdebug.train_report/1", "verdict": 1, "deciding_run": 7, "runs": 5})", kLimits)
              .steps.empty());
}
