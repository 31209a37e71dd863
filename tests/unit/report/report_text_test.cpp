// The page for people: what it shows, in which language, and what never reaches the terminal.
#include <opdebug/report.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "dump_builder.hpp"
#include "location.hpp"
#include "log_builder.hpp"
#include "report/text/answer_words.hpp"
#include "report/text/code_texts.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr const char* kDumpFile = "/nowhere/20260304100000/0/toy_net/11/4/Opdebug.Node_OpDebug.59.1772618405000000";

/// An AI Core overflow (model 514, stream 563, task 57, status 0x20) with that path.
Dump decoded_dump(const std::string& file = kDumpFile, std::uint64_t status = 0x20) {
    DecodeOptions options;
    options.file = file;
    const Buffer bytes = build_overflow_dump(ai_core_example(status));
    Result<Dump> dump = decode(Bytes(bytes.data(), bytes.size()), options);
    REQUIRE(dump.ok());
    return *dump;
}

/// Everything a location can contain.
Location full_location() {
    Location location;
    LocatedOperator op;
    op.best.name = "net/softmax/Exp";
    op.best.type = "Exp";
    op.best.kernel = "Exp_77_mix_aic";
    op.best.evidence = {{EvidenceKind::ge_log, "logs/plog-1.log", 42, "Save dump task net/softmax/Exp"}};
    location.op = op;
    location.model = LocatedModel{"toy_net", 514, 11, 7, {{EvidenceKind::runtime_log, "logs/run.log", 3, "bind line"}}};
    location.diagnostics = {{Severity::warning, "some_code", "something to know"}};
    return location;
}

std::string english(const Dump& dump, const Location& location) {
    return record_to_text(dump, location, {});
}

std::string chinese(const Dump& dump, const Location& location) {
    ReportOptions options;
    options.language = Language::chinese;
    return record_to_text(dump, location, options);
}

/// Whether the text holds only printable characters and line breaks.
bool is_safe(const std::string& text) {
    for (const char c : text) {
        if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f) {
            return false;
        }
    }
    return true;
}

}  // namespace

TEST_CASE("text report: answer, location, causes, next steps and evidence, in this order and in twelve lines") {
    Location location = full_location();
    location.op->best.evidence = {
        {EvidenceKind::ge_log, "logs/plog-4711_20261012092958123.log", 41,
         "[INFO] GE(4711,python3):2026-10-12-09:30:00.867.753 [data_dumper.cc:265]4711 SaveDumpTask:Save dump task "
         "net/layer_3/softmax/Exp, task id: 57, stream id: 563"},
        {EvidenceKind::runtime_log, "logs/plog-4711_20261012092958123.log", 39,
         "[INFO] RUNTIME(4711,python3):2026-10-12-09:30:00.866.264 [aix_stars.cc:955] 4711 Launch: stream_id=563, "
         "kernel_name=Exp_77_mix_aic"}};
    location.op->best.name = "net/layer_3/softmax/Exp";
    location.op_dump = LocatedOpDump{"/nowhere/Exp.Exp_1.57.563.1", "", 0, {}};
    location.model->evidence.clear();
    location.diagnostics.clear();
    ReportOptions options;
    options.utc_offset_minutes = [](std::optional<std::uint64_t>) { return 480; };
    CHECK(record_to_text(decoded_dump(kDumpFile, 0x120), location, options) ==
          "OVERFLOW  net/layer_3/softmax/Exp (Exp)                                     exact: 2 log lines agree\n"
          "  device 0   model toy_net   step 4   2026-03-04 18:00:05.000 (+08:00)\n"
          "\n"
          "Why   AI Core status 0x120\n"
          "  0x020  floating-point overflow               the result was too large for its type\n"
          "  0x100  overflow in a conversion to float16   a value above 65504 was converted to float16\n"
          "\n"
          "Next\n"
          "  1. Were the inputs bad already? Run the command again with --tensors.\n"
          "  2. Check the loss scale; try this operator in float32; check that no divisor is near zero.\n"
          "  3. Check casts to float16 in and before this operator; try its output in float32.\n"
          "\n"
          "Evidence   (full lines: -v)\n"
          "  logs/plog-4711_20261012092958123.log\n"
          "    line 41   SaveDumpTask  stream 563 task 57 → …/softmax/Exp\n"
          "    line 39   Launch  stream 563 → kernel Exp_77_mix_aic\n"
          "  /nowhere/20260304100000/0/toy_net/11/4/Opdebug.Node_OpDebug.59.1772618405000000\n");
}

