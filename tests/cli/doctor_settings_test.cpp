// `opdebug doctor` of dump settings: acl.json, MindSpore's and msprobe's.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "doctor_findings.hpp"
#include "scan_job.hpp"

using namespace opdebug::test;

namespace {

using Set = std::set<std::string>;

/// Examines settings. "PATH" in their text becomes a member with a folder that is there.
class Examiner {
public:
    ProcessResult run(const std::string& text, const std::string& member = "dump_path") const {
        return examine_paths({write("settings.json", text, member)});
    }
    /// The findings of each, from one run.
    std::vector<std::string> findings_of_each(const std::vector<std::string>& texts) const {
        std::vector<std::string> paths;
        for (const std::string& text : texts) {
            paths.push_back(write(std::to_string(paths.size()) + ".json", text, "dump_path"));
        }
        std::map<std::string, Set> found;
        const nlohmann::ordered_json document = document_of(examine_paths(paths));
        for (const auto& finding : document.at("findings")) {
            if (finding.at("path").is_string()) {
                found[finding.at("path")].insert(finding.at("severity").get<std::string>() + " " +
                                                 finding.at("code").get<std::string>());
            }
        }
        std::vector<std::string> each;
        for (const std::string& path : paths) {
            each.push_back(listed(found[path]));
        }
        return each;
    }
    std::string findings(const std::string& text, const std::string& member = "dump_path") const {
        return findings_of(run(text, member));
    }

    std::string write(const std::string& text) const { return write("one.json", text, "dump_path"); }

private:
    std::string write(const std::string& name, std::string text, const std::string& member) const {
        const std::size_t at = text.find("PATH");
        if (at != std::string::npos) {
            text.replace(at, 4, "\"" + member + "\": \"" + (directory_ / "") + "\"");
        }
        return write_file(directory_ / name, text);
    }

    TemporaryDirectory directory_;
};

/// msprobe's settings with all findings switched off that the defaults give.
std::string msprobe(const std::string& members) {
    return R"({PATH, "risk_level": "ALL", "precision": "high", )" + members + "}";
}

}  // namespace

TEST_CASE("doctor: acl.json") {
    const Examiner examiner;
    const Set on{"info no_overflow_file_on_950", "info offline_model_needs_status_check"};
    const auto with = [&on](const std::string& more) {
        Set all = on;
        all.insert(more);
        return listed(all);
    };
    CHECK(examiner.findings(R"({"dump": {PATH, "dump_debug": "on"}})") == listed(on));
    CHECK(contains(examiner.run(R"({"dump": {PATH, "dump_debug": "on"}})").out,
                   "The option does not apply to A2, A3 and Ascend 950."));
    CHECK(examiner.findings(R"({"dump": {PATH}})") == listed({"error overflow_dump_off"}));
    CHECK(examiner.findings(R"({"dump": {PATH, "dump_debug": "on", "dump_op_switch": "on", "dump_list": []}})") ==
          with("error dumps_exclude_each_other"));
    CHECK(examiner.findings(R"({"dump": {"dump_path": "output", "dump_debug": "on"}})") ==
          with("info dump_path_relative"));
    CHECK(examiner.findings(R"({"dump": {"dump_path": "~/output", "dump_debug": "on"}})") ==
          with("warning dump_path_not_expanded"));
    CHECK(examiner.findings(R"({"dump": {PATH, "dump_debug": "on", "dump_debgu": "on"}})") ==
          with("info member_unknown"));
    CHECK(examiner.findings(R"({"dump": {"dump_debug": "on"}})") == with("error dump_path_missing"));
    // Dumps of exceptions need no path and exclude overflow detection.
    const ProcessResult scene = examiner.run(R"({"dump": {"dump_scene": "lite_exception", "dump_debug": "on"}})");
    CHECK(findings_of(scene) == with("error dumps_exclude_each_other"));
    CHECK(contains(scene.out, R"(dump_debug \"on\" and dump_scene \"lite_exception\" exclude each other)"));
    CHECK(examiner.findings(R"({"dump": {"dump_scene": "aic_err_brief_dump", "dump_op_switch": "on"}})") ==
          listed({"error exception_dump_only", "error dumps_exclude_each_other"}));
    CHECK(examiner.findings(R"({"dump": {PATH, "dump_list": [{"layer": ["a"], "watcher_nodes": ["b"]}]}})") ==
          listed({"warning data_dump_only", "error settings_refused"}));
}

