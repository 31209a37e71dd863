// `opdebug scan` with printed errors that a terminal, an editor or a screenshot broke.
#include <doctest/doctest.h>

#include <string>

#include "reference_data.hpp"
#include "scan_job.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

ordered_json report_of_case(const std::string& folder) {
    const ProcessResult run = scan_in(folder + "/dump", "json", {"--logs", folder + "/logs"});
    CAPTURE(run.err);
    const ordered_json report = report_of(run);
    REQUIRE(report["timeline"].size() == 1);
    return report;
}

/// The report on the dump of stream 563, task 57 with this text as log.
ordered_json report_with(const std::string& text) {
    const TemporaryDirectory folder;
    const std::string root = folder.path();
    write_file(root + "/dump/20260304100000/0/net/1/0/" + dump_name(57), legacy());
    write_file(root + "/logs/serve.log", text);
    return report_of_case(root);
}

ordered_json operator_in(const ordered_json& report) {
    return report["timeline"][0]["operator"];
}

bool has_code(const ordered_json& remarks, const std::string& code) {
    bool has = false;
    for (const auto& remark : remarks) {
        has = has || remark["code"] == code;
    }
    return has;
}

/// The text with `break_text` at this location of it.
std::string broken(std::string text, const std::string& before, const std::string& break_text) {
    const std::size_t place = text.find(before);
    REQUIRE(place != std::string::npos);
    return text.insert(place, break_text);
}

const std::string kernel = "GatherV3_7869a97190b9b4d296d9414a005b954b_high_performance_80330";
const std::string filled(90, ' ');

std::string sentence(const std::string& name, const std::string& further_name) {
    return "Aicore kernel execute failed, device_id=0, stream_id=563, report_stream_id=7, task_id=57, flip_num=0, "
           "fault kernel_name=" +
           name + ", fault kernel info ext=" + further_name + ", program id=3, hash=12.";
}

const std::string trailer = "[FUNC:GetError][FILE:stream.cc][LINE:1124]";

}  // namespace

TEST_CASE("broken sentences: a name that a terminal broke is joined where the sentence has it twice (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    const ordered_json named = operator_in(report_of_case((*folder / "field/logs/01-vllm693-wrapped").string()));
    CHECK(named["type"] == "RepeatInterleave");
    CHECK(named["kernel"] == "RepeatInterleave_c956995141babe6b46a07ca335faa2f6_high_performance__kernel0");
}

TEST_CASE("broken sentences: text recognised from a screenshot gives the type (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    const ordered_json report = report_of_case((*folder / "field/logs/10-vllm1731-ocr").string());
    CHECK(operator_in(report)["type"] == "GatherV3");
    CHECK(operator_in(report)["kernel"] == "GatherV3_7869a97190b9b4d296d9414a005b954b_hi");
    CHECK(has_code(report["timeline"][0]["diagnostics"], "name_truncated"));
}

TEST_CASE("broken sentences: a sentence on several lines is read (reference data)") {
    const auto folder = reference_data();
    if (!folder) {
        return;
    }
    const ordered_json named = operator_in(report_of_case((*folder / "field/logs/14-rewrapped-addn").string()));
    CHECK(named["kernel"] == "00_131_Grandients/Default/AddN.op56419");
    CHECK(named["name"] == "Grandients/Default/AddN.op56419");
}

TEST_CASE("broken sentences: breaks between words, keys and values, by lines and by filled lines") {
    const std::string whole = sentence(kernel, kernel) + trailer + "\n";
    for (const char* before : {"execute", "device_id", "stream_id", "task_id", "fault kernel_name", "program", "hash",
                               "[FUNC", "[FILE", "[LINE", "tream.cc", "124]"}) {
        for (const std::string& gap : {std::string("\n"), std::string("\n    "), filled}) {
            CAPTURE(std::string(before));
            CHECK(operator_in(report_with(broken(whole, before, gap)))["kernel"] == kernel);
        }
    }
    CHECK(operator_in(report_with(broken(whole, "_id=563", "\n")))["kernel"] == kernel);  // inside a key
    CHECK(operator_in(report_with(broken(whole, "63, ", filled)))["kernel"] == kernel);   // inside a number
    CHECK(operator_in(report_with("unrelated words\n\n" + broken(whole, "task_id", "\n")))["kernel"] == kernel);
}