TEST_CASE("text report: -v adds whole lines, the fields of the records, ids and remarks") {
    ReportOptions options;
    options.verbose = true;
    const std::string text = record_to_text(decoded_dump(), full_location(), options);
    for (const char* part :
         {"net/softmax/Exp (Exp)", "[ai_core.float_overflow]", "Advice: ", "Source: ", "Exp_77_mix_aic",
          "runtime id 514, GE id 11, graph id 7", "ge_log logs/plog-1.log:42", "Save dump task net/softmax/Exp",
          "runtime_log logs/run.log:3", "bind line", "stream_id 563", "task_id 57", "0x1008005b0000",
          "2026-03-04 10:00:05.000000 UTC", "data index 4", "warning [some_code] something to know"}) {
        CHECK_MESSAGE(contains(text, part), part);
    }
}

TEST_CASE("text report: labels, causes and next steps are Chinese, and no English sentence is left") {
    const std::string text = chinese(decoded_dump(), full_location());
    for (const char* part :
         {"溢出  net/softmax/Exp (Exp)", "精确匹配：1 行日志", "原因  AI Core 状态值 0x20", "浮点计算溢出",
          "结果超出数据类型的范围", "处理方法", "依据", "警告 [some_code]", "step 4"}) {
        CHECK_MESSAGE(contains(text, part), part);
    }
    for (const char* part : {"Why", "Next", "Evidence", "Remarks", "overflow", "Check", "exact"}) {
        CHECK_FALSE_MESSAGE(contains(text, part), part);
    }
    CHECK(contains(chinese(decoded_dump(), {}), "溢出  算子未知：没有可用的依据"));
}

TEST_CASE("text report: -v lists the uses of the ids, and the row that decided each") {
    Location location = full_location();
    location.uses = {{4711, 0, "logs/plog-1.log", 42, "net/softmax/Exp", true, "", {{"model id", "agrees"}}},
                     {4712, {}, "", 0, "", true, "time", {{"time", "inside for some offsets"}}},
                     {4713, 1, "logs/plog-3.log", 7, "net/Mul", false, "device", {{"device", "contradicts"}}}};
    ReportOptions options;
    CHECK_FALSE(contains(record_to_text(decoded_dump(), location, options), "pid 4711"));
    options.verbose = true;
    const std::string text = record_to_text(decoded_dump(), location, options);
    CHECK(contains(text,
                   "  + net/softmax/Exp   pid 4711   device 0   logs/plog-1.log:42\n      model id: agrees\n"
                   "  + no name   pid 4712   ranked lower by \"time\"\n      time: inside for some offsets\n"
                   "  - net/Mul   pid 4713   device 1   logs/plog-3.log:7   excluded by \"device\"\n"
                   "      device: contradicts\n"));
    options.language = Language::chinese;
    CHECK(contains(record_to_text(decoded_dump(), location, options), "被规则 \"device\" 排除\n      设备：矛盾\n"));
}