// Allowed values: dumpValidOptions in CANN's dump_config_converter.cpp.
TEST_CASE("doctor: acl.json with values that CANN refuses, and with other dumps") {
    const Examiner examiner;
    const std::string off = "error overflow_dump_off", refused = "error settings_refused";
    for (const auto& one : std::vector<std::pair<std::string, Set>>{
             {R"("dump_debug": "ON")", {refused, off}},
             {R"("dump_mode": "both", "dump_op_switch": "on")", {refused, "warning data_dump_only"}},
             {R"("dump_stats": ["max"], "dump_op_switch": "on")", {refused, "warning data_dump_only"}},
             {R"("dump_list": {}, "dump_op_switch": "on")", {refused, "warning data_dump_only"}},
             {R"("dump_step": "5-3", "dump_op_switch": "on")", {refused, "warning data_dump_only"}},
             {R"("dump_step": "0|3-5", "dump_op_switch": "on")", {"warning data_dump_only"}},
             {R"("dump_data": "stats", "dump_op_switch": "on", "dump_list": [{}])", {"warning data_dump_only"}},
             {R"("dump_list": [{"model_name": "m"}])", {"warning data_dump_only"}},
             {R"("dump_scene": "lite_exception")", {"error exception_dump_only"}}}) {
        CAPTURE(one.first);
        CHECK(examiner.findings("{\"dump\": {PATH, " + one.first + "}}") == listed(one.second));
    }
    CHECK(examiner.findings(R"({PATH, "dump_debug": "on"})") == listed({"error dump_object_missing"}));
}

TEST_CASE("doctor: dump_scene watcher") {
    const Examiner examiner;
    const auto settings = [](const std::string& members) {
        return R"({"dump": {PATH, "dump_scene": "watcher")" + members + "}}";
    };
    const std::string nodes = R"(, "dump_list": [{"layer": ["a"], "watcher_nodes": ["b"]}])";
    CHECK(examiner.findings(settings(nodes)) == listed({"info watch_mode"}));
    CHECK(examiner.findings(
              settings(nodes + R"(, "dump_debug": "off", "dump_op_switch": "off", "dump_mode": "output")")) ==
          listed({"info watch_mode"}));
    for (const auto& one : std::vector<std::pair<std::string, std::string>>{
             {nodes + R"(, "dump_debug": "on")", R"(and dump_debug \"on\")"},
             {nodes + R"(, "dump_op_switch": "on")", R"(and dump_op_switch \"on\")"},
             {nodes + R"(, "dump_mode": "all")", R"(and dump_mode \"all\")"},
             {nodes + R"(, "dump_step": "0")", "and dump_step"},
             {R"(, "dump_list": [{"model_name": "m", "watcher_nodes": ["b"]}])", "and model_name"}}) {
        CAPTURE(one.first);
        const ProcessResult run = examiner.run(settings(one.first));
        CHECK(findings_of(run) == listed({"info watch_mode", "error dumps_exclude_each_other"}));
        CHECK(contains(run.out, R"(dump_scene \"watcher\" )" + one.second));
        CHECK(run.exit_status == 1);
    }
    for (const char* entry : {R"({"layer": ["a"]})", R"({"layer": ["a"], "watcher_nodes": []})", ""}) {
        CHECK(examiner.findings(settings(std::string(R"(, "dump_list": [)") + entry + "]")) ==
              listed({"info watch_mode", "error settings_refused"}));
    }
    CHECK(examiner.findings(settings("")) == listed({"info watch_mode", "error settings_refused"}));
}