TEST_CASE("broken sentences: a number that a line break splits is not joined") {
    const std::string whole = sentence(kernel, kernel) + trailer + "\n";
    CHECK(operator_in(report_with(broken(whole, "63, ", "\n"))).is_null());
    CHECK(operator_in(report_with(broken(whole, "7, flip", "\n"))).is_null());
}

TEST_CASE("broken sentences: a broken name is joined, cut after its hash or left out, never shown with the break") {
    for (const std::string& gap : {std::string("\n"), std::string("\n    "), filled, std::string("  ")}) {
        const std::string twice = broken(sentence(kernel, kernel), "erV3_", gap) + trailer + "\n";
        CHECK(operator_in(report_with(twice))["kernel"] == kernel);

        const std::string behind = broken(sentence(kernel, "none"), "gh_perf", gap) + trailer + "\n";
        const ordered_json cut = report_with(behind);
        CHECK(operator_in(cut)["type"] == "GatherV3");
        CHECK(operator_in(cut)["kernel"] == "GatherV3_7869a97190b9b4d296d9414a005b954b_hi");

        const std::string once = broken(sentence(kernel, "none"), "erV3_", gap) + trailer + "\n";
        const ordered_json lost = report_with(once);
        CHECK(operator_in(lost).is_null());
        CHECK(has_code(lost["timeline"][0]["diagnostics"], "task_failed"));
        CHECK(has_code(lost["diagnostics"], "log_name_broken"));
    }
}

TEST_CASE("broken sentences: a log line's name with a run of blanks is not used") {
    const std::string line = "[ERROR] RUNTIME(413,python):2026-03-04-10:00:05.100.000 [task.cc:7]472 PrintErrorInfo:";
    CHECK(operator_in(report_with(line + sentence(kernel, "none") + "\n"))["kernel"] == kernel);
    CHECK(operator_in(report_with(line + sentence(broken(kernel, "erV3_", filled), "none") + "\n")).is_null());
}

TEST_CASE("broken sentences: blanks between the blocks at the end") {
    for (const char* blocks : {"[FUNC:GetError][FILE:stream.cc] [LINE:9]", "[FUNC:GetError] [FILE:stream.cc] [LINE :9]",
                               "[FUNC:GetError][FILE:stream.cc][LINE:9]  "}) {
        CHECK(operator_in(report_with(sentence(kernel, "none") + blocks + "\n"))["kernel"] == kernel);
    }
}

TEST_CASE("broken sentences: colours of a terminal around and inside a sentence are no part of it") {
    const std::string indented = "        " + sentence(kernel, "none") + trailer;
    const std::string carrier = "\x1b[36m(RayWorkerWrapper pid=12, ip=10.0.0.8)\x1b[0m ";
    const std::string in_json =
        "{\"log\":\"\\u001b[36m(Worker pid=12)\\u001b[0m " + indented + "\\n\",\"stream\":\"stderr\"}";
    const std::string marked =
        broken(broken(indented, ", stream_id", "\x1b[m\x1b[K"), "device_id", "\x1b[01;31m\x1b[K");
    for (const std::string& text : {carrier + indented, "\x1b[31m" + indented + "\x1b[0m", in_json, marked}) {
        CAPTURE(text);
        CHECK(operator_in(report_with(text + "\n"))["kernel"] == kernel);
    }
}

TEST_CASE("broken sentences: a number before the blanks of an indented sentence is no part of it") {
    CHECK(operator_in(report_with("pod=web-1 pid=12        " + sentence(kernel, "none") + trailer + "\n"))["kernel"] ==
          kernel);
}

TEST_CASE("broken sentences: line breaks that a string of Python or JSON escapes are breaks") {
    const std::string stack = "EE9999: Inner Error!\\n        TraceBack (most recent call last):\\n       " +
                              sentence(kernel, "none") + trailer;
    for (const std::string& text : {"future: <Task finished exception=RuntimeError('" + stack + "\\n')>",
                                    "RuntimeError(\"" + stack + "\")", "{\"message\": \"" + stack + "\\n\"}"}) {
        CAPTURE(text);
        CHECK(operator_in(report_with(text + "\n"))["kernel"] == kernel);
    }
}