TEST_CASE("text report: without an operator the second line has the one thing to do") {
    const Dump dump = decoded_dump();
    const std::string text = english(dump, locate(dump, {}));
    CHECK(text.substr(0, text.find("\n  device")) ==
          "OVERFLOW  operator unknown: no logs were read (stream 563 task 57)\n"
          "  next: add the logs of the run: --logs ~/ascend/log");
    CHECK_FALSE(contains(text, "[no_logs]"));  // stated once
    CHECK(contains(chinese(dump, locate(dump, {})),
                   "溢出  算子未知：没有读取到日志（stream 563 task 57）\n  处理方法：添加本次运行的日志"));
    Location location;
    location.diagnostics = {{Severity::warning, "logs_without_info", "a message"}};
    CHECK(contains(english(dump, location),
                   "unknown: the logs contain no INFO lines (stream 563 task 57)\n"
                   "  next: set ASCEND_GLOBAL_LOG_LEVEL=1 for the next run\n"));
}

TEST_CASE("text report: equally good answers are all listed, and none is called exact") {
    Location location = full_location();
    OperatorAnswer other;
    other.name = "net/other/Mul";
    location.op->candidates = {location.op->best, other};
    const std::string text = english(decoded_dump(), location);
    CHECK(contains(text, "2 candidates, equally good\n  or   net/other/Mul\n"));
    CHECK_FALSE(contains(text, "exact"));
    location.op->candidates.assign(6, other);
    CHECK(contains(english(decoded_dump(), location), "  2 more (-v)\n"));
    CHECK_FALSE(contains(english(decoded_dump(), full_location()), "  or   "));
}

TEST_CASE("text report: a candidate that a rule ranks first is likelier, and the rule is stated") {
    Location location = full_location();
    OperatorAnswer other;
    other.name = "net/other/Mul";
    location.op->best.evidence.clear();
    location.op->candidates = {location.op->best, other};
    const auto with_rules = [&](const std::string& rule_of_unnamed, const std::string& rule_of_other) {
        location.uses = {{1, {}, "", 0, *location.op->best.name, true, "", {}},
                         {2, {}, "", 0, "", true, rule_of_unnamed, {}},
                         {3, {}, "", 0, *other.name, true, rule_of_other, {}}};
        return english(decoded_dump(), location);
    };
    const std::string by_device = "likeliest of 2 candidates: the log names this device\n";
    CHECK(contains(with_rules("device", "newest"), by_device));  // the stronger of both rules
    CHECK(contains(with_rules("newest", "device"), by_device));
    CHECK(contains(with_rules("process", ""), "2 candidates, equally good\n"));  // no evidence
    CHECK(contains(with_rules("", ""), "2 candidates, equally good\n"));
    location.op->best.evidence = {{EvidenceKind::op_dump, "Exp.x.57.1", {}, ""}};
    location.op->candidates.front() = location.op->best;
    CHECK(contains(english(decoded_dump(), location), "its operator dump is next to the dump\n"));
}

TEST_CASE("text report: warnings on the answer are at its head, in short and once") {
    Location location = full_location();
    location.diagnostics = {{Severity::warning, "device_differs", "a long message"},
                            {Severity::info, "time_zone", "another message"}};
    const std::string text = english(decoded_dump(), location);
    const std::size_t warning = text.find("  ! folder and log name different devices");
    CHECK(warning < text.find("\nWhy"));
    CHECK_FALSE(contains(text, "a long message"));
    CHECK_FALSE(contains(text, "time zone"));
    location.diagnostics.push_back({Severity::warning, "failed_on_other_device", "failed on device 5"});
    CHECK(english(decoded_dump(), location).starts_with("OVERFLOW  "));
    CHECK(contains(english(decoded_dump(), location), "\n  ! failed on device 5\n"));
    location.diagnostics.push_back({Severity::warning, "task_failed", "a message"});
    const std::string failed = english(decoded_dump(), location);
    CHECK(failed.starts_with("OVERFLOW, TASK FAILED  "));
    CHECK(contains(failed, "  1. See why the task failed: opdebug logs LOGS\n"));
    CHECK_FALSE(contains(failed, "loss scale"));
    CHECK(chinese(decoded_dump(), location).starts_with("溢出，任务失败  "));
}

