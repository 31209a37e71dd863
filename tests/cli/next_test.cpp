// `opdebug next`: settings as text, JSON and files, and the exit statuses.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "json_schema.hpp"
#include "tool.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

/// The report of a command about a demonstration in testdata.
std::string report_of_demo(const TemporaryDirectory& directory, std::vector<std::string> arguments) {
    const ProcessResult run = run_tool(std::move(arguments));
    CHECK(run.exit_status == 0);
    return write_file(directory / "report.json", run.out);
}

std::string demo(const std::string& name) {
    return std::string(source_folder) + "/testdata/" + name;
}

}  // namespace

TEST_CASE("next: text ready to paste, in both languages") {
    const TemporaryDirectory directory;
    const std::string report = report_of_demo(directory, {"api", demo("api-demo"), "--format", "json"});
    const ProcessResult run = run_tool({"next", report, "--format", "text"});
    CHECK(run.exit_status == 0);
    CHECK(run.out ==
          "Next run: tensor   values of the culprits\n"
          "\n"
          "config.json   msprobe\n"
          "  Answers: the values of the culprits: all elements of inputs and outputs\n"
          "  Use: pass the file to PrecisionDebugger(config_path=\"config.json\"). Convert .pt files of PyTorch\n"
          "    for opdebug tensors: python3 -c \"import sys, numpy, torch; numpy.save(sys.argv[1][:-3],\n"
          "    torch.load(sys.argv[1], map_location='cpu').detach().float().numpy())\" FILE.pt\n"
          "{\n"
          "  \"task\": \"tensor\",\n"
          "  \"dump_path\": \"./opdebug_next\",\n"
          "  \"rank\": [\n"
          "    0\n"
          "  ],\n"
          "  \"step\": [\n"
          "    12\n"
          "  ],\n"
          "  \"level\": \"L1\",\n"
          "  \"risk_level\": \"ALL\",\n"
          "  \"tensor\": {\n"
          "    \"list\": [\n"
          "      \"Torch.exp.0.forward\"\n"
          "    ],\n"
          "    \"data_mode\": [\n"
          "      \"all\"\n"
          "    ],\n"
          "    \"summary_mode\": \"md5\"\n"
          "  }\n"
          "}\n");
    const std::string chinese = run_tool({"next", report, "--for", "watch", "--format", "text", "--lang", "zh"}).out;
    CHECK(contains(chinese, "下次运行：watch   内存覆盖\n"));
    CHECK(contains(chinese, "export ASCEND_LAUNCH_BLOCKING=1\n  仅用于第二次运行：算子逐个执行\n"));
}

TEST_CASE("next: documents follow the schema for each purpose and report") {
    const TemporaryDirectory directory;
    std::string lines;
    for (const std::vector<std::string>& source :
         {std::vector<std::string>{"api", demo("api-demo"), "--format", "json"},
          std::vector<std::string>{"scan", demo("demo"), "--logs", demo("demo/logs"), "--format", "json"},
          std::vector<std::string>{"scan", demo("demo"), "--logs", demo("demo/logs"), "--format", "jsonl"},
          std::vector<std::string>{"train", demo("train-demo/train.log"), "--format", "json"}}) {
        const std::string report = report_of_demo(directory, source);
        for (const char* const purpose : {"tensor", "bench", "watch", "kernel", "nan_check", "train"}) {
            lines += as_line(run_tool({"next", report, "--for", purpose, "--format", "json"}).out);
        }
    }
    if (const auto verdict = schema_verdict("next", lines)) {
        CHECK(*verdict == "24 valid\n");
    }
}

TEST_CASE("next: a scan's operator and model in acl.json, written once") {
    const TemporaryDirectory directory;
    const std::string report =
        report_of_demo(directory, {"scan", demo("demo"), "--logs", demo("demo/logs"), "--format", "json"});
    const std::string folder = directory / "settings";
    const std::vector<std::string> call{"next", report, "--files", folder, "--dump-path", "/data/next"};
    CHECK(run_tool(call).exit_status == 0);
    const ordered_json written = ordered_json::parse(read_file(folder + "/acl.json"));
    CHECK(written["dump"]["dump_path"] == "/data/next");
    CHECK(written["dump"]["dump_list"][0]["model_name"] == "bert_train");
    CHECK(written["dump"]["dump_list"][0]["layer"][0] == "bert/encoder/layer_3/attention/softmax/Exp");
    const ProcessResult again = run_tool(call);
    CHECK(again.exit_status == 1);
    CHECK(contains(again.err, "acl.json exists: existing files are never overwritten"));
    write_file(directory / "other/notes.txt", std::string_view("no settings"));
    const ProcessResult twice =
        run_tool({"next", report, "--files", directory / "other", "-o", directory / "other/acl.json"});
    CHECK(twice.exit_status == 1);
    CHECK(contains(twice.err, "other/acl.json exists: existing files are never overwritten"));
    CHECK(contains(read_file(directory / "other/acl.json"), "opdebug.next/1"));
    const ProcessResult not_utf8 = run_tool({"next", report, "--dump-path", "/data/\xff"});
    CHECK(not_utf8.exit_status == 2);
    CHECK(contains(not_utf8.err, "--dump-path must be UTF-8"));
}