TEST_CASE("doctor: MindSpore's dump settings") {
    const Examiner examiner;
    const auto mode = [&](const std::string& value) {
        return examiner.findings("{\"common_dump_settings\": {PATH, \"op_debug_mode\": " + value + "}}", "path");
    };
    CHECK(mode("3").empty());
    CHECK(mode("1") == listed({"info overflow_dump_partial"}));
    CHECK(mode("0") == listed({"warning data_dump_only"}));
    CHECK(mode("4") == listed({"error exception_dump_only"}));
    CHECK(mode("5") == listed({"error settings_refused"}));
    // Versions up to 1.4 have the mode in async_dump_settings, those up to 1.0 all in DumpSettings.
    const auto asynchronous = [&](const std::string& value) {
        return examiner.findings(
            "{\"common_dump_settings\": {PATH, \"iteration\": 0}, \"async_dump_settings\": "
            "{\"enable\": true, \"op_debug_mode\": " +
                value + "}}",
            "path");
    };
    CHECK(asynchronous("3").empty());
    CHECK(asynchronous("0") == listed({"warning data_dump_only"}));
    const std::string old = R"({"DumpSettings": {"net_name": "ResNet50", "dump_mode": 0, "iteration": 0)";
    CHECK(examiner.findings(old + R"(, "op_debug_mode": 3}})").empty());
    CHECK(examiner.findings(old + R"(, "op_debug_mode": 7}})") == listed({"error settings_refused"}));
}

// MindSpore's dump.md, and dump_json_parser.cc.
TEST_CASE("doctor: MindSpore's settings that do not fit together") {
    const Examiner examiner;
    const std::string refused = "error settings_refused", unsupported = "warning settings_not_supported";
    const auto found = [&](const std::string& members, const std::string& e2e = "{}") {
        return examiner.findings(
            "{\"common_dump_settings\": {PATH, " + members + "}, \"e2e_dump_settings\": " + e2e + "}", "path");
    };
    CHECK(found(R"("op_debug_mode": 3, "saved_data": "statistic")") == listed({unsupported}));
    CHECK(found(R"("op_debug_mode": 3, "saved_data": "tensor", "input_output": 0)").empty());
    CHECK(found(R"("op_debug_mode": 3, "input_output": 2)") == listed({unsupported}));
    CHECK(found(R"("op_debug_mode": 3)", R"({"stat_calc_mode": "device"})") == listed({unsupported}));
    CHECK(found(R"("op_debug_mode": 3, "saved_data": "all")") == listed({refused, unsupported}));
    CHECK(found(R"("op_debug_mode": 3, "iteration": "3-1")") == listed({"warning settings_select_nothing"}));
    CHECK(found(R"("op_debug_mode": 3, "iteration": "0|5-8|100-120")").empty());
    CHECK(found(R"("op_debug_mode": 3, "iteration": "all")").empty());
    CHECK(found(R"("op_debug_mode": 0)", R"({"sample_mode": 1})") ==
          listed({"warning data_dump_only", "warning values_of_a_sample"}));
    const auto at = [&](const std::string& path) {
        return examiner.findings("{\"common_dump_settings\": {\"op_debug_mode\": 3, \"path\": \"" + path + "\"}}");
    };
    CHECK(at("./dump") == listed({refused}));
    CHECK(at("/tmp/a+b") == listed({refused}));
    CHECK(at("") == listed({"warning dump_path_from_variable"}));
}

// msprobe's atb_data_dump_instruct.md: the path is an option of load_atb_probe.sh.
TEST_CASE("doctor: settings of ATB dumps") {
    const Examiner examiner;
    const std::string rest = R"(, "exec_range": "all", "save_child": false})";
    CHECK(examiner.findings(R"({"task": "all", "dump_enable": true)" + rest).empty());
    CHECK(examiner.findings(R"({"task": "tensor", "dump_enable": true)" + rest) ==
          listed({"warning atb_statistics_missing"}));
    CHECK(examiner.findings(R"({"task": "statistics")" + rest) == listed({"warning dump_switched_off"}));
    CHECK(examiner.findings(R"({"task": "all", "dump_enable": true, "exec_range": "none"})") ==
          listed({"warning settings_select_nothing"}));
}