TEST_CASE("text report: each remark of the first screen has a meaning and both languages") {
    const std::vector<report::CodeText> codes = report::code_texts(Language::english);
    for (const report::ShownRemark& row : report::shown_remarks()) {
        CAPTURE(row.code);
        CHECK(std::any_of(codes.begin(), codes.end(), [&row](const auto& code) { return code.code == row.code; }));
        const bool shows_message = row.code == "failed_on_other_device";
        CHECK(row.text.en.empty() == shows_message);
        CHECK(row.text.zh.empty() == shows_message);
        CHECK(row.next.en.empty() == row.next.zh.empty());
        CHECK((row.shows == "warning" || (!row.next.en.empty() && (row.shows == "reason" || row.shows == "failure"))));
    }
}

TEST_CASE("text report: a kernel takes the place of the name, a hash never does") {
    Location location = full_location();
    location.op->best.name.reset();
    location.op->best.confidence = Confidence::kernel;
    CHECK(contains(english(decoded_dump(), location), "OVERFLOW  Exp_77_mix_aic (Exp) "));
    CHECK(contains(english(decoded_dump(), location), "kernel name only: 1 log line\n"));
    const std::string hash(64, 'a');
    location.op->best.kernel = hash;
    CHECK(contains(english(decoded_dump(), location),
                   "OVERFLOW  operator unknown: only its type is known, Exp (stream 563 task 57)\n"));
    location.op->best.type.reset();
    CHECK(
        contains(english(decoded_dump(), location),
                 "OVERFLOW  operator unknown: the logs show only a hash of its kernel (stream 563 task 57)\n  next: "));
    CHECK_FALSE(contains(english(decoded_dump(), location), hash));
}

TEST_CASE("text report: a clean dump has no operator, no causes and no next steps") {
    const Dump dump = decoded_dump("/nowhere/Opdebug.Node_OpDebug.59.1772618405000000", 0);
    const std::string text = english(dump, locate(dump, {}));
    CHECK(text ==
          "no overflow\n  2026-03-04 10:00:05.000 (+00:00)\n\nEvidence\n"
          "  /nowhere/Opdebug.Node_OpDebug.59.1772618405000000\n");
}

TEST_CASE("text report: an undocumented status is not hidden") {
    const Dump dump = decoded_dump("/nowhere/Opdebug.Node_OpDebug.59.1772618405000000", 0x4000000000000000);
    const std::string text = english(dump, {});
    CHECK(contains(text, "Why   AI Core status 0x4000000000000000\n  0x4000000000000000  undocumented bits\n"));
}

TEST_CASE("text report: paths are as they were given; a path wider than the page loses its first folders") {
    const std::string file =
        "/data/job/dump/rank_37/20260910062605/5/llama_train/11/120/Opdebug.Node_OpDebug.177.21.1789000000005143";
    const Dump dump = decoded_dump(file);
    ReportOptions options;
    options.columns = file.size() + 2;
    CHECK(contains(record_to_text(dump, {}, options), "\n  " + file + "\n"));
    --options.columns;
    CHECK(contains(record_to_text(dump, {}, options),
                   "\n  …/job/dump/rank_37/20260910062605/5/llama_train/11/120/Opdebug.Node_OpDebug.177.21."));
    options.columns = 40;
    CHECK(contains(record_to_text(dump, {}, options), "\n  …/Opdebug.Node_OpDebug.177.21.1789000000005143\n"));
    options.verbose = true;
    CHECK(contains(record_to_text(dump, {}, options), file));
}

TEST_CASE("text report: texts of a user's status catalogue stay visible text") {
    const std::string evil = "a\x1b[2Jb\nc";
    auto definition = std::make_shared<CauseDefinition>();
    definition->id = "ai_core.evil";
    definition->source = definition->name.en = definition->text.en = definition->advice.en = evil;
    StatusExplanation status;
    status.words = {1};
    status.overflow = true;
    status.undocumented_bits = {0};
    status.causes = {{definition, 1}};
    status.diagnostics = {{Severity::info, "remark", evil}};
    const std::string text = status_to_text(status, {});
    CHECK(is_safe(text));
    CHECK(count_of(text, "a\\x1b[2Jb\\x0ac") == 4);  // name, meaning, next step, remark
    Dump dump = decoded_dump();
    dump.payloads.at(0).records.back().status = status;
    dump.payloads.at(0).records.back().overflow = true;
    const std::string page = english(dump, full_location());
    CHECK(is_safe(page));
    CHECK(count_of(page, "a\\x1b[2Jb\\x0ac") == 3);  // name, meaning and next step of the cause
}

