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
    CHECK(examiner.findings(R"({"dump": {"dump_debug": "on"}})") == with("error dump_path_missing"));
    // Dumps of exceptions need no path and exclude overflow detection.
    const ProcessResult scene = examiner.run(R"({"dump": {"dump_scene": "lite_exception", "dump_debug": "on"}})");
    CHECK(findings_of(scene) == with("error dumps_exclude_each_other"));
    CHECK(contains(scene.out, R"(dump_debug \"on\" and dump_scene \"lite_exception\" exclude each other)"));
    CHECK(examiner.findings(R"({"dump": {"dump_scene": "aic_err_brief_dump", "dump_op_switch": "on"}})") ==
          listed({"error overflow_dump_off", "error dumps_exclude_each_other"}));
    CHECK(examiner.findings(R"({"dump": {PATH, "dump_list": [{"layer": ["a"], "watcher_nodes": ["b"]}]}})") ==
          listed({"error overflow_dump_off", "error dumps_exclude_each_other"}));
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
    CHECK(mode("0") == listed({"error overflow_dump_off"}));
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
        R"("task": "exception_dump", "level": "L2")", R"("task": "grad_probe", "level": "L2")"};
    std::vector<std::string> texts;
    for (const std::string& members : whole) {
        texts.push_back(msprobe(members));
    }
    const std::vector<std::string> found = examiner.findings_of_each(texts);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        CAPTURE(whole[i]);
        CHECK(found[i].empty());
    }
    CHECK(examiner.findings(R"({PATH, "task": "overflow_check"})") == listed({"warning overflow_check_gone"}));
    CHECK(examiner.findings(R"({PATH, "task": "statistics"})") ==
          listed({"info calls_left_out", "info low_precision_statistics"}));
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
        {R"("task": "tensor", "async_dump": true, "level": "debug")", {late}},
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
                                R"(, "level": "debug")", R"(, "statistics": {"device": "device"})"}) {
        CAPTURE(members);
        CHECK(examined(members).empty());
    }
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