TEST_CASE("doctor: comments in settings are not JSON") {
    const Examiner examiner;
    for (const auto& one : std::vector<std::pair<std::string, std::string>>{
             {"// acl.json\n{\"dump\": {}}", "line 1, column 1"},
             {"{\"dump\": {},\n  # what\n \"x\": 1}", "line 2, column 3"},
             {"{\"dump\": /* a\n b */ {}}", "line 1, column 10"},
             {"{\n\"task\": \"tensor\", // statistics\n\"level\": \"L1\"}", "line 2, column 19"},
             {"{\"rank\": [0, 1 // both\n]}", "line 1, column 16"},
             {"{\"rank\" // r\n: 1}", "line 1, column 9"},
             {"{\"dump\": true//\n}", "line 1, column 14"},
             {"{}\n\n# end", "line 3, column 1"}}) {
        CAPTURE(one.first);
        const ProcessResult run = examiner.run(one.first);
        CHECK(findings_of(run) == listed({"error settings_unreadable"}));
        CHECK(contains(run.out, "comments are not JSON: " + one.second));
        CHECK(contains(run.out, "remove the comment"));
    }
    // Texts may contain such signs, and an earlier fault comes first.
    CHECK_FALSE(contains(examiner.run(R"({"task": "x", "note": "a // b # c /* d */", PATH})").out, "comments"));
    CHECK(contains(examiner.run("{\"task\": \"x\",} // end").out, "not valid JSON at line 1, column 14"));
}

TEST_CASE("doctor: settings that are not those of a dump") {
    const Examiner examiner;
    CHECK(examiner.findings(R"({"dump": )") == listed({"error settings_unreadable"}));
    CHECK(examiner.findings(R"([])") == listed({"error settings_unreadable"}));
    CHECK(examiner.findings(R"({})") == listed({"warning settings_unknown"}));
    CHECK(examiner.findings(R"({"dump_config_path": "/x/config.json"})") == listed({"warning settings_in_other_file"}));
    CHECK(findings_of(examine_paths({"/nowhere/acl.json"})) == listed({"error path_missing"}));
}

TEST_CASE("doctor: msprobe's settings that give a whole verdict") {
    const Examiner examiner;
    const std::vector<std::string> whole{
        R"("task": "statistics")", R"("task": "tensor", "level": "L1")", R"("statistics": {"summary_mode": "md5"})",
        R"("task": "tensor", "tensor": {"summary_mode": "md5", "data_mode": ["all"]})",
        R"("task": "statistics", "statistics": {"data_mode": ["input", "output"]})",
        R"("task": "statistics", "statistics": {"data_mode": ["forward", "backward"]})",
        R"("task": "statistics", "statistics": {"data_mode": [], "slice": null, "request_id": ""})",
        // Sections of other tasks do not count.
        R"("task": "tensor", "statistics": {"summary_mode": "xor", "data_mode": ["output"]})",
        R"("task": "statistics", "nan_check": {"data_mode": ["input"]}, "rank": [])",
        R"("task": "tensor", "level": "L2", "tensor": {"list": ["Torch.add.0.forward"]})",
        R"("task": "statistics", "statistics": {"summary_mode": ["max", "min"]}, "level": "L2")",
        R"("task": "exception_dump", "level": "L2")", R"("level": "L1")", R"("step": [0, "4-6"])"};
    std::vector<std::string> texts;
    for (const std::string& members : whole) {
        texts.push_back(msprobe(members));
    }
    const std::vector<std::string> found = examiner.findings_of_each(texts);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        CAPTURE(whole[i]);
        CHECK(found[i].empty());
    }
    CHECK(examiner.findings(R"({PATH, "task": "overflow_check"})") == listed({"warning task_gone"}));
    for (const char* const members : {R"("task": "statistics")", R"("step": [0], "rank": [])", R"("level": "")"}) {
        CHECK(examiner.findings(std::string("{PATH, ") + members + "}") ==
              listed({"info calls_left_out", "info low_precision_statistics"}));
    }
}

TEST_CASE("doctor: msprobe's settings that limit the verdict") {
    const Examiner examiner;
    struct Case {
        std::string members;
        Set findings;
    };
    const std::string refused = "error settings_refused", no_values = "error settings_give_no_values",
                      partial = "warning settings_give_partial_values", slice = "warning values_of_a_slice",
                      conditions = "info nan_check_conditions", model = "info level_needs_model",
                      late = "info dump_written_at_step_end";
    const std::vector<Case> cases{
        {R"("task": "statistics", "statistics": {"summary_mode": "xor"})", {no_values}},
        {R"("task": "tensor", "tensor": {"summary_mode": "xor"})", {no_values}},
        {R"("task": "structure", "level": "mix")", {no_values, model}},
        {R"("task": "structure", "level": "L2")", {no_values, model}},
        {R"("statistics": {"summary_mode": ["md5"]})", {"warning settings_give_no_values"}},
        {R"("level": "L2", "statistics": {"summary_mode": ["hash"], "list": ["Default/Add-op1"]})",
         {"warning settings_give_no_values"}},
        {R"("level": "L2", "statistics": {"summary_mode": ["max", "l2norm"]})", {partial}},
        {R"("task": "statistics", "statistics": {"data_mode": ["output"]})", {"warning inputs_not_dumped"}},
        {R"("task": "tensor", "tensor": {"data_mode": ["backward", "output"]})",
         {"warning inputs_not_dumped", "info pass_not_dumped"}},
        {R"("task": "tensor", "tensor": {"data_mode": ["input"]})", {"warning outputs_not_dumped"}},
        {R"("task": "statistics", "statistics": {"data_mode": ["forward"]})", {"info pass_not_dumped"}},
        {R"("task": "tensor", "async_dump": true)", {refused, late}},
        {R"("task": "tensor", "async_dump": true, "level": "debug")", {late, "warning saved_values_only"}},
        // Values: TASK_LIST, LEVEL_LIST and others in msprobe's const.py; lists: get_real_step_or_rank() in utils.py.
        {R"("task": "statistic")", {refused}},
        {R"("level": "l1")", {refused}},
        {R"("rank": "0")", {refused, "info ranks_selected"}},
        {R"("step": "1-3")", {refused}},
        {R"("step": ["3-1"])", {refused}},
        {R"("dump_enable": "true")", {refused}},
        {R"("task": "tensor", "tensor": {"data_mode": ["foward"]})", {refused}},
        {R"("task": "tensor", "tensor": {"list": "relu"})", {refused}},
        {R"("task": "statistics", "statistics": {"summary_mode": "max"})", {refused}},
        {R"("task": "statistics", "statistics": {"summary_mode": ["maximum", "max", "min"]})", {refused}},
        {R"("task": "statistics", "statistics": {"scope": ["Torch.add.0.forward"]})", {refused}},
        {R"("task": "free_benchmark")", {"warning task_gone"}},
        {R"("task": "grad_probe", "level": "L2")", {"warning task_gone"}},
        {R"("level": "debug")", {"warning saved_values_only"}},
        {R"("task": "tensor", "async_dump": true, "tensor": {"list": ["relu"]})", {late}},
        {R"("task": "statistics", "async_dump": true, "statistics": {"summary_mode": "md5"})", {refused, late}},
        {R"("task": "statistics", "statistics": {"data_mode": ["all", "input"]})", {refused}},
        {R"("task": "nan_check")", {conditions}},
        {R"("task": "nan_check", "level": "mix")", {conditions, refused, model}},
        {R"("task": "nan_check", "nan_check": {"data_mode": ["input"]})", {conditions, refused}},
        {R"("task": "nan_check", "nan_check": {"data_mode": ["output"]})", {conditions, "warning inputs_not_dumped"}},
        {R"("task": "statistics", "level": "L2", "statistics": {"list": ["Torch.add.0.forward"]})", {refused}},
        {R"("task": "tensor", "level": "L2")", {refused}},
        {R"("task": "tensor", "level": "L2", "tensor": {"list": ["a", "b"]})", {refused}},
        {R"("task": "tensor", "level": "L2", "tensor": {"list": ["a"], "scope": ["a", "b"]})", {refused}},
        {R"("task": "statistics", "statistics": {"slice": [[0, 4]]})", {slice}},
        {R"("task": "tensor", "level": "L0", "tensor": {"request_id": "r1"})", {slice, model}},
        {R"("task": "nan_check", "nan_check": {"slice": [[0, 4]]})", {conditions}},
        {R"("task": "statistics", "rank": [0, "4-6"])", {"info ranks_selected"}},
        {R"("task": "statistics", "dump_enable": false)", {"warning dump_switched_off"}},
        {R"("task": "statistics", "dump_enable": true)", {}}};
    std::vector<std::string> texts;
    for (const Case& one : cases) {
        texts.push_back(msprobe(one.members));
    }
    const std::vector<std::string> found = examiner.findings_of_each(texts);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        CAPTURE(cases[i].members);
        CHECK(found[i] == listed(cases[i].findings));
    }
}

TEST_CASE("doctor: what msprobe refuses, and what it accepts, in both languages") {
    const Examiner examiner;
    const std::string path = examiner.write(msprobe(R"("task": "statistic", "rank": 3)"));
    const ProcessResult english = run_tool({"doctor", "--format", "text", path});
    CHECK(contains(english.out, "msprobe refuses these settings: task \"statistic\"\n    → task: \"statistics\", "));
    CHECK(contains(english.out, "msprobe refuses these settings: rank 3\n    → rank as JSON array"));
    CHECK_FALSE(contains(english.out, "no fault"));
    const ProcessResult chinese = run_tool({"doctor", "--format", "text", "--lang", "zh", path});
    CHECK(contains(chinese.out, "msprobe 会拒绝这些配置：task \"statistic\"\n    → task：\"statistics\", "));
    const std::string checksum = examiner.write(msprobe(R"("statistics": {"summary_mode": ["md5"]})"));
    CHECK(contains(run_tool({"doctor", "--format", "text", "--lang", "zh", checksum}).out,
                   "summary_mode [\"md5\"] 不写统计量"));
    // FILE_VALID_PATTERN in msprobe's const.py.
    CHECK(examiner.findings(R"({"dump_path": "/tmp/abc++", "risk_level": "ALL", "precision": "high"})") ==
          listed({"error settings_refused"}));
}

TEST_CASE("doctor: risk_level of msprobe leaves out calls at L1 and mix") {
    const Examiner examiner;
    const auto examined = [&](const std::string& members) {
        return examiner.findings("{PATH, \"precision\": \"high\", \"task\": \"statistics\"" + members + "}");
    };
    CHECK(examined("") == listed({"info calls_left_out"}));
    CHECK(examined(R"(, "risk_level": "FOCUS", "level": "mix")") ==
          listed({"info calls_left_out", "info level_needs_model"}));
    CHECK(examined(R"(, "risk_level": "CORE")") == listed({"warning calls_left_out"}));
    for (const char* members : {R"(, "risk_level": "ALL")", R"(, "risk_level": null)", R"(, "risk_level": "")",
                                R"(, "statistics": {"device": "device"})"}) {
        CAPTURE(members);
        CHECK(examined(members).empty());
    }
    CHECK(examined(R"(, "level": "debug")") == listed({"warning saved_values_only"}));
}

TEST_CASE("doctor: a dump path in settings where a file is") {
    const TemporaryDirectory directory;
    const std::string file = write_file(directory / "dump", "x");
    const std::string settings =
        write_file(directory / "acl.json", "{\"dump\": {\"dump_path\": \"" + file + "\", \"dump_debug\": \"on\"}}");
    CHECK(findings_of(examine_paths({settings})) ==
          listed({"error not_a_folder", "info no_overflow_file_on_950", "info offline_model_needs_status_check"}));
    const ProcessResult run = run_tool({"doctor", "--format", "text", settings});
    CHECK(contains(run.out, file + ": This is a file, not a folder"));
    CHECK(contains(run.out, "1 problem   (-v"));
}