TEST_CASE("text report: a line of evidence that is cut stays valid UTF-8") {
    Location location = full_location();
    for (std::size_t blanks = 0; blanks < 4; ++blanks) {
        location.op->best.evidence[0].text = std::string(blanks, 'x');
        for (int i = 0; i < 60; ++i) {
            location.op->best.evidence[0].text += "算子";
        }
        const std::string text = english(decoded_dump(), location);
        CHECK_FALSE(contains(text, "\\x"));  // as printable() shows a part of a character
        CHECK(contains(text, "…\n"));
    }
}

TEST_CASE("text report: times that no calendar shows are given as the number") {
    Dump dump = decoded_dump();
    dump.timestamp_us = ~std::uint64_t{0};
    CHECK(contains(english(dump, {}), "18446744073709551615 us"));
}

TEST_CASE("text report: a damaged dump says so") {
    Dump dump = decoded_dump();
    dump.diagnostics.push_back({Severity::error, "record_truncated", "the record ends early"});
    CHECK(contains(english(dump, full_location()), "damaged dump, partial result"));
    CHECK(contains(chinese(dump, full_location()), "文件损坏"));
}

TEST_CASE("text report: the failure of a file names the file, and its escape sequences stay visible") {
    const Result<Dump> dump = decode_file("/nowhere/\x1b[31mred");
    REQUIRE_FALSE(dump.ok());
    const std::string document = failure_to_json(dump.error());
    CHECK_FALSE(contains(document, "\x1b"));
    CHECK(contains(document, "file_not_found"));
    CHECK(contains(document, "red"));
}

TEST_CASE(
    "text report: the line on a failed file has code, file, place and reason, and nothing that steers a terminal") {
    const Error error{ErrorCode::header_malformed, "field \x1b[2J is cut", "/tmp/\x1b[31m\xc2\x9b\x7fred\n", 40};
    CHECK(failure_to_text(error) ==
          "error [header_malformed] /tmp/\\x1b[31m\\xc2\\x9b\\x7fred\\x0a: at byte 40: field \\x1b[2J is cut\n");
    ReportOptions options;
    options.language = Language::chinese;
    CHECK(contains(failure_to_text(error, options), "错误 [header_malformed]"));
    CHECK(is_safe(failure_to_text(error, options)));
}

TEST_CASE("text report: errors of the library are Chinese: place, numbers and the error inside") {
    ReportOptions options;
    options.language = Language::chinese;
    const auto shown = [&options](ErrorCode code, const char* message) {
        return failure_to_text({code, message, "/d", 40}, options);
    };
    CHECK(shown(ErrorCode::header_malformed, "the header message is damaged: field 3 needs 8 bytes, only 1 is left") ==
          "错误 [header_malformed] /d：字节 40 处：头部消息已损坏：字段 3 需要 8 字节，只剩 1 字节\n");
    CHECK(shown(ErrorCode::file_too_large,
                "the file has 9 bytes; the limit file_bytes is 5 (to raise it: --limit file_bytes=NUMBER; in a "
                "program, set file_bytes in limits)")
              .starts_with("错误 [file_too_large] /d：字节 40 处：文件有 9 字节；限制 file_bytes 为 5"));
    // Without a Chinese text: what the code means, and the message.
    CHECK(contains(shown(ErrorCode::header_malformed, "an unexpected thing"),
                   "（原文：at byte 40: an unexpected thing）"));
}