TEST_CASE("next: doctor accepts all files") {
    const TemporaryDirectory directory;
    const auto api = [](const std::string& source, const std::string& name, const std::string& file) {
        return R"({"schema": "opdebug.api_report/1", "first": [{"source": ")" + source + R"(", "api": ")" + name +
               R"(", "file": ")" + file + R"(", "step": 2, "rank": 0}]})";
    };
    const std::string record = R"({"schema": "opdebug.record/1", "overflow": true, "model": {"name": "net"},
        "path_ids": {"data_index": 2}, "operator": {"name": ")";
    std::set<std::string> tools;
    std::size_t count = 0;
    for (const std::string& text :
         {api("msprobe", "Torch.exp.0.forward", "dump.json"), api("msprobe", "Module.fc.Linear.forward.0", "dump.json"),
          api("msprobe", "h.0.debug", "debug.json"), api("msprobe", "toy.forward", "dump.json"),
          api("statistic_csv", "Default_Mul-op2", "rank_0/Net/0/2/statistic.csv"),
          api("statistic_csv", "mul_1", "20241120060505/0/net/1/2/Mul.mul_1.65.396.1732082705900500.csv"),
          api("statistic_csv", "mul_1", "20241120060505/0/Mul.mul_1.65.396.1732082705900500.csv"),
          api("statistic_csv", "Layer/Attention", "atb_dump_data/data/0_1/2/statistic.csv"), record + "net/Exp\"}}",
          record + "Default/Exp-op12\"}}"}) {
        for (const char* const purpose : {"tensor", "bench", "watch", "kernel", "nan_check", "train"}) {
            CAPTURE(text);
            CAPTURE(purpose);
            const std::string report = write_file(directory / "report.json", text);
            const std::string folder = directory / std::to_string(count++);
            run_tool({"next", report, "--for", purpose, "--dump-path", directory / "dump", "--files", folder, "-o",
                      folder + ".json"});
            const ordered_json next = ordered_json::parse(read_file(folder + ".json"));
            for (const ordered_json& file : next.at("files")) {
                tools.insert(file.at("tool"));
                const ProcessResult doctor =
                    run_tool({"doctor", folder + "/" + file.at("name").get<std::string>(), "--format", "text"});
                CHECK(doctor.exit_status == 0);
                CHECK_FALSE(contains(doctor.out, "Unknown settings"));
            }
        }
    }
    CHECK(tools == std::set<std::string>{"CANN", "MindSpore", "msprobe"});
}

TEST_CASE("next: exit statuses") {
    const TemporaryDirectory directory;
    const std::string clean =
        write_file(directory / "clean.json", std::string_view(R"({"schema": "opdebug.api_report/1", "first": []})"));
    const ProcessResult nothing = run_tool({"next", clean});
    CHECK(nothing.exit_status == 0);
    CHECK(nothing.out.empty());
    CHECK(contains(nothing.err, "nothing is missing"));
    const std::string other = write_file(directory / "other.json", std::string_view("{}"));
    CHECK(run_tool({"next", other}).exit_status == 2);
    CHECK(contains(run_tool({"next", other}).err, "not a report of opdebug"));
    CHECK(run_tool({"next", directory / "absent.json"}).exit_status == 2);
    CHECK(run_tool({"next"}).exit_status == 2);
    const std::string graph = write_file(
        directory / "graph.json",
        std::string_view(R"({"schema": "opdebug.record/1", "overflow": true, "operator": {"name": "net/Exp"}})"));
    const ProcessResult no_settings = run_tool({"next", graph, "--for", "kernel", "--format", "text"});
    CHECK(no_settings.exit_status == 1);
    CHECK(contains(no_settings.out, "there are no settings for this purpose"));
    const std::string nameless = write_file(directory / "nameless.json",
                                            std::string_view(R"({"schema": "opdebug.record/1", "overflow": true})"));
    const ProcessResult missing = run_tool({"next", nameless, "--format", "text"});
    CHECK(missing.exit_status == 1);
    CHECK(contains(missing.out, "export ASCEND_GLOBAL_LOG_LEVEL=1\n"));
    CHECK(contains(missing.out,
                   "Not written: acl.json (CANN): the report names no operator (.npy files have none). For scan and\n"
                   "  decode, add --logs\n"));
}
